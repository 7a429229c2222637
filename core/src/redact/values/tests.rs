//! Tests what values look like.

use super::{is_expression, is_placeholder, is_random, looks_secret};

#[test]
fn placeholders_are_distinguished_from_secrets() {
    for value in [
        "true",
        "NULL",
        "undefined",
        "none",
        "EOF",
        "xxxx",
        "XXXXXX",
        "****",
        "......",
        "$1",
        "$DB_PASSWORD",
        "$token",
        "${TOKEN}",
        "${process.env.X}",
        "{{secrets.TOKEN}}",
        "{{ .Values.x1 }}",
        "${{ secrets.A1 }}",
        "%TOKEN%",
        "%s",
        "@PASSWORD@",
        "{}",
        "{0}",
        "{token}",
        "<your token>",
        "process.env.API_KEY1",
        "os.environ[\"A1\"]",
        "$(cat x1)",
        "$GITHUB_TOKEN2",
        "$S3_BUCKET_1",
        "$dbPassword",
        "%API_KEY2%",
        "your-api-key",
        "YOUR_TOKEN_HERE",
        "yourApiKey",
        "replace-me",
        "a[redacted]1",
    ] {
        assert!(is_placeholder(value) && !looks_secret(value), "{value}");
    }
    for value in [
        "hunter2",
        "$ecret1",
        "a",
        "%abc1",
        "<abc1>",
        "xyxy",
        "@b1@c",
        "nonesuch1",
        "1234567",
        "your-api-key-1",
        "yours",
        "replaced",
        "$A1b2C3d4",
        "[redacted]",
    ] {
        assert!(!is_placeholder(value), "{value}");
    }
}

#[test]
fn expressions_are_distinguished_from_secrets() {
    for word in [
        "tokens[0].value",
        "tokens[i2]",
        "getToken2(",
        "read(file1",
        "this.token2",
        "response.data2.token",
        "req?.auth1?.token",
        "Config2::load(x",
        "$this->token2",
        "headers2[",
    ] {
        assert!(is_expression(word), "{word}");
    }
    for word in
        ["hunter2", "p4ss(w0rd", "a1b2c3.d4e5f6", "ab[c-1]d", "abc.def1", "a1[2]b", "pass:::1", "(a1b2c3"]
    {
        assert!(!is_expression(word), "{word}");
    }
}

#[test]
fn random_texts_are_distinguished_from_other_variables() {
    for value in ["Zk4tQ9sesame7Xw2", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"] {
        assert!(is_random(value), "{value}");
    }
    for value in [
        "v20.11.1-Slim-Bookworm",
        "us-east-1",
        "web-7d9f8c6b5d-x2x4z",
        "/Library/Java/jdk21/Home",
        "174789f4c2d4a0e5b1c6d7e8f90123456789abcd",
        "https://H1.example/Path",
        "${GITHUB_Token1}",
    ] {
        assert!(!is_random(value), "{value}");
    }
}

#[test]
fn a_word_looks_secret_if_it_is_neither_prose_nor_a_path() {
    for word in ["abc123", "hunter2", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "8ep/z966wfslu=="] {
        assert!(looks_secret(word), "{word}");
    }
    for word in ["abc12", "abcdef", "123456", "src/token/parse2.ts", "src/token/of/a/long/name/parse2.ts"] {
        assert!(!looks_secret(word), "{word}");
    }
}
