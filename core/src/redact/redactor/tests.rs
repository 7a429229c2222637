//! Tests the redaction of JSON values and of texts in them.

use super::{PathRule, Redactor};
use crate::json::Slice;

fn clean(text: &str) -> (String, u64) {
    let mut redactor = Redactor::new(&["Team_Name"], PathRule::Redact);
    let out = redactor.json(Slice::from_text(text).unwrap());
    assert!(Slice::from_text(&out).is_ok(), "{out}");
    let mut again = Redactor::new(&["Team_Name"], PathRule::Redact);
    assert_eq!(again.json(Slice::from_text(&out).unwrap()), out, "once is enough");
    assert_eq!(again.count, redactor.count, "{out}");
    (out, redactor.count)
}

#[test]
fn secrets_are_redacted() {
    for (text, expected) in [
        (r#"{ "configJson" : "{}", "a":1 }"#, r#"{"configJson":"[redacted]","a":1}"#),
        (
            r#"{"workflow_path":"/p","auth":{"token":"t"}}"#,
            r#"{"workflow_path":"[redacted]","auth":"[redacted]"}"#,
        ),
        (
            r#"{"ParameterKey":"DbPassword","ParameterValue":"x"}"#,
            r#"{"ParameterKey":"DbPassword","ParameterValue":"[redacted]"}"#,
        ),
        (
            r#"{"headers":{"X-Auth":"x"},"Passwort":"hunter"}"#,
            r#"{"headers":{"X-Auth":"[redacted]"},"Passwort":"[redacted]"}"#,
        ),
        (r#"{"Authorization":"Bearer x"}"#, r#"{"Authorization":"[redacted]"}"#),
        (r#"{"value":"bearer abc, d"}"#, r#"{"value":"bearer [redacted], d"}"#),
        (r#"["http://h/x?token=abc&next=1"]"#, r#"["http://h/x?token=[redacted]&next=1"]"#),
        (r#"{"githubToken":"ghp"}"#, r#"{"githubToken":"[redacted]"}"#),
        (r#"{"team-name":["a"]}"#, r#"{"team-name":"[redacted]"}"#),
        (
            r#"{"headers":[{"name":"Authorization","value":"x"},["set-cookie","y"]]}"#,
            r#"{"headers":[{"name":"Authorization","value":"[redacted]"},["set-cookie","[redacted]"]]}"#,
        ),
        (
            r#"{"rawHeaders":["Host","h","Authorization","x","Cookie","a=b"]}"#,
            r#"{"rawHeaders":["Host","h","Authorization","[redacted]","Cookie","[redacted]"]}"#,
        ),
        (r#"["cli","--token","t","--quiet","-"]"#, r#"["cli","--token","[redacted]","--quiet","-"]"#),
        (
            r#"{"env":[{"name":"GITHUB_TOKEN","value":"x"},{"key":"team-name","value":7}]}"#,
            r#"{"env":[{"name":"GITHUB_TOKEN","value":"[redacted]"},{"key":"team-name","value":"[redacted]"}]}"#,
        ),
        (
            r#"{"name":"API_TOKEN","meta":{"name":"a"},"type":"b","value":"x"}"#,
            r#"{"name":"API_TOKEN","meta":{"name":"a"},"type":"b","value":"[redacted]"}"#,
        ),
        (r#"{"jwt":"a","credential":{"b":"c"}}"#, r#"{"jwt":"[redacted]","credential":"[redacted]"}"#),
        (
            r#"{"run":"smithers up /project/flows/a.tsx"}"#,
            r#"{"run":"smithers up /project/[redacted]/a.tsx"}"#,
        ),
        (r#"{"metaJson":"{\"apiKey\":\"k\"}"}"#, r#"{"metaJson":"{\"apiKey\":\"[redacted]\"}"}"#),
        (r#"{"artifacts_path":"/srv/a"}"#, r#"{"artifacts_path":"[redacted]"}"#),
        (r#"{"cwd":"C:\\work"}"#, r#"{"cwd":"[redacted]"}"#),
        (
            r#"{"/home/a/x":1,"/home/b/x":2,"/home/a/y":"/home/b"}"#,
            r#"{"/home/[redacted]/x":1,"/home/[redacted-2]/x":2,"/home/[redacted]/y":"/home/[redacted]"}"#,
        ),
        (
            r#"{"trace":"File \"/home/mira/x.py\", line 3\nFile \"/home/mira/y.py\""}"#,
            r#"{"trace":"File \"/home/[redacted]/x.py\", line 3\nFile \"/home/[redacted]/y.py\""}"#,
        ),
        (
            r#"{"/Users/mira/x":["C:\\Users\\mira\\y"]}"#,
            r#"{"/Users/[redacted]/x":["C:\\Users\\[redacted]\\y"]}"#,
        ),
        (
            r#"{"detailJson":"{\"at\":\"/home/mira/z\"}"}"#,
            r#"{"detailJson":"{\"at\":\"/home/[redacted]/z\"}"}"#,
        ),
        (r#"{"file_path":"file:///srv/a"}"#, r#"{"file_path":"[redacted]"}"#),
        (
            r#"{"accessToken":{"value":"x"},"dbPassword":1234,"apiKey":["k"]}"#,
            r#"{"accessToken":"[redacted]","dbPassword":"[redacted]","apiKey":"[redacted]"}"#,
        ),
        (
            r#"{"secretAccessKey":"a","sshPrivateKey":"b","passphrase":"c"}"#,
            r#"{"secretAccessKey":"[redacted]","sshPrivateKey":"[redacted]","passphrase":"[redacted]"}"#,
        ),
        (r#"{"body":" { \"apiKey\" : \"k\" }"}"#, r#"{"body":"{\"apiKey\":\"[redacted]\"}"}"#),
        (
            r#"{"out":"{\"apiKey\":\"k\"}\n{\"rootDir\":\"/srv/a\"}"}"#,
            r#"{"out":"{\"apiKey\":\"[redacted]\"}\n{\"rootDir\":\"[redacted]\"}"}"#,
        ),
        (r#"{"message":"error: {\"apiKey\":\"k\"}"}"#, r#"{"message":"error: {\"apiKey\":\"[redacted]\"}"}"#),
        (
            r#"{"cut":"{\"metaJson\":\"{\\\"apiKey\\\":\\\"k"}"#,
            r#"{"cut":"{\"metaJson\":\"{\\\"apiKey\\\":\\\"[redacted]"}"#,
        ),
        (r#"{"log":"password=\"x y\" z"}"#, r#"{"log":"password=\"[redacted]\" z"}"#),
        // With the secret it was not valid JSON.
        (r#"{"odd":"{ \"password\" : \"\\q\" }"}"#, r#"{"odd":"{ \"password\" : \"[redacted]\" }"}"#),
        (r#"{"message":"no /srv/acme/x.db"}"#, r#"{"message":"no /srv/[redacted]/x.db"}"#),
        (r#"{"/srv/a/x":1,"/srv/b/x":2}"#, r#"{"/srv/[redacted]/x":1,"/srv/[redacted-2]/x":2}"#),
        (
            r#"{"runId":"password=a1b2c3","parentRunId":"password=d4e5f6","dependsOn":["password=d4e5f6","x"],"at":["password=a1b2c3"]}"#,
            r#"{"runId":"password=[redacted]","parentRunId":"password=[redacted-2]","dependsOn":["password=[redacted-2]","x"],"at":["password=[redacted]"]}"#,
        ),
        (
            r#"[{"id":"{\"token\":\"a\"}"},{"id":"{\"token\":\"b\"}"}]"#,
            r#"[{"id":"{\"token\":\"[redacted]\"}"},{"id":"{\"token\":\"[redacted-2]\"}"}]"#,
        ),
        (
            r#"{"nodeId":"/home/mira","at":["/srv/a/b"]}"#,
            r#"{"nodeId":"/home/[redacted]","at":["/srv/[redacted]/b"]}"#,
        ),
    ] {
        let (out, count) = clean(text);
        assert_eq!(out, expected);
        assert!(count > 0);
    }
}

#[test]
fn json_too_deep_inside_json_is_redacted() {
    let nested = |depth| (0..depth).fold(r#"{"a":1}"#.to_owned(), |inner, _| json(&[("a", &inner)]));
    for (depth, expected) in [(1, 0), (3, 0), (4, 1), (6, 1)] {
        let (out, count) = clean(&nested(depth));
        assert_eq!((out.contains("[redacted]"), count), (expected > 0, expected), "{depth}");
    }
    let deep = (0..5).fold(r#"{"apiKey":"sesame"}"#.to_owned(), |inner, _| json(&[("a", &inner)]));
    assert!(!clean(&deep).0.contains("sesame"));
}

fn json(fields: &[(&str, &str)]) -> String {
    serde_json::to_string(&fields.iter().copied().collect::<std::collections::BTreeMap<_, _>>()).unwrap()
}

#[test]
fn a_named_key_hides_its_value_whatever_it_is() {
    for text in [r#"{"cwd":"src"}"#, r#"{"cwd":"/srv"}"#, r#"{"C_WD":["a"]}"#, r#"{"cwd":true}"#] {
        let mut redactor = Redactor::new(&["cwd"], PathRule::Redact);
        let out = redactor.json(Slice::from_text(text).unwrap());
        assert!(out.ends_with(r#":"[redacted]"}"#), "{out}");
        assert_eq!(redactor.count, 1);
    }
    for text in [r#"{"cwd":null}"#, r#"{"cwds":"src"}"#] {
        assert_eq!(Redactor::new(&["cwd"], PathRule::Redact).json(Slice::from_text(text).unwrap()), text);
    }
    let mut redactor = Redactor::new(&["run_id", "name"], PathRule::Redact);
    assert_eq!(redactor.field("runId", "r1"), "[redacted]");
    assert_eq!(redactor.field("runId", "[redacted]"), "[redacted]");
    assert_eq!(redactor.field("runId", "r2"), "[redacted-2]");
    assert_eq!(redactor.json(Slice::new(r#"{"runId":"r2"}"#)), r#"{"runId":"[redacted-2]"}"#);
    assert_eq!((redactor.field("name", "r1"), redactor.count), ("r1".to_owned(), 4));
}

#[test]
fn earlier_redactions_of_named_keys_are_counted() {
    let (out, count) =
        clean(r#"{"teamName":"a","other":["[redacted]"],"out":"1 {\"teamName\":\"a\",\"team_name\":7}"}"#);
    let mut again = Redactor::new(&[], PathRule::Redact);
    assert_eq!((again.json(Slice::from_text(&out).unwrap()), again.count), (out, count));
    assert_eq!(count, 4);
}

#[test]
fn a_column_of_a_table_whose_name_is_that_of_a_secret_is_redacted() {
    let table =
        r#"{"columns":["user","password","n"],"rows":[["mira","x",1],[null,"y","z"],["a","[redacted]"]]}"#;
    let expected = r#"{"columns":["user","password","n"],"rows":[["mira","[redacted]",1],[null,"[redacted]","z"],["a","[redacted]"]]}"#;
    assert_eq!(clean(table).0, expected);
}

#[test]
fn everything_else_stays_as_it_was_written() {
    for text in [
        r#"{"inputTokens":7,"totalToken":8,"token":null,"a":[1.50,-0,1e5,"ü\u00fc\ud83d",true,{}]}"#,
        r#"{"errorJson":"{ \"a\" : 1 }","note":"a token = b","b":"{broken"}"#,
        r#"{"columns":["password","user"],"rows":{"a":["x","y"]},"items":[["x","y"]]}"#,
        r#"{"columns":["password","user"],"rows":[[["x"],"y"],[{"a":"x"},"y"]],"data":"x"}"#,
        "[]",
        r#""text""#,
        r#"{"artifacts_path":"artifacts/a","cwd":".","file_path":"src/a.py","worktree_path":null,"package_path":7}"#,
        r#"{"trace":"File \"/usr/lib/x.py\", see https://example.org/home/page"}"#,
        r#"{"nodeId":"/data/review/step","id":"/data/plan/step","key":"value","at":["/review/step"]}"#,
        r#"{"secret":false,"token":true,"password":"","apiKey":" ","headers":{"authorization":""}}"#,
        r#"{"hasPassword":true,"tokenizer":"bpe","totalTokens":8,"maxToken":[8],"apiKey":null}"#,
        r#"{"note":"the password was wrong","sha":"174789f4c2d4a0e5b1c6d7e8f90123456789abcd"}"#,
        r#"{"body":" { \"a\" : 1 }","out":"{\"a\":1}\n{\"key\":\"value\"}"}"#,
        r#"{"":{"":[[],[]]}}"#,
        r#"["authorization","cookie","x-api-key"]"#,
        r#"{"rawHeaders":["x","Cookie","Host","h"],"argv":["--token","--quiet","a"]}"#,
        r#"{"kind":"token","value":"comma"}"#,
        r#"[{"name":"API_TOKEN"},{"value":"a"},["name","API_TOKEN"],{"value":"b"}]"#,
        r#"{"name":"maxToken","value":8,"id":"token"}"#,
    ] {
        assert_eq!(clean(text), (text.to_owned(), 0));
    }
}

/// The texts of events, each with other members, in the order of a log.
fn events(texts: &[&str]) -> String {
    let event = |text: &&str| {
        format!(r#"{{"type":"NodeOutput","nodeId":"a1","text":{},"at":7}}"#, serde_json::json!(text))
    };
    format!("[{}]", texts.iter().map(event).collect::<Vec<_>>().join(","))
}

#[test]
fn a_secret_that_is_split_over_texts_is_redacted() {
    const LINE: &str = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcw";
    let (begin, end) = ("-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----");
    for (texts, secrets) in [
        (vec![begin, LINE, "aB1c=", end, "done"], vec![LINE, "aB1c="]),
        (vec!["key: -----BEGIN RSA PRIVATE KEY-----\n", LINE, "step 2 of 3", LINE], vec![LINE]),
        (vec!["Password:", "hunter2\n", "done"], vec!["hunter2"]),
        (vec!["Enter the API key: ", "abc123def"], vec!["abc123def"]),
        (vec!["ok\n12:00:01 Password:\n", "12:00:02 hunter2"], vec!["hunter2"]),
    ] {
        let (out, count) = clean(&events(&texts));
        assert!(count as usize >= secrets.len(), "{out}");
        assert!(secrets.iter().all(|secret| !out.contains(secret)), "{out}");
        assert!(!texts.contains(&"done") || out.contains(r#""text":"done""#), "{out}");
        // In other members, and as lines of a log of their own.
        let (out, _) = clean(&serde_json::json!(texts).to_string());
        assert!(secrets.iter().all(|secret| !out.contains(secret)), "{out}");
    }
    for texts in [
        vec![begin, "failed", "Error at parseKey (src/key2.ts:12:3)"],
        vec![begin, end, LINE],
        vec!["Password:", "required", "hunter2"],
        vec!["Password:", "hunter2 is not what it says"],
        vec!["Unexpected token:", "abc123"],
        vec!["the tests:", "step2a"],
    ] {
        assert_eq!(clean(&events(&texts)), (events(&texts), 0));
    }
    // Only the same member continues.
    let text = format!(r#"[{{"text":"{begin}"}},{{"name":"{LINE}"}}]"#);
    assert_eq!(clean(&text), (text.clone(), 0));
}

#[test]
fn a_secret_that_is_cut_between_texts_stays() {
    for (texts, expected) in [
        (["password=hun", "ter2 is the first"], ["password=[redacted]", "ter2 is the first"]),
        (["pass", "word=hunter2"], ["pass", "word=hunter2"]),
        (["password=", "hunter2"], ["password=", "hunter2"]),
        (["Authorization: Bearer", "a1b2c3d4e5f6"], ["Authorization: Bearer", "a1b2c3d4e5f6"]),
    ] {
        assert_eq!(clean(&events(&texts)).0, events(&expected));
    }
}

#[test]
fn objects_that_describe_a_secret_stay() {
    for text in [
        r#"{"token":{"type":"string"}}"#,
        r#"{"errors":{"password":["is required","must have 8 characters"]}}"#,
        r#"{"apiKey":{"message":"is too short","code":"too_short"}}"#,
        r#"{"out":"1 {\"token\":{\"type\":\"string\"}}"}"#,
        r#"{"secret":{"type":"object","properties":{"value":{"type":"string"}},"required":["value"]}}"#,
    ] {
        assert_eq!(clean(text), (text.to_owned(), 0));
    }
    for (text, expected) in [
        (r#"{"token":{"type":"string","default":"x"}}"#, r#"{"token":"[redacted]"}"#),
        (r#"{"password":["correct horse battery"]}"#, r#"{"password":"[redacted]"}"#),
        (r#"{"token":{"message":"a1b2c3d4"}}"#, r#"{"token":"[redacted]"}"#),
        (
            r#"{"token":{"message":"wrong password=hunter2 is given"}}"#,
            r#"{"token":{"message":"wrong password=[redacted] is given"}}"#,
        ),
        (r#"{"auth":{"code":"4a5b6c7d"}}"#, r#"{"auth":"[redacted]"}"#),
    ] {
        assert_eq!(clean(text).0, expected);
    }
}

#[test]
fn a_redacted_text_stays_as_it_is() {
    for text in [
        "pass=_auth=rg5/H+",
        "\"Cookie:=\" resd2a",
        "\"Authorization:\" Basic x1y2z3",
        "/home/mira/a/very/long/path/of/the/tools/bin/mysql --comment 'x' -phunter app; /srv/a/b/c/curl -u a:b h",
        "passwords = [redacted], hunter2",
        "token=[redacted]a1b2c3",
        "-----BEGIN PRIVATE KEY-----\n[redacted]\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcw\nab1",
    ] {
        clean(&serde_json::json!({ "a": text }).to_string());
    }
}
