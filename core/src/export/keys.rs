//! Keys whose values are redacted.

/// The keys whose values never leave: in lower case, without `_` and `-`. The launcher's configuration holds scopes, roles and
/// token ids, and the paths are the server's (protocol section 4).
const SECRETS: [&str; 27] = [
    "apikey",
    "auth",
    "authorization",
    "bearer",
    "clientsecret",
    "configjson",
    "cookie",
    "cookies",
    "credential",
    "credentials",
    "jwt",
    "passwd",
    "password",
    "privatekey",
    "proxyauthorization",
    "scopes",
    "rootdir",
    "secret",
    "setcookie",
    "token",
    "tokenid",
    "userid",
    "vcsroot",
    "workflowpath",
    "workspaceroot",
    "xapikey",
    "xsmitherskey",
];

/// The keys whose values never leave where they are absolute paths: the machine's, not the run's. A path inside the run stays.
const PATHS: [&str; 10] = [
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

/// A key that ends so has a secret, unless it only says that there is one.
const ENDINGS: [&str; 8] =
    ["secret", "password", "passwd", "apikey", "accesskey", "secretkey", "privatekey", "passphrase"];

/// The same, but a number or a list is one of a model's tokens.
const TOKEN: &str = "token";

/// The names of headers whose values never leave, where name and value stand beside each other.
const HEADERS: [&str; 6] =
    ["authorization", "cookie", "proxyauthorization", "setcookie", "xapikey", "xsmitherskey"];

/// The keys of ids.
const IDS: [&str; 4] = ["id", "nodeid", "runid", "parentrunid"];

/// The form of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Text,
    Number,
    Object,
    Array,
    Bool,
    Null,
}

/// How the value of a key is exported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    Keep,
    Hide,
    /// Hidden where it is an absolute path.
    HidePath,
}

/// The built-in keys and those of the caller.
pub(super) struct Keys(Vec<String>);

impl Keys {
    /// The built-in keys and `more`.
    pub(super) fn new(more: &[&str]) -> Self {
        Self(more.iter().map(|key| plain(key.trim())).filter(|key| !key.is_empty()).collect())
    }

    /// The rule for a value of this shape.
    pub(super) fn rule(&self, key: &str, shape: Shape) -> Rule {
        let key = plain(key);
        let named = || SECRETS.contains(&key.as_str()) || self.0.contains(&key);
        let hidden = match shape {
            Shape::Null => false,
            _ if named() => true,
            Shape::Text if PATHS.contains(&key.as_str()) => return Rule::HidePath,
            Shape::Text | Shape::Object => ends(&key),
            Shape::Number | Shape::Array => ends(&key) && !key.ends_with(TOKEN),
            Shape::Bool => false,
        };
        if hidden { Rule::Hide } else { Rule::Keep }
    }
}

/// Whether a word in front of `=` names a secret.
pub(super) fn names_secret(word: &str) -> bool {
    ends(&plain(word))
}

/// Whether a word in front of `:` names a secret: `Unexpected token: "<"` is said of no secret.
pub(super) fn labels_secret(word: &str) -> bool {
    let word = plain(word);
    ends(&word) && word != TOKEN
}

/// Whether a text is the name of a header whose value never leaves.
pub(super) fn is_header(name: &str) -> bool {
    HEADERS.contains(&plain(name).as_str())
}

/// Whether the text under a key is what others refer to.
pub(super) fn is_id(key: &str) -> bool {
    IDS.contains(&plain(key).as_str())
}

fn ends(key: &str) -> bool {
    key.ends_with(TOKEN) || ENDINGS.iter().any(|ending| key.ends_with(ending))
}

/// Normalises a key: lower case, without `_` and `-`.
pub(super) fn plain(key: &str) -> String {
    key.chars()
        .filter(|letter| !matches!(letter, '_' | '-'))
        .map(|letter| letter.to_ascii_lowercase())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Keys, Rule, Shape, labels_secret, names_secret};

    #[test]
    fn a_key_and_the_shape_of_its_value_say_what_is_hidden() {
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
            ("totalTokens", vec![]),
            ("tokenizer", vec![]),
            ("key", vec![]),
            ("publicKey", vec![]),
            ("idempotencyKey", vec![]),
            ("passwordless", vec![]),
            ("", vec![]),
        ] {
            for shape in [Text, Number, Object, Array, Bool, Null] {
                let rule = if shapes.contains(&shape) { Rule::Hide } else { Rule::Keep };
                assert_eq!(keys.rule(key, shape), rule, "{key} {shape:?}");
            }
        }
        assert_eq!(Keys::new(&[]).rule("cwd", Text), Rule::HidePath);
        assert_eq!(Keys::new(&[]).rule("cwd", Object), Rule::Keep);
        assert_eq!(Keys::new(&[]).rule("file_path", Text), Rule::HidePath);
    }

    #[test]
    fn words_name_secrets() {
        for word in ["password", "AWS_SECRET_ACCESS_KEY", "x-api-key", "clientSecret", "accessToken"] {
            assert!(names_secret(word) && labels_secret(word), "{word}");
        }
        assert!(names_secret("token") && !labels_secret("token"));
        for word in ["", "tokens", "tokenizer", "key", "passwords", "secretary"] {
            assert!(!names_secret(word) && !labels_secret(word), "{word}");
        }
    }
}
