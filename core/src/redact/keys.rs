//! Keys whose values are redacted.

use super::codes::names_code;
use super::spelling::{is_one_of, normalize, normalized};
use crate::json::Token;

/// Keys whose values are secrets, in lower case, without `_` and `-`: they are always redacted.
pub(super) const SECRET_KEYS: [&str; 23] = [
    "apikey",
    "auth",
    "authorization",
    "bearer",
    "clientsecret",
    "cookie",
    "cookies",
    "credential",
    "credentials",
    "jsessionid",
    "jwt",
    "passwd",
    "password",
    "phpsessid",
    "privatekey",
    "proxyauthorization",
    "samlresponse",
    "secret",
    "setcookie",
    "token",
    "xapikey",
    "xauth",
    "xsmitherskey",
];

/// Keys whose values are always redacted, though they are no secrets. The launcher's configuration contains scopes, roles
/// and token ids; the paths are the server's (protocol section 4).
const PRIVATE_KEYS: [&str; 8] =
    ["configjson", "scopes", "rootdir", "tokenid", "userid", "vcsroot", "workflowpath", "workspaceroot"];

/// Keys whose values are redacted if they are absolute paths, which belong to the machine. Paths inside the run are kept.
const PATH_KEYS: [&str; 10] = [
    "artifactspath",
    "artifactsroot",
    "cwd",
    "filepath",
    "packagepath",
    "projectpath",
    "reporoot",
    "stateroot",
    "workingdirectory",
    "worktreepath",
];

/// A key with one of these endings has a secret value, but not if the value is a boolean.
pub(super) const SECRET_ENDINGS: [&str; 41] = [
    "secret",
    "password",
    "passwd",
    "apikey",
    "accesskey",
    "secretkey",
    "privatekey",
    "passphrase",
    "accountkey",
    "basicauth",
    "authkey",
    "clientkeydata",
    "deploykey",
    "encryptionkey",
    "functionskey",
    "hmackey",
    "integrationkey",
    "jsessionid",
    "licensekey",
    "masterkey",
    "passwordhash",
    "passwordvalue",
    "phpsessid",
    "privatekeypem",
    "samlresponse",
    "secretstring",
    "secretvalue",
    "sessionkey",
    "sharedkey",
    "signingkey",
    "seedphrase",
    "sshkey",
    "storagekey",
    "subscriptionkey",
    "tokenvalue",
    "webhookurl",
    "bindpw",
    "rootpw",
    "requirepass",
    "masterauth",
    "secretkeybase",
];

/// Last words of names whose values can be secrets, but also counts, paths and words of a sentence: `DB_PASS`, `Pwd`, and
/// passwords in German, French, Spanish and Dutch.
const WEAK_WORDS: [&str; 9] =
    ["pass", "psw", "pwd", "pw", "passwort", "kennwort", "passe", "contrasena", "wachtwoord"];

/// Maximum length of an ending, bytes.
const MAX_ENDING: usize = 24;

/// The last two letters of the names of secrets.
const LAST_LETTERS: [[u8; 2]; 19] = [
    *b"em", *b"en", *b"et", *b"ey", *b"id", *b"ng", *b"pw", *b"rd", *b"rl", *b"se", *b"sh", *b"ss", *b"sw",
    *b"ta", *b"th", *b"ue", *b"wd", *b"na", *b"rt",
];

/// A key whose values are redacted unless they are a number or a list, which count a model's tokens.
const TOKEN: &str = "token";

/// Names of headers with secret values.
const HEADERS: [&str; 9] = [
    "authorization",
    "cookie",
    "ocpapimsubscriptionkey",
    "proxyauthorization",
    "setcookie",
    "xapikey",
    "xauth",
    "xfunctionskey",
    "xsmitherskey",
];

/// Keys of references to ids, besides those that end in `Id` or `Ids`, once normalised.
const REFERENCES: [&str; 5] = ["dependson", "entrystep", "lastroutetarget", "needs", "resetnodes"];

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    Text,
    Number,
    Object,
    Array,
    Bool,
    Null,
}

impl Shape {
    /// The type of the value that begins with this token.
    pub(crate) fn from_token(token: Option<Token<'_>>) -> Self {
        match token {
            Some(Token::String(_)) => Self::Text,
            Some(Token::Number(_)) => Self::Number,
            Some(Token::ObjectStart) => Self::Object,
            Some(Token::ArrayStart) => Self::Array,
            Some(Token::Bool) => Self::Bool,
            // No other token begins a value.
            Some(Token::Null | Token::Key(_) | Token::ObjectEnd | Token::ArrayEnd) | None => Self::Null,
        }
    }
}

/// How a value is redacted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    Keep,
    /// Redacted, whatever it is.
    Hide,
    /// Redacted, unless it is the place of a secret.
    HideSecret,
    /// Redacted if it looks like a password.
    HidePassword,
    /// Redacted if it is a code that a person types.
    HideCode,
    /// Redacted if it is an absolute path.
    HidePath,
}

/// The built-in keys and the caller's.
#[derive(Default)]
pub(crate) struct Keys(Vec<String>);

impl Keys {
    /// The built-in keys and `more`.
    pub(crate) fn new(more: &[&str]) -> Self {
        Self(more.iter().map(|key| normalize(key.trim())).filter(|key| !key.is_empty()).collect())
    }

    /// Whether the caller hides the ids under a key.
    pub(super) fn hides_ids(&self, key: &str) -> bool {
        is_id(key) && self.0.contains(&normalize(key))
    }

    /// The rule for a value of this type.
    pub(crate) fn rule(&self, key: &str, shape: Shape) -> Rule {
        let name = key;
        let key = normalize(key);
        let hidden = || PRIVATE_KEYS.contains(&key.as_str()) || self.0.contains(&key);
        let is_secret = match shape {
            Shape::Null => return Rule::Keep,
            _ if hidden() => return Rule::Hide,
            _ if SECRET_KEYS.contains(&key.as_str()) => true,
            Shape::Text if PATH_KEYS.contains(&key.as_str()) => return Rule::HidePath,
            Shape::Text if is_weak(name) => return Rule::HidePassword,
            Shape::Text | Shape::Number if names_code(name) => return Rule::HideCode,
            Shape::Text | Shape::Object => ends_like_secret(name) && has_secret_ending(&key),
            Shape::Number | Shape::Array => has_secret_ending(&key) && !without_number(&key).ends_with(TOKEN),
            Shape::Bool => false,
        };
        if is_secret { Rule::HideSecret } else { Rule::Keep }
    }
}

/// How surely a name is that of a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Name {
    Certain,
    /// `token`, which is also a part of a text, or a count.
    Token,
    /// One of `WEAK_WORDS`.
    Weak,
    /// A code that a person types.
    Code,
}

/// Whether a word before a value names a secret.
pub(super) fn names_secret(word: &str) -> Option<Name> {
    if !ends_like_secret(word) {
        return names_code(word).then_some(Name::Code);
    }
    let mut letters = [0; MAX_ENDING];
    let name = last_letters(word, &mut letters);
    if name.ends_with(TOKEN) {
        Some(Name::Token)
    } else if has_secret_ending(name) {
        Some(Name::Certain)
    } else {
        is_weak(word).then_some(Name::Weak)
    }
}

/// The last letters of a normalised name, without the number at its end. Names are looked at so often that a copy of each is slow.
fn last_letters<'a>(name: &str, letters: &'a mut [u8; MAX_ENDING]) -> &'a str {
    let mut begin = MAX_ENDING;
    for letter in normalized(name).rev().skip_while(char::is_ascii_digit).take(MAX_ENDING) {
        begin -= 1;
        letters[begin] = u8::try_from(letter).ok().filter(u8::is_ascii).unwrap_or(b'?');
    }
    str::from_utf8(&letters[begin..]).unwrap_or_default()
}

/// Whether the last two letters of a word are those of a name of a secret. Most words are no such names, and are found to be none
/// without a copy.
fn ends_like_secret(word: &str) -> bool {
    let mut letters =
        word.bytes().rev().filter(u8::is_ascii_alphabetic).map(|byte| byte.to_ascii_lowercase());
    let (last, before) = (letters.next(), letters.next());
    before.zip(last).is_some_and(|(before, last)| LAST_LETTERS.contains(&[before, last]))
}

/// Whether a key is `token`, whose value is also a count, or no secret: `Unexpected token: "<"`.
pub(super) fn names_token(key: &str) -> bool {
    is_one_of(&[TOKEN], key)
}

/// Whether the last word of a name is a weak one: `DB_PASS`, `dbPwd`, but not `bypass`.
fn is_weak(name: &str) -> bool {
    WEAK_WORDS.iter().any(|word| ends_with_word(name, word))
}

/// Whether the last word of a name is this one: `node_id`, `nodeId`, but not `paid`.
fn ends_with_word(name: &str, word: &str) -> bool {
    let Some(split) = name.len().checked_sub(word.len()).filter(|at| name.is_char_boundary(*at)) else {
        return false;
    };
    let (before, last) = name.split_at(split);
    let starts_word = before.is_empty()
        || before.ends_with(['_', '-', '.'])
        || before.ends_with(|letter: char| letter.is_ascii_lowercase())
            && last.starts_with(|letter: char| letter.is_ascii_uppercase());
    starts_word && last.eq_ignore_ascii_case(word)
}

/// Whether a header of this name has a secret value.
pub(super) fn is_header(name: &str) -> bool {
    is_one_of(&HEADERS, name)
}

/// Whether the value of a key is an id, to which other values refer, or a list of ids.
pub(super) fn is_id(key: &str) -> bool {
    is_one_of(&REFERENCES, key) || ["id", "ids"].iter().any(|word| ends_with_word(key, word))
}

/// A name without the number at its end: `password2`.
fn without_number(name: &str) -> &str {
    name.trim_end_matches(|letter: char| letter.is_ascii_digit())
}

fn has_secret_ending(key: &str) -> bool {
    let key = without_number(key);
    key.ends_with(TOKEN) || SECRET_ENDINGS.iter().any(|ending| key.ends_with(ending))
}

#[cfg(test)]
mod tests {
    use super::{
        Keys, Name, Rule, SECRET_ENDINGS, Shape, TOKEN, WEAK_WORDS, is_id, names_secret, names_token,
    };

    #[test]
    fn redaction_depends_on_the_key_and_the_type_of_its_value() {
        use Shape::{Array, Bool, Null, Number, Object, Text};
        let keys = Keys::new(&["cwd", " Team_Name ", ""]);
        for (key, shapes) in [
            ("token", vec![Text, Number, Object, Array, Bool]),
            ("team-name", vec![Text, Number, Object, Array, Bool]),
            ("CWD", vec![Text, Number, Object, Array, Bool]),
            ("accessToken", vec![Text, Object]),
            ("dbPassword", vec![Text, Number, Object, Array]),
            ("client_api_key", vec![Text, Number, Object, Array]),
            ("secretAccessKey", vec![Text, Number, Object, Array]),
            ("sshPrivateKey", vec![Text, Number, Object, Array]),
            ("passphrase", vec![Text, Number, Object, Array]),
            ("API key", vec![Text, Number, Object, Array, Bool]),
            ("password\u{200b}", vec![Text, Number, Object, Array, Bool]),
            ("password2", vec![Text, Number, Object, Array]),
            ("token1", vec![Text, Object]),
            ("totalTokens", vec![]),
            ("tokenizer", vec![]),
            ("key", vec![]),
            ("publicKey", vec![]),
            ("idempotencyKey", vec![]),
            ("passwordless", vec![]),
            ("", vec![]),
        ] {
            let private = matches!(key, "team-name" | "CWD");
            for shape in [Text, Number, Object, Array, Bool, Null] {
                let hide = if private { Rule::Hide } else { Rule::HideSecret };
                let rule = if shapes.contains(&shape) { hide } else { Rule::Keep };
                assert_eq!(keys.rule(key, shape), rule, "{key} {shape:?}");
            }
        }
        assert_eq!(Keys::new(&[]).rule("db_pass", Text), Rule::HidePassword);
        assert_eq!(Keys::new(&[]).rule("cwd", Text), Rule::HidePath);
        assert_eq!(Keys::new(&[]).rule("cwd", Object), Rule::Keep);
        assert_eq!(Keys::new(&[]).rule("file_path", Text), Rule::HidePath);
    }

    #[test]
    fn every_name_of_a_secret_has_known_last_letters() {
        for name in SECRET_ENDINGS.iter().chain(&WEAK_WORDS).chain(&[TOKEN]) {
            assert!(names_secret(name).is_some(), "{name}");
            assert!(names_secret(&name.to_ascii_uppercase()).is_some(), "{name}");
        }
    }

    #[test]
    fn ids_have_their_own_keys() {
        for key in ["id", "runId", "parent_run_id", "last_step_id", "parkedNodeIds", "dependsOn", "step-ID"] {
            assert!(is_id(key), "{key}");
        }
        for key in ["", "paid", "valid", "ids of runs", "idle", "identity", "status"] {
            assert!(!is_id(key), "{key}");
        }
    }

    #[test]
    fn words_name_secrets() {
        for word in ["password", "AWS_SECRET_ACCESS_KEY", "x-api-key", "clientSecret", "accessToken"] {
            assert!(names_secret(word).is_some() && !names_token(word), "{word}");
        }
        assert!(names_secret("token") == Some(Name::Token) && names_token("token"));
        for word in ["pass", "DB_PASS", "dbPwd", "PWD", "user-pw"] {
            assert_eq!(names_secret(word), Some(Name::Weak), "{word}");
        }
        for word in
            ["", "tokens", "tokenizer", "key", "passwords", "secretary", "bypass", "compass", "passed"]
        {
            assert!(names_secret(word).is_none(), "{word}");
        }
    }
}
