//! Words that look like known ones and are not.

use crate::text::is_invisible;

/// Returns the known word that a word only looks like: it differs in characters that look alike or that are not seen. `None` for a
/// known word, and for one that looks like none.
pub(crate) fn look_alike(word: &str, is_known: impl Fn(&str) -> bool) -> Option<String> {
    // No known word is longer.
    if word.chars().nth(MAX_WORD).is_some() || is_known(word) {
        return None;
    }
    let seen = word.chars().filter(|letter| !is_invisible(*letter));
    let plain: String = seen.map(|letter| letter_of(letter).unwrap_or(letter)).collect();
    let plain = plain.trim();
    [plain.to_owned(), plain.replace("rn", "m")].into_iter().find(|word| is_known(word))
}

/// Returns a word with escapes such as `\u{430}` for the characters that only look like letters.
pub(crate) fn with_look_alikes_escaped(word: &str) -> String {
    let mut out = String::new();
    for letter in word.chars() {
        if !letter.is_ascii() && letter_of(letter).is_some() {
            out.extend(letter.escape_unicode());
        } else {
            out.push(letter);
        }
    }
    out
}

/// The letter that a character looks like.
fn letter_of(found: char) -> Option<char> {
    LOOK_ALIKES.iter().find(|(_, alike)| alike.contains(found)).map(|(letter, _)| *letter)
}

/// Maximum length of a word that is compared with known ones, characters.
const MAX_WORD: usize = 100;

/// The characters of known words, each with those that look like it: the same skeleton in Unicode's security mechanisms (UTS 39).
#[rustfmt::skip]
pub const LOOK_ALIKES: [(char, &str); 29] = [
    (' ', "\u{a0}\u{1680}\u{2000}\u{2001}\u{2002}\u{2003}\u{2004}\u{2005}\u{2006}\u{2007}\u{2008}\u{2009}\
         \u{200a}\u{2028}\u{2029}\u{202f}\u{205f}\u{2800}\u{3000}"),
    ('-', "\u{2d7}\u{6d4}\u{174d}\u{1bf3}\u{2010}\u{2011}\u{2012}\u{2013}\u{2043}\u{2212}\u{2796}\u{2cba}\
         \u{2cbb}\u{aa7d}\u{fe58}\u{fe63}\u{10191}"),
    ('_', "\u{640}\u{7fa}\u{fe4d}\u{fe4e}\u{fe4f}\u{ff3f}\u{145c1}"),
    ('a', "\u{251}\u{3b1}\u{430}\u{237a}\u{ab64}\u{ff41}\u{1d41a}\u{1d44e}\u{1d482}\u{1d4b6}\u{1d4ea}\
         \u{1d51e}\u{1d552}\u{1d586}\u{1d5ba}\u{1d5ee}\u{1d622}\u{1d656}\u{1d68a}\u{1d6c2}\u{1d6fc}\
         \u{1d736}\u{1d770}\u{1d7aa}\u{1df5a}"),
    ('b', "\u{184}\u{42c}\u{7d5}\u{13cf}\u{1472}\u{15af}\u{ff42}\u{1031c}\u{16eb6}\u{1d207}\u{1d41b}\
         \u{1d44f}\u{1d483}\u{1d4b7}\u{1d4eb}\u{1d51f}\u{1d553}\u{1d587}\u{1d5bb}\u{1d5ef}\u{1d623}\
         \u{1d657}\u{1d68b}"),
    ('c', "\u{3f2}\u{441}\u{1004}\u{105a}\u{1c83}\u{1d04}\u{217d}\u{2ca5}\u{abaf}\u{ff43}\u{1043d}\
         \u{1d134}\u{1d41c}\u{1d450}\u{1d484}\u{1d4b8}\u{1d4ec}\u{1d520}\u{1d554}\u{1d588}\u{1d5bc}\
         \u{1d5f0}\u{1d624}\u{1d658}\u{1d68c}"),
    ('d', "\u{501}\u{13e7}\u{146f}\u{2146}\u{217e}\u{a4d2}\u{ff44}\u{1018b}\u{1d41d}\u{1d451}\u{1d485}\
         \u{1d4b9}\u{1d4ed}\u{1d521}\u{1d555}\u{1d589}\u{1d5bd}\u{1d5f1}\u{1d625}\u{1d659}\u{1d68d}"),
    ('e', "\u{435}\u{4bd}\u{212e}\u{212f}\u{2147}\u{ab32}\u{ff45}\u{1d41e}\u{1d452}\u{1d486}\u{1d4ee}\
         \u{1d522}\u{1d556}\u{1d58a}\u{1d5be}\u{1d5f2}\u{1d626}\u{1d65a}\u{1d68e}"),
    ('f', "\u{17f}\u{192}\u{284}\u{584}\u{1e9d}\u{a799}\u{ab35}\u{ff46}\u{1017e}\u{1d41f}\u{1d453}\
         \u{1d487}\u{1d4bb}\u{1d4ef}\u{1d523}\u{1d557}\u{1d58b}\u{1d5bf}\u{1d5f3}\u{1d627}\u{1d65b}\
         \u{1d68f}"),
    ('g', "\u{18d}\u{261}\u{581}\u{1d83}\u{210a}\u{ff47}\u{1d420}\u{1d454}\u{1d488}\u{1d4f0}\u{1d524}\
         \u{1d558}\u{1d58c}\u{1d5c0}\u{1d5f4}\u{1d628}\u{1d65c}\u{1d690}"),
    ('h', "\u{4ba}\u{4bb}\u{570}\u{10b9}\u{13c2}\u{210e}\u{ff48}\u{1d421}\u{1d489}\u{1d4bd}\u{1d4f1}\
         \u{1d525}\u{1d559}\u{1d58d}\u{1d5c1}\u{1d5f5}\u{1d629}\u{1d65d}\u{1d691}"),
    ('i', "\u{a1}\u{131}\u{269}\u{26a}\u{3b9}\u{456}\u{582}\u{13a5}\u{1fbe}\u{2139}\u{2148}\u{2170}\
         \u{2373}\u{2c93}\u{a647}\u{ab75}\u{ff49}\u{118c3}\u{1d422}\u{1d456}\u{1d48a}\u{1d4be}\u{1d4f2}\
         \u{1d526}\u{1d55a}\u{1d58e}\u{1d5c2}\u{1d5f6}\u{1d62a}\u{1d65e}\u{1d692}\u{1d6a4}\u{1d6ca}\
         \u{1d704}\u{1d73e}\u{1d778}\u{1d7b2}"),
    ('j', "\u{237}\u{3f3}\u{458}\u{575}\u{2149}\u{ff4a}\u{1d423}\u{1d457}\u{1d48b}\u{1d4bf}\u{1d4f3}\
         \u{1d527}\u{1d55b}\u{1d58f}\u{1d5c3}\u{1d5f7}\u{1d62b}\u{1d65f}\u{1d693}\u{1d6a5}"),
    ('k', "\u{ff4b}\u{1d424}\u{1d458}\u{1d48c}\u{1d4c0}\u{1d4f4}\u{1d528}\u{1d55c}\u{1d590}\u{1d5c4}\
         \u{1d5f8}\u{1d62c}\u{1d660}\u{1d694}"),
    ('l', "1I|\u{196}\u{1c0}\u{399}\u{406}\u{4c0}\u{4cf}\u{5c0}\u{5d5}\u{5df}\u{627}\u{661}\u{6f1}\u{7ca}\
         \u{964}\u{104a}\u{16c1}\u{16d0}\u{2110}\u{2111}\u{2113}\u{2160}\u{217c}\u{21bf}\u{2223}\u{23fd}\
         \u{2502}\u{2503}\u{2c92}\u{2d4a}\u{2d4f}\u{a4f2}\u{a56f}\u{a781}\u{a7ae}\u{a7fe}\u{a830}\
         \u{a8ce}\u{aa5d}\u{fe31}\u{fe8d}\u{fe8e}\u{ff11}\u{ff29}\u{ff4c}\u{ff5c}\u{ffe8}\u{1028a}\
         \u{10309}\u{10320}\u{1050e}\u{10926}\u{10c3e}\u{10ca5}\u{10cfa}\u{11047}\u{110c0}\u{11141}\
         \u{111c5}\u{113d4}\u{1144b}\u{115c5}\u{11641}\u{11c41}\u{11dda}\u{11de1}\u{16d63}\u{16eaa}\
         \u{16f28}\u{1ccde}\u{1ccf1}\u{1d100}\u{1d377}\u{1d408}\u{1d425}\u{1d43c}\u{1d459}\u{1d470}\
         \u{1d48d}\u{1d4c1}\u{1d4d8}\u{1d4f5}\u{1d529}\u{1d540}\u{1d55d}\u{1d574}\u{1d591}\u{1d5a8}\
         \u{1d5c5}\u{1d5dc}\u{1d5f9}\u{1d610}\u{1d62d}\u{1d644}\u{1d661}\u{1d678}\u{1d695}\u{1d6b0}\
         \u{1d6ea}\u{1d724}\u{1d75e}\u{1d798}\u{1d7cf}\u{1d7d9}\u{1d7e3}\u{1d7ed}\u{1d7f7}\u{1e141}\
         \u{1e8c7}\u{1ed01}\u{1ee00}\u{1ee80}\u{1fbf1}"),
    ('m', "\u{560}\u{217f}\u{ff4d}\u{11700}\u{118e3}\u{1d426}\u{1d45a}\u{1d48e}\u{1d4c2}\u{1d4f6}\u{1d52a}\
         \u{1d55e}\u{1d592}\u{1d5c6}\u{1d5fa}\u{1d62e}\u{1d662}\u{1d696}"),
    ('n', "\u{578}\u{57c}\u{ff4e}\u{1d427}\u{1d45b}\u{1d48f}\u{1d4c3}\u{1d4f7}\u{1d52b}\u{1d55f}\u{1d593}\
         \u{1d5c7}\u{1d5fb}\u{1d62f}\u{1d663}\u{1d697}"),
    ('o', "\u{3bf}\u{3c3}\u{3ed}\u{43e}\u{585}\u{5e1}\u{647}\u{665}\u{6be}\u{6c1}\u{6d5}\u{6f5}\u{7cb}\
         \u{840}\u{966}\u{9e6}\u{a66}\u{ae6}\u{b66}\u{be6}\u{c02}\u{c66}\u{c82}\u{d02}\u{d20}\u{d66}\
         \u{d82}\u{e50}\u{ed0}\u{101d}\u{1040}\u{10ff}\u{110b}\u{11bc}\u{17e0}\u{1a45}\u{1a80}\u{1a90}\
         \u{1bea}\u{1c82}\u{1d0f}\u{1d11}\u{2134}\u{2c9f}\u{3147}\u{ab3d}\u{fba6}\u{fba7}\u{fba8}\
         \u{fba9}\u{fbaa}\u{fbab}\u{fbac}\u{fbad}\u{fee9}\u{feea}\u{feeb}\u{feec}\u{ff4f}\u{ffb7}\
         \u{1042c}\u{104ea}\u{1092c}\u{10d07}\u{11124}\u{11302}\u{114d0}\u{118c8}\u{118d7}\u{1d428}\
         \u{1d45c}\u{1d490}\u{1d4f8}\u{1d52c}\u{1d560}\u{1d594}\u{1d5c8}\u{1d5fc}\u{1d630}\u{1d664}\
         \u{1d698}\u{1d6d0}\u{1d6d4}\u{1d70a}\u{1d70e}\u{1d744}\u{1d748}\u{1d77e}\u{1d782}\u{1d7b8}\
         \u{1d7bc}\u{1ee24}\u{1ee84}"),
    ('p', "\u{fe}\u{1bf}\u{3c1}\u{3f1}\u{3f8}\u{440}\u{2374}\u{2ca3}\u{2ccf}\u{ff50}\u{1d429}\u{1d45d}\
         \u{1d491}\u{1d4c5}\u{1d4f9}\u{1d52d}\u{1d561}\u{1d595}\u{1d5c9}\u{1d5fd}\u{1d631}\u{1d665}\
         \u{1d699}\u{1d6d2}\u{1d6e0}\u{1d70c}\u{1d71a}\u{1d746}\u{1d754}\u{1d780}\u{1d78e}\u{1d7ba}\
         \u{1d7c8}"),
    ('q', "\u{51b}\u{563}\u{566}\u{ff51}\u{1d42a}\u{1d45e}\u{1d492}\u{1d4c6}\u{1d4fa}\u{1d52e}\u{1d562}\
         \u{1d596}\u{1d5ca}\u{1d5fe}\u{1d632}\u{1d666}\u{1d69a}"),
    ('r', "\u{433}\u{1d26}\u{2c85}\u{ab47}\u{ab48}\u{ab81}\u{ff52}\u{16a19}\u{1d42b}\u{1d45f}\u{1d493}\
         \u{1d4c7}\u{1d4fb}\u{1d52f}\u{1d563}\u{1d597}\u{1d5cb}\u{1d5ff}\u{1d633}\u{1d667}\u{1d69b}"),
    ('s', "\u{1bd}\u{455}\u{d1f}\u{a731}\u{abaa}\u{ff53}\u{10448}\u{118c1}\u{1d42c}\u{1d460}\u{1d494}\
         \u{1d4c8}\u{1d4fc}\u{1d530}\u{1d564}\u{1d598}\u{1d5cc}\u{1d600}\u{1d634}\u{1d668}\u{1d69c}"),
    ('t', "\u{ff54}\u{1d42d}\u{1d461}\u{1d495}\u{1d4c9}\u{1d4fd}\u{1d531}\u{1d565}\u{1d599}\u{1d5cd}\
         \u{1d601}\u{1d635}\u{1d669}\u{1d69d}"),
    ('u', "\u{28b}\u{3c5}\u{57d}\u{1d1c}\u{a79f}\u{ab4e}\u{ab52}\u{ff55}\u{104f6}\u{118d8}\u{1d42e}\
         \u{1d462}\u{1d496}\u{1d4ca}\u{1d4fe}\u{1d532}\u{1d566}\u{1d59a}\u{1d5ce}\u{1d602}\u{1d636}\
         \u{1d66a}\u{1d69e}\u{1d6d6}\u{1d710}\u{1d74a}\u{1d784}\u{1d7be}"),
    ('v', "\u{3bd}\u{475}\u{5d8}\u{1d20}\u{2174}\u{2228}\u{22c1}\u{aba9}\u{ff56}\u{11706}\u{118c0}\
         \u{1d42f}\u{1d463}\u{1d497}\u{1d4cb}\u{1d4ff}\u{1d533}\u{1d567}\u{1d59b}\u{1d5cf}\u{1d603}\
         \u{1d637}\u{1d66b}\u{1d69f}\u{1d6ce}\u{1d708}\u{1d742}\u{1d77c}\u{1d7b6}"),
    ('w', "\u{26f}\u{448}\u{461}\u{51d}\u{561}\u{1d21}\u{29e2}\u{2cbd}\u{a7fa}\u{ab83}\u{aba4}\u{ff57}\
         \u{1170a}\u{1170e}\u{1170f}\u{1d430}\u{1d464}\u{1d498}\u{1d4cc}\u{1d500}\u{1d534}\u{1d568}\
         \u{1d59c}\u{1d5d0}\u{1d604}\u{1d638}\u{1d66c}\u{1d6a0}\u{1df7d}"),
    ('x', "\u{d7}\u{445}\u{1541}\u{157d}\u{166e}\u{1763}\u{1bec}\u{2179}\u{292b}\u{292c}\u{2a2f}\u{ff58}\
         \u{10cc2}\u{1d431}\u{1d465}\u{1d499}\u{1d4cd}\u{1d501}\u{1d535}\u{1d569}\u{1d59d}\u{1d5d1}\
         \u{1d605}\u{1d639}\u{1d66d}\u{1d6a1}"),
    ('y', "\u{263}\u{28f}\u{3b3}\u{443}\u{4af}\u{10e7}\u{1d8c}\u{1eff}\u{213d}\u{2ca9}\u{ab5a}\u{ff59}\
         \u{118c4}\u{118dc}\u{1d432}\u{1d466}\u{1d49a}\u{1d4ce}\u{1d502}\u{1d536}\u{1d56a}\u{1d59e}\
         \u{1d5d2}\u{1d606}\u{1d63a}\u{1d66e}\u{1d6a2}\u{1d6c4}\u{1d6fe}\u{1d738}\u{1d772}\u{1d7ac}"),
    ('z', "\u{1d22}\u{2c6c}\u{2c8d}\u{2d2d}\u{ab93}\u{ff5a}\u{1d433}\u{1d467}\u{1d49b}\u{1d4cf}\u{1d503}\
         \u{1d537}\u{1d56b}\u{1d59f}\u{1d5d3}\u{1d607}\u{1d63b}\u{1d66f}\u{1d6a3}"),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use unicode_security::confusable_detection::skeleton;

    use super::{LOOK_ALIKES, look_alike, with_look_alikes_escaped};

    #[test]
    fn the_table_is_unicodes() {
        let skeleton = |letter: char| skeleton(letter.encode_utf8(&mut [0; 4])).collect::<String>();
        let letters: BTreeMap<String, char> =
            LOOK_ALIKES.iter().map(|(letter, _)| (skeleton(*letter), *letter)).collect();
        let mut found: BTreeMap<char, String> = BTreeMap::new();
        for alike in
            (' '..='\u{2ffff}').filter(|alike| !LOOK_ALIKES.iter().any(|(letter, _)| letter == alike))
        {
            if let Some(letter) = letters.get(&skeleton(alike)) {
                found.entry(*letter).or_default().push(alike);
            }
        }
        for (letter, alike) in LOOK_ALIKES {
            assert_eq!(found.get(&letter).map(String::as_str), Some(alike), "{letter}");
        }
    }

    #[test]
    fn a_word_that_is_no_known_one_is_told_from_it() {
        let is_known = |word: &str| ["failed", "completed", "stale running"].contains(&word);
        for (word, known) in [
            ("f\u{430}iled", Some("failed")),
            ("failed\u{200b}", Some("failed")),
            ("\u{ff46}ailed ", Some("failed")),
            ("cornpleted", Some("completed")),
            ("failing", None),
            ("stale\u{a0}running", Some("stale running")),
            ("stale\u{2800}running", None),
            ("failed", None),
            ("Failed", None),
            ("falled", None),
            ("", None),
            (&"f".repeat(1_000), None),
        ] {
            assert_eq!(look_alike(word, is_known).as_deref(), known, "{word:?}");
        }
        assert_eq!(with_look_alikes_escaped("f\u{430}il ed-ü"), r"f\u{430}il ed-ü");
    }
}
