//! Secrets in the arguments of calls: `setPassword("…")`, `setProperty("password", "…")`.

use super::keys::{Name, names_secret};
use super::scanner::{MAX_WORD, Scanner, is_name, is_quote, is_space, is_unquoted, quoted_range};
use super::values::{fits_name, is_password};

/// The beginnings of calls that set what the rest of their name says.
const SETTERS: [&str; 4] = ["set", "with", "use", "add"];

/// Calls that set what their first argument names.
const SETTING_CALLS: [&str; 6] =
    ["define", "putenv", "setItem", "setProperty", "setenv", "SetEnvironmentVariable"];

/// Calls, and the name of a pair, with a user and a password.
const LOGINS: [&str; 4] = ["HTTPBasicAuth", "HTTPDigestAuth", "NetworkCredential", "auth"];

/// The text in quotes after the parenthesis at `place`, as in `setPassword("…")` and `.token('…')`.
pub(super) fn only_argument(scanner: Scanner<'_>, place: usize) -> Option<(usize, usize)> {
    let call = scanner.name_before(place);
    let kind = names_secret(call)?;
    let value = scanner.within(place + 1, MAX_WORD, is_space);
    let (begin, end) = quoted_range(scanner, value)?;
    let text = scanner.slice(begin, end);
    let sets = || {
        SETTERS
            .iter()
            .any(|setter| call.get(..setter.len()).is_some_and(|of| of.eq_ignore_ascii_case(setter)))
            || call == "PASSWORD"
    };
    let is_secret = fits_name(text) || kind == Name::Certain && sets() && is_password(text);
    (is_secret && !text.contains(' ')).then_some((begin, end))
}

/// The second text of a call or a pair such as `HTTPBasicAuth("user", "…")` and `auth=("user", "…")`.
pub(super) fn password_of_login(scanner: Scanner<'_>, place: usize) -> Option<(usize, usize)> {
    let end = scanner.within_back(place, 1, is_quote);
    let begin = scanner.within_back(end, MAX_WORD, |byte| is_unquoted(byte) && byte != b'(');
    let open = scanner.within_back(begin, 1, is_quote);
    if end == place || open == begin || scanner.byte_before(open) != Some(b'(') {
        return None;
    }
    let call = scanner.within_back(open - 1, 1, |byte| byte == b'=');
    let (begin, end) = quoted_range(scanner, scanner.within(place + 1, MAX_WORD, is_space))?;
    let is_login = LOGINS.contains(&scanner.name_before(call));
    (is_login && is_password(scanner.slice(begin, end))).then_some((begin, end))
}

/// The second text of a call such as `setProperty("password", "…")`.
pub(super) fn second_argument(scanner: Scanner<'_>, place: usize) -> Option<(usize, usize)> {
    let quote = scanner.within_back(place, 1, is_quote);
    let end = scanner.within_back(quote, 4, |byte| byte == b'\\');
    let name = scanner.name_before(end);
    if quote == place || names_secret(name.trim_start_matches('-')).is_none() {
        return None;
    }
    // `db.password`
    let first = scanner.within_back(end - name.len(), MAX_WORD, |byte| is_name(byte) || byte == b'.');
    let before = scanner.within_back(first, 4, |byte| is_quote(byte) || byte == b'\\');
    if !matches!(scanner.byte_before(before), Some(b'(' | b'[' | b' ')) {
        return None;
    }
    let value = scanner.within(place + 1, MAX_WORD, is_space);
    let (begin, end) = quoted_range(scanner, value)?;
    let text = scanner.slice(begin, end);
    let call = || scanner.name_before(scanner.skip_blanks_back(before).saturating_sub(1));
    let is_letters = || SETTING_CALLS.contains(&call()) && is_password(text);
    if fits_name(scanner.word(begin)) || is_letters() { Some((begin, end)) } else { None }
}

#[cfg(test)]
mod tests {
    use crate::redact::patterns::tests::secrets;

    #[test]
    fn the_text_of_a_call_that_names_a_secret_is_one() {
        for (text, expected) in [
            ("user.setPassword(\"correcthorse\")", vec!["correcthorse"]),
            ("new Client().token( 'abc123' ).connect()", vec!["abc123"]),
            ("set_api_key(`abc123`); withSecret(\"abcdef\")", vec!["abc123", "abcdef"]),
            (r#"x.setPassword(\"hunter2\")"#, vec!["hunter2"]),
            ("driver.usePassphrase('hunter2')", vec!["hunter2"]),
            ("hashPassword(\"hunter2\")", vec!["hunter2"]),
            (
                "define( 'DB_PASSWORD', 'hunter' ); putenv(\"API_TOKEN\", \"hunter\")",
                vec!["hunter", "hunter"],
            ),
            ("SET PASSWORD FOR a = PASSWORD('hunter')", vec!["hunter"]),
            ("SetEnvironmentVariable(\"API_TOKEN\",\"hunter\",\"User\")", vec!["hunter"]),
            (
                "get(url, auth=('mira', 'hunter')); HTTPBasicAuth(\"mira\", \"hunter\")",
                vec!["hunter", "hunter"],
            ),
        ] {
            assert_eq!(secrets(text), expected, "{text}");
        }
        for text in [
            "setPassword(password), getToken()",
            "t.password(\"Enter your password\")",
            "expectToken(\"identifier\")",
            "validatePassword(\"short\")",
            "setPassword(\"${PASSWORD}\")",
            "getByLabel(\"Password1\")",
            "isToken('(')",
            "get(url, auth=auth, data=('mira', 'hunter')), auth('mira', 'x')",
        ] {
            assert_eq!(secrets(text), Vec::<&str>::new(), "{text}");
        }
    }
}
