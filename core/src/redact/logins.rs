//! Passwords beside the name of a user: `sqlplus user/password@host`, `net use \\host\share password /user:name`. And cookies in
//! the files of browsers and `curl`, which are logins, too.

use super::scanner::{MAX_WORD, Scanner, is_blank, is_quote, is_space, quoted_range};
use super::shell_line::{ORACLE, ShellLine};
use super::values::{is_placeholder, looks_secret};

/// What is before the user in an address of Oracle.
const DRIVERS: [&str; 2] = [":thin:", ":oci:"];

/// What is between user and password, and the host of Oracle.
const HOST: &str = "@//";

/// Maximum number of words of a command after `net use` and `net user`.
const MAX_WORDS: usize = 8;

/// The password after the slash at `place`, which follows a user of Oracle.
pub(super) fn password_after_user(
    scanner: Scanner<'_>,
    place: usize,
    line: &mut ShellLine,
) -> Option<(usize, usize)> {
    let begin = place - scanner.name_before(place).len();
    let follows_driver = || DRIVERS.iter().any(|driver| scanner.is_preceded_by(begin, driver));
    let begins = scanner.byte_before(begin).is_none_or(|byte| is_space(byte) || is_quote(byte));
    if begin == place || !(begins || follows_driver()) {
        return None;
    }
    let word = scanner.word(place + 1);
    let at = word.find(HOST).or_else(|| word.rfind('@'));
    let password = word.get(..at.unwrap_or(word.len()))?;
    // Without a host, and with another slash, it is a path.
    let is_path = password.contains('/') || at.is_none() && password.contains(['.', '-']);
    if password.is_empty() || is_path || is_placeholder(password) {
        return None;
    }
    let host = at.and_then(|at| word[at..].strip_prefix(HOST));
    let is_host = host.is_some_and(|host| host.starts_with(|letter: char| letter.is_ascii_alphanumeric()));
    let is_certain = is_host || !begins || line.commands_before(scanner, begin).has(ORACLE);
    is_certain.then(|| (place + 1, place + 1 + password.len()))
}

/// The password of a command of Windows after the blank at `place`, which follows `word`.
pub(super) fn password_of_net(scanner: Scanner<'_>, place: usize, word: &str) -> Option<(usize, usize)> {
    let is_use = word.eq_ignore_ascii_case("use");
    let begin = place - word.len();
    let is_net = || ["net ", "NET ", "net.exe "].iter().any(|net| scanner.is_preceded_by(begin, net));
    if !(is_use || word.eq_ignore_ascii_case("user")) || !is_net() {
        return None;
    }
    let words = words_after(scanner, place);
    let of = |(begin, end): (usize, usize)| scanner.slice(begin, end);
    // After the share, or the user.
    let named = if is_use { words.iter().position(|word| of(*word).starts_with(r"\\"))? } else { 0 };
    let mut rest = words.get(named + 1..)?.iter().copied();
    let password = rest.clone().find(|word| !of(*word).starts_with('/'))?;
    let option = if is_use { "/user:" } else { "/add" };
    let has_option =
        rest.any(|word| of(word).get(..option.len()).is_some_and(|of| of.eq_ignore_ascii_case(option)));
    let text = of(password);
    let is_secret = text != "*" && !is_placeholder(text) && (has_option || !is_use && looks_secret(text));
    is_secret.then_some(password)
}

/// The words after `at` in its line, without their quotes.
fn words_after(scanner: Scanner<'_>, mut at: usize) -> Vec<(usize, usize)> {
    let mut words = Vec::new();
    for _ in 0..MAX_WORDS {
        let begin = scanner.within(at, MAX_WORD, is_blank);
        let end = scanner.within(begin, MAX_WORD, |byte| !is_space(byte));
        if end == begin {
            break;
        }
        let quoted = quoted_range(scanner, begin).filter(|(_, end)| end - begin < MAX_WORD);
        words.push(quoted.unwrap_or((begin, end)));
        at = quoted.map_or(end, |(_, end)| end + 1);
    }
    words
}

/// The value of a cookie after the tab at `place`: the last of seven columns, a file's of Netscape's form.
pub(super) fn cookie_of_jar(scanner: Scanner<'_>, place: usize) -> Option<(usize, usize)> {
    let mut end = place;
    let mut column = || {
        let begin = scanner.within_back(end, MAX_WORD, |byte| !matches!(byte, b'\t' | b'\n'));
        let text = scanner.slice(begin, end);
        end = begin.checked_sub(1).filter(|tab| scanner.byte(*tab) == Some(b'\t'))?;
        Some(text)
    };
    let (_name, expires) = (column()?, column()?);
    if expires.is_empty() || !expires.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let is_switch = |text| matches!(text, "TRUE" | "FALSE");
    let is_cookie = is_switch(column()?) && column()?.starts_with('/') && is_switch(column()?);
    let last = scanner.skip_while(place + 1, |byte| !matches!(byte, b'\t' | b'\n' | b'\r'));
    let is_last = scanner.byte(last) != Some(b'\t');
    (is_cookie && is_last && !is_placeholder(scanner.slice(place + 1, last))).then_some((place + 1, last))
}

#[cfg(test)]
mod tests {
    use crate::redact::patterns::tests::secrets;

    #[test]
    fn passwords_beside_a_user_are_secrets() {
        for (text, expected) in [
            ("sqlplus scott/hunter@orcl", vec!["hunter"]),
            ("sqlplus -s scott/hunter@//db.example:1521/svc @run.sql", vec!["hunter"]),
            ("sqlplus 'sys/hun@ter@db' as sysdba", vec!["hun@ter"]),
            ("impdp system/hunter directory=x; rman target sys/hunter2@orcl", vec!["hunter", "hunter2"]),
            ("cannot log in as scott/hunter@//db.example:1521/svc", vec!["hunter"]),
            ("jdbc:oracle:thin:scott/hunter@db:1521:sid", vec!["hunter"]),
            (r"net use \\host\share hunter /user:mira", vec!["hunter"]),
            (r"NET USE Z: \\host\share /USER:DOM\mira hunter /persistent:no", vec!["hunter"]),
            (r#"net use \\host\share "hun ter" /user:mira"#, vec!["hun ter"]),
            ("net user mira hunter /add", vec!["hunter"]),
            ("net user mira hunter2", vec!["hunter2"]),
            (".h.example\tTRUE\t/\tTRUE\t1795300000\tsid\tab cd\nx", vec!["ab cd"]),
            ("#HttpOnly_h\tFALSE\t/a\tFALSE\t0\ttheme\tdark\r\n", vec!["dark"]),
        ] {
            assert_eq!(secrets(text), expected, "{text}");
        }
        for text in [
            "sqlplus /nolog @run.sql",
            "sqlplus / as sysdba",
            "sqlplus scott@orcl",
            "sqlplus scott/@orcl",
            "sqlplus scott/$PASSWORD@orcl, sqlplus scott/${PASSWORD}@orcl",
            "sqlplus scott@orcl @sql/run.sql",
            "use owner/repo@v1.2 and owner/repo/dir@v4",
            "built 2026/11/27@12:00",
            "npm i @scope/pkg@1.2.3 acme/pkg@next",
            "http://h/a/b@c, a/b@c, src/app@//",
            r"net use \\host\share /delete",
            r"net use \\host\share * /user:mira",
            "the net use of memory is high",
            "net user mira is unknown",
            "a\tTRUE\tb\tTRUE\t5\tc\td",
            "h\tTRUE\t/\tTRUE\t5\tc\td\te",
            "h\tTRUE\t/\tTRUE\tnever\tc\td",
        ] {
            assert_eq!(secrets(text), Vec::<&str>::new(), "{text}");
        }
    }
}
