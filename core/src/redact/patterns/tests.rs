//! Tests the secrets of running text, and finds them for the tests of its parts.

use super::{PathRule, Secrets};
use crate::redact::keys::Keys;
use crate::redact::private_keys::KeyLines;

/// The byte ranges of the secrets.
pub(crate) fn all(text: &str, keys: &Keys, paths: PathRule) -> Vec<(usize, usize)> {
    let mut secrets = Secrets::new(text, keys, paths, KeyLines::default(), None);
    std::iter::from_fn(|| secrets.next()).collect()
}

/// The secrets of a text; checks that the redacted text has them at the same positions.
pub(crate) fn secrets(text: &str) -> Vec<&str> {
    let find = |text| all(text, &Keys::new(&["Team_Name"]), PathRule::Redact);
    let found = find(text);
    let (mut clean, mut at) = (String::new(), 0);
    for (begin, end) in &found {
        assert!(*begin >= at && end > begin, "{text}");
        clean.extend([&text[at..*begin], "[redacted]"]);
        at = *end;
    }
    clean.push_str(&text[at..]);
    let again = find(&clean);
    assert!(again.iter().all(|(begin, end)| &clean[*begin..*end] == "[redacted]"), "{text}: {clean}");
    assert_eq!(again.len(), found.len(), "{text}: {clean}");
    found.iter().map(|(begin, end)| &text[*begin..*end]).collect()
}

#[test]
fn text_after_a_marker_is_a_secret() {
    for (text, expected) in [
        ("Bearer abc.def, BEARER x", vec!["abc.def", "x"]),
        ("authorization: Basic dXNlcg==", vec!["dXNlcg=="]),
        ("x-api-key: k1\nX-Smithers-Key: k2", vec!["k1", "k2"]),
        ("?token=a&password=b&client_secret=c&api_key=d#e", vec!["a", "b", "c", "d#e"]),
        ("AWS_SECRET_ACCESS_KEY=a ssh-private-key=b PASSPHRASE=c", vec!["a", "b", "c"]),
        ("postgres://mira:p%40ss@db:5432/x", vec!["p%40ss"]),
        ("redis://:pw@h", vec!["pw"]),
        ("https://Zk4tQ9sesame7Xw2@h:80/x", vec!["Zk4tQ9sesame7Xw2"]),
        ("Bearer a Bearer b", vec!["a", "b"]),
        ("password=xbearer tok", vec!["xbearer"]),
        ("Authorization: token abc, bearer `k1`", vec!["abc", "k1"]),
        ("run --token abc123 --password hunter2", vec!["abc123", "hunter2"]),
        ("password: hunter2, api_key: k12345", vec!["hunter2", "k12345"]),
    ] {
        assert_eq!(secrets(text), expected, "{text}");
    }
    for text in [
        "token = b",
        "bearer",
        "basic training",
        "password: unset",
        "the password is not in the text",
        "token=",
        "Bearer , x",
        "totalTokens=8, tokenizer=bpe",
        "key=value",
        "commit 174789f4c2d4a0e5b1c6d7e8f90123456789abcd",
        "http://example.org:80/a@b:c",
        "https://user@example.org",
        "https://example.org:8080/Zk4tQ9sesame7Xw2@h",
        "urn://:@x",
        "A bearer token is required. Bearer authentication: none",
        "use bearer `li studio` for it",
        "--token is missing, the --token flag",
        "password: required, token: src/token/parse2.ts",
        "Unexpected token: 12345",
    ] {
        assert_eq!(secrets(text), Vec::<&str>::new(), "{text}");
    }
}

#[test]
fn text_in_quotes_is_a_secret_as_a_whole() {
    for (text, expected) in [
        (r#"password="x y" token='z' n"#, vec!["x y", "z"]),
        (r#"secret="a\"b" c"#, vec![r#"a\"b"#]),
        (r#"secret="a\\" c"#, vec![r"a\\"]),
        (r#"password=\"x y\" z"#, vec!["x y"]),
        (r#"password = "x", token == 'y'"#, vec!["x", "y"]),
        ("password=\"the rest\nof it", vec!["the rest\nof it"]),
        ("{ apiKey: 'k', accessToken: \"t\" }", vec!["k", "t"]),
        (r#"apiKey: \"k\" z"#, vec!["k"]),
    ] {
        assert_eq!(secrets(text), expected, "{text}");
    }
    for text in [
        "password=\"\" x",
        "password=\n\"x\"",
        "password:\n\"x\"",
        "Unexpected token: \"<\"",
        "Unexpected token '<', \"<!DOCTYPE\" is not valid JSON",
        "a <= \"b\"",
        "tokenizer='bpe' key=\"value\"",
        "the tokens: \"a\"",
    ] {
        assert_eq!(secrets(text), Vec::<&str>::new(), "{text}");
    }
}

#[test]
fn values_of_keys_are_secrets_wherever_json_begins_and_ends() {
    for (text, expected) in [
        (r#"error: {"apiKey":"k"}"#, vec!["k"]),
        ("{\"apiKey\":\"k\"}\n{\"api_key\" : \"l\"}", vec!["k", "l"]),
        (r#"{"a":{"password":"cut of"#, vec!["cut of"]),
        (r#"x {\"apiKey\":\"k\\\"l\\\\\",\"a\":1}"#, vec![r#"k\\\"l\\\\"#]),
        (r#"\\\"token\\\":\\\"t\\\","#, vec!["t"]),
        ("{'password': 'it', \"b\": 1}", vec!["it"]),
        (r#"1 {"accessToken":{"value":"}x"},"b":1}"#, vec![r#"{"value":"}x"}"#]),
        (r#"1 {\"auth\":{\"v\":\"a}\",\"w\":[{}]},\"b\":1}"#, vec![r#"{\"v\":\"a}\",\"w\":[{}]}"#]),
        (r#"1 {"dbPassword":1234,"scopes":["a]"],"userId":7}"#, vec!["1234", r#"["a]"]"#, "7"]),
        (r#"1 {"secret":["cut"#, vec![r#"["cut"#]),
        (r#"1 {"team-name":true}"#, vec!["true"]),
        (r#"1 {"cwd":"/plan/x","filePath":"C:\\x"}"#, vec!["/plan/x", r"C:\\x"]),
        (r#"1 {"other":"[redacted] b","b":[redacted-2]}"#, vec!["[redacted]", "[redacted-2]"]),
    ] {
        assert_eq!(secrets(text), expected, "{text}");
    }
    for text in [
        r#"1 {"totalTokens":8,"totalToken":9,"tokens":["a"],"maxToken":[1],"tokenizer":"bpe"}"#,
        r#"1 {"key":"value","hasPassword":true,"password":null,"secret":"","token":}"#,
        r#"1 {"cwd":"src","note":"see \"password\" there"}"#,
        r#"the "password": never"#,
        r#"{"sha":"174789f4c2d4a0e5b1c6d7e8f90123456789abcd"#,
    ] {
        assert_eq!(secrets(text), Vec::<&str>::new(), "{text}");
    }
}

#[test]
fn many_secrets_take_one_pass() {
    // The time must grow linearly: with a search to the end for every secret, this would not finish.
    for part in [
        "token=a ",
        "/home/a ",
        "C:\\a\\b ",
        "://a:b@c ",
        "password=\"a\" ",
        "\"key\":\"",
        "://",
        "'a':'[redacted] ",
        "token: ",
        "token= ",
        "token=&",
        "/srv/",
        "C:\\Users\\ ",
        "cookie:",
        "Cookie: ",
        "Authorization: a ",
        "token%3D",
        "curl -u a:",
        "-----BEGIN ",
    ] {
        let text = part.repeat(10_000);
        assert!(all(&text, &Keys::new(&[]), PathRule::Redact).len() <= 10_000, "{part}");
    }
}
