//! What is typed where somebody asks for a secret: at a prompt that names a user, and into a field of a form, as browser tools and
//! their scripts write it: `{"element":"Password textbox","text":"…"}`, `getByLabel("Password").fill("…")`.

use super::keys::{Name, names_secret};
use super::scanner::{MAX_WORD, Scanner, is_blank, is_quote, is_space, quoted_range};
use super::spelling::is_one_of;
use super::values::is_password;

/// The keys of the description of a field.
pub(super) const FIELDS: [&str; 4] = ["element", "locator", "placeholder", "selector"];

/// The keys of the text that is typed into it.
const TYPED: [&str; 2] = ["text", "value"];

/// The calls that type a text.
const TYPING_CALLS: [&str; 7] =
    ["fill", "pressSequentially", "send_keys", "sendKeys", "setValue", "type", "typeText"];

/// Whether a key is that of a typed text.
pub(super) fn is_typed(key: &str) -> bool {
    is_one_of(&TYPED, key)
}

/// The name of a secret in the description of a field: "Password textbox", "API key", `input[name=api_key]`.
pub(super) fn secret_in_description(text: &str) -> Option<&str> {
    let is_sign = |letter: char| !letter.is_alphanumeric() && !matches!(letter, '_' | '-');
    // Two words with a blank between them can be a name, too.
    let parts = text.split(|letter: char| is_sign(letter) && letter != ' ');
    parts.flat_map(|part| [part].into_iter().chain(part.split(' '))).find(|name| is_name(name))
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && names_secret(text) == Some(Name::Certain)
}

/// Of what secret the prompt is whose colon follows `end`: "[sudo] password for mira:", "Enter passphrase for key 'id':".
pub(super) fn kind_asked_for(scanner: Scanner<'_>, end: usize) -> Option<Name> {
    // The owner's path can have a part that is redacted.
    let scanner = Scanner { start: 0, ..scanner };
    // The word before the blank that ends at a place, and where the word begins.
    let word_before = |at| {
        let blank = scanner.within_back(at, 1, is_blank);
        let word = if blank < at { scanner.name_before(blank) } else { "" };
        (blank - word.len(), word)
    };
    let owner = scanner.within_back(end, MAX_WORD, |byte| !byte.is_ascii_whitespace());
    let (mut at, mut word) = word_before(owner);
    if ["key", "user"].contains(&word) {
        (at, word) = word_before(at);
    }
    let is_for = owner < end && word.eq_ignore_ascii_case("for");
    (is_for && names_secret(word_before(at).1) == Some(Name::Certain)).then_some(Name::Certain)
}

/// The text that a call such as `getByLabel("Password").fill("…")` types; `place` is the parenthesis of the last call.
pub(super) fn typed_text(scanner: Scanner<'_>, place: usize) -> Option<(usize, usize)> {
    let call = scanner.name_before(place);
    let dot = place.checked_sub(call.len() + 1)?;
    if !TYPING_CALLS.contains(&call) || scanner.byte(dot) != Some(b'.') {
        return None;
    }
    let begin = scanner.within_back(dot, MAX_WORD, |byte| !matches!(byte, b'\n' | b';'));
    let receiver = scanner.slice(scanner.text.ceil_char_boundary(begin), dot);
    let asks = receiver.ends_with(')') && secret_in_description(last_call(receiver)).is_some();
    let first = quoted_range(scanner, scanner.within(place + 1, MAX_WORD, is_space))?;
    if asks {
        return is_password(scanner.slice(first.0, first.1)).then_some(first);
    }
    // `page.fill("#password", "…")`
    secret_in_description(scanner.slice(first.0, first.1))?;
    let comma = scanner.within(first.1, 1, is_quote);
    let value = scanner.within(comma + 1, MAX_WORD, is_space);
    let second = quoted_range(scanner, value).filter(|_| scanner.byte(comma) == Some(b','))?;
    is_password(scanner.slice(second.0, second.1)).then_some(second)
}

/// The last call of a chain, with its arguments.
fn last_call(chain: &str) -> &str {
    chain.rfind('(').map_or("", |at| &chain[at..])
}

#[cfg(test)]
mod tests {
    use super::secret_in_description;
    use crate::redact::StreamRedactor;
    use crate::redact::patterns::tests::secrets;

    #[test]
    fn a_description_of_a_field_names_a_secret() {
        for (text, word) in [
            ("Password textbox", Some("Password")),
            ("input[name=api_key]", Some("api_key")),
            ("#login-password", Some("login-password")),
            ("API key", Some("API key")),
            ("Search field", None),
            ("Show passwords button", None),
            ("", None),
        ] {
            assert_eq!(secret_in_description(text), word, "{text}");
        }
    }

    #[test]
    fn what_is_typed_into_a_field_of_a_secret_is_one() {
        for (text, expected) in [
            ("page.getByLabel('Password').fill('hunter')", vec!["hunter"]),
            (
                "await page.getByPlaceholder(\"API key\").type(\"hunter2\"); page.fill('#password', 'hunter3')",
                vec!["hunter2", "hunter3"],
            ),
            ("driver.find_element(By.ID, \"passphrase\").send_keys(\"hunter4\")", vec!["hunter4"]),
            ("page.locator('input[name=password]').pressSequentially('hunter5')", vec!["hunter5"]),
        ] {
            assert_eq!(secrets(text), expected, "{text}");
        }
        for text in [
            "page.getByLabel('Name').fill('mira'); page.fill('#name', 'mira')",
            "page.getByLabel('Password').fill(password)",
            "page.getByLabel('Password').click(); page.getByLabel('Search').fill('mira')",
            "fill('password')",
        ] {
            assert_eq!(secrets(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn what_a_browser_tool_types_into_a_field_of_a_secret_is_one() {
        let hidden = "\"[redacted]\"";
        for (message, is_secret) in [
            (r#"{"element":"Password textbox","ref":"e12","text":"hunter"}"#, true),
            (r#"{"text":"hunter","element":"Password textbox"}"#, true),
            (r##"{"selector":"#password","value":"hunter"}"##, true),
            (r#"{"element":"Password textbox","text":"Enter your password"}"#, false),
            (r#"{"element":"Search","text":"hunter"}"#, false),
            (r#"{"element":"Password textbox","options":{"text":"hunter"}}"#, false),
            (r#"{"element":{"element":"Password"},"text":"hunter"}"#, false),
        ] {
            let clean = StreamRedactor::default().redact(message);
            assert_eq!(clean.is_some_and(|clean| clean.contains(hidden)), is_secret, "{message}");
        }
    }
}
