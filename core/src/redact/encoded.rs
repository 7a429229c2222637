//! Secrets in JSON and XML whose signs are written for HTML or for addresses: `&quot;password&quot;:&quot;…&quot;`,
//! `%22password%22%3A%22…%22`, `&lt;password&gt;…&lt;/password&gt;`.

use super::keys::{Keys, Name, Rule, Shape, names_secret};
use super::scanner::{MAX_WORD, Scanner, is_name};
use super::values::{is_code, is_password, is_placeholder, is_small_number};

/// Quotation marks.
const QUOTES: [&str; 9] = ["&quot;", "&#34;", "&#x22;", "&apos;", "&#39;", "&#x27;", "%22", "%27", "\\u0022"];

/// Blanks.
const BLANKS: [&str; 3] = [" ", "%20", "+"];

const LESS_THAN: &str = "&lt;";
const GREATER_THAN: &str = "&gt;";

/// The value of a key in encoded quotes, if there is a colon at `place`, also as `%3A`.
pub(super) fn encoded_value(scanner: Scanner<'_>, place: usize, keys: &Keys) -> Option<(usize, usize)> {
    let colon = ":".len();
    let is_encoded = scanner.byte(place) == Some(b'%');
    let after = if is_encoded { place + "%3A".len() } else { place + colon };
    if is_encoded && !scanner.slice(place, after).eq_ignore_ascii_case("%3A") {
        return None;
    }
    let quote_end = skip_blanks_back(scanner, place);
    // The last bytes of the quotation marks.
    if !matches!(scanner.byte_before(quote_end), Some(b';' | b'2' | b'7')) {
        return None;
    }
    let quote = quote_before(scanner, quote_end)?;
    let end = quote_end - quote.len();
    let key = scanner
        .slice(scanner.within_back(end, MAX_WORD, |byte| is_name(byte) || matches!(byte, b' ' | b'.')), end);
    // In an address, the quotation mark before the key ends with a digit.
    let key = quote.strip_prefix('%').map_or(key, |code| key.trim_start_matches(code));
    let rule = keys.rule(key, Shape::Text);
    if rule == Rule::Keep {
        return None;
    }
    let begin = skip_blanks(scanner, after);
    text_in(scanner, begin, quote).filter(|(begin, end)| {
        let text = scanner.slice(*begin, *end);
        match rule {
            Rule::Hide => true,
            Rule::HideSecret => !is_placeholder(text),
            Rule::HidePassword => is_password(text),
            Rule::HideCode => is_code(text),
            Rule::HidePath | Rule::Keep => false,
        }
    })
}

/// The text in encoded quotes after `password=`.
pub(super) fn encoded_text(scanner: Scanner<'_>, place: usize) -> Option<(usize, usize)> {
    let quote = quote_at(scanner, place + 1)?;
    names_secret(scanner.name_before(place)).filter(|kind| !matches!(kind, Name::Weak | Name::Code))?;
    text_in(scanner, place + 1, quote).filter(|(begin, end)| !is_placeholder(scanner.slice(*begin, *end)))
}

/// The text after `&lt;password&gt;`, whose last character is at `place`.
pub(super) fn encoded_element(scanner: Scanner<'_>, place: usize) -> Option<(usize, usize)> {
    let begin = place + 1;
    if !scanner.is_preceded_by(begin, GREATER_THAN) {
        return None;
    }
    let tag = begin - GREATER_THAN.len();
    let name = scanner.name_before(tag);
    names_secret(name).filter(|kind| !matches!(kind, Name::Weak | Name::Code))?;
    if !scanner.is_preceded_by(tag - name.len(), LESS_THAN) {
        return None;
    }
    let end = scanner.skip_while(begin, |byte| byte != b'&' && byte != b'<');
    let text = scanner.slice(begin, end);
    let is_closed = scanner.rest(end).starts_with("&lt;/");
    (is_closed && !is_placeholder(text) && !is_small_number(text)).then_some((begin, end))
}

/// The text between this quotation mark at `at` and the next one; without one, the rest.
fn text_in(scanner: Scanner<'_>, at: usize, quote: &str) -> Option<(usize, usize)> {
    let begin = at + quote.len();
    if !scanner.rest(at).starts_with(quote) {
        return None;
    }
    let rest = scanner.rest(begin);
    Some((begin, begin + rest.find(quote).unwrap_or(rest.len())))
}

fn quote_at(scanner: Scanner<'_>, at: usize) -> Option<&'static str> {
    QUOTES.into_iter().find(|quote| scanner.rest(at).starts_with(quote))
}

fn quote_before(scanner: Scanner<'_>, end: usize) -> Option<&'static str> {
    QUOTES.into_iter().find(|quote| scanner.is_preceded_by(end, quote))
}

fn skip_blanks(scanner: Scanner<'_>, mut at: usize) -> usize {
    while let Some(blank) = BLANKS.iter().find(|blank| scanner.rest(at).starts_with(**blank)) {
        at += blank.len();
    }
    at
}

fn skip_blanks_back(scanner: Scanner<'_>, mut at: usize) -> usize {
    while let Some(blank) = BLANKS.iter().find(|blank| scanner.is_preceded_by(at, blank)) {
        at -= blank.len();
    }
    at
}

#[cfg(test)]
mod tests {
    use crate::redact::patterns::tests::secrets;

    #[test]
    fn values_of_keys_in_encoded_quotes_are_secrets() {
        for (text, expected) in [
            ("{&quot;password&quot;:&quot;a b&quot;,&quot;x&quot;:1}", vec!["a b"]),
            ("{&#34;apiKey&#34; : &#34;abc&#34;}", vec!["abc"]),
            ("{&#x27;db_password&#x27;: &#x27;abc&#x27;}", vec!["abc"]),
            ("?state=%7B%22password%22%3A%22a%20b%22%2C%22x%22%3A1%7D", vec!["a%20b"]),
            ("%7B%22accessToken%22%3a%20%22abc%22%7D", vec!["abc"]),
            ("{%22token%22:%22abc%22}", vec!["abc"]),
            (r"{\u0022password\u0022:\u0022abc\u0022}", vec!["abc"]),
            ("&quot;password&quot;:&quot;cut of", vec!["cut of"]),
            ("input password=&quot;abc&quot; x", vec!["abc"]),
            ("&lt;password&gt;a b&lt;/password&gt;", vec!["a b"]),
            ("&quot;password&quot;:&quot;[redacted]&quot;", vec!["[redacted]"]),
        ] {
            assert_eq!(secrets(text), expected, "{text}");
        }
        for text in [
            "&quot;user&quot;:&quot;mira&quot;",
            "&quot;password&quot;:&quot;${PASSWORD}&quot;",
            "&quot;password&quot;:null",
            "&quot;password&quot;:&quot;&quot;",
            "&quot;password&quot; is not &quot;mira&quot;",
            "%22tokens%22%3A%22abc%22",
            "100%22 of it: %22x%22",
            "&lt;passwords&gt;a&lt;/passwords&gt;",
            "&lt;token&gt; is a &lt;word&gt;",
            "a &gt; password=&gt;",
        ] {
            assert_eq!(secrets(text), Vec::<&str>::new(), "{text}");
        }
    }
}
