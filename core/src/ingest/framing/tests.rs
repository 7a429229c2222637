//! Each shape of a text, and damage.

use super::{Consumer, Item, SkippedContent, frame};

/// The found parts, in a few letters.
#[derive(Default)]
struct Found(Vec<String>);

impl Consumer for Found {
    fn take(&mut self, item: Item<'_>) {
        self.0.push(match item {
            Item::Value(value) => format!("{} {:?} {}", value.line, value.frame, value.text),
            Item::Broken(value) => format!("{} broken {}", value.line, value.text),
            Item::Skipped(skipped) => {
                let what = match skipped.content {
                    SkippedContent::Text => "text",
                    SkippedContent::NulBytes => "NUL bytes",
                    SkippedContent::Markup => "markup",
                };
                format!("{}-{} {what}", skipped.first_line, skipped.last_line)
            }
        });
    }
}

fn found(text: impl AsRef<[u8]>) -> Vec<String> {
    let mut found = Found::default();
    frame(text.as_ref(), &mut found);
    found.0
}

const A: &str = r#"{"a":1}"#;
const B: &str = r#"{"b":[2,{"c":"x"}]}"#;

#[test]
fn values_follow_each_other_in_any_layout() {
    let two = [format!("1 Alone {A}"), format!("2 Alone {B}")];
    assert_eq!(found(format!("{A}\n{B}\n")), two);
    assert_eq!(found(format!("{A},\n{B}\n")), two);
    assert_eq!(found(format!("\u{feff}{A}\r\n{B}\r\n")), two);
    assert_eq!(found(format!("{A}{B}")), [two[0].clone(), format!("1 Alone {B}")]);
    let pretty = "{\n  \"a\": 1\n}";
    assert_eq!(
        found(format!("{pretty}\n{pretty}\n")),
        [format!("1 Alone {pretty}"), format!("4 Alone {pretty}")]
    );
    let list = format!("[\n{A},\n{B}\n]");
    assert_eq!(found(&list), [format!("1 Alone {list}")]);
}

#[test]
fn text_around_values_is_skipped() {
    let pretty = "{\n  \"a\": 1\n}";
    let text = format!("$ smithers inspect --json\n(node:1) Warning: [x] {{see}}\n{pretty}\nDone in 1.2s.\n");
    assert_eq!(found(text), ["1-2 text".to_owned(), format!("3 Alone {pretty}"), "6-6 text".to_owned()]);
    let text = format!("Here:\n\n```json\n{A}\n```\n");
    assert_eq!(found(text), ["1-1 text", "3-3 markup", &format!("4 Alone {A}"), "5-5 markup"]);
    assert_eq!(found("level=ERROR cut\nno value {here}, [none] there"), ["1-2 text"]);
    assert_eq!(found(""), [""; 0]);
}

#[test]
fn prefixes_are_no_part_of_a_value() {
    let line = |prefix: &str| found(format!("{prefix}{A}\n{prefix}{B}\n"));
    for prefix in
        ["[pod/gw-0/gateway] ", "2026-11-25T15:40:00.1Z stdout F ", "gateway-1  | ", "> ", "run.ndjson:12:"]
    {
        assert_eq!(line(prefix), [format!("1 Prefixed {A}"), format!("2 Prefixed {B}")], "{prefix}");
    }
    let pretty = "{\n  \"a\": [\n    1\n  ]\n}";
    for prefix in ["[pod/gw-0/gateway] ", "gateway-1  | ", "data: "] {
        let text = pretty.lines().map(|line| prefix.to_owned() + line + "\n").collect::<String>();
        assert_eq!(found(text), [format!("1 Prefixed {pretty}")], "{prefix}");
    }
    let partial = "2026-11-25T15:40:00.1Z stdout P {\"a\":\"x\n2026-11-25T15:40:00.2Z stdout F y\"}\n";
    assert_eq!(found(partial), [r#"1 Prefixed {"a":"xy"}"#]);
}

#[test]
fn wrapped_texts_are_read() {
    let docker = |text: &str| {
        let text = serde_json::to_string(text).unwrap();
        format!("{{\"log\":{text},\"stream\":\"stdout\",\"time\":\"2026-11-25T15:40:00.1Z\"}}\n")
    };
    let lines = docker(&format!("{A}\n")) + &docker("{\"b\":") + &docker("2}\n") + &docker("ready\n");
    assert_eq!(found(lines), [&format!("1 Wrapped {A}"), "2 Wrapped {\"b\":2}", "4-4 text"]);
    let journal = format!("{{\"__CURSOR\":\"s\",\"MESSAGE\":{}}}\n", serde_json::to_string(A).unwrap());
    assert_eq!(found(&journal), [format!("1 Wrapped {A}")]);
    let bytes = format!("{{\"__CURSOR\":\"s\",\"MESSAGE\":{:?}}}\n", format!("\u{1b}[0m{A}").as_bytes());
    assert_eq!(found(bytes), [format!("1 Wrapped {A}")]);
    assert_eq!(found(docker(&journal)), [format!("1 Wrapped {A}")]);
    let string = serde_json::to_string(A).unwrap();
    assert_eq!(found(&string), [format!("1 Wrapped {A}")]);
    assert_eq!(found(serde_json::to_string(&string).unwrap()), [format!("1 Wrapped {A}")]);
    // A record with a field of that name is no wrapper.
    assert_eq!(found(r#"{"log":"x","stream":1}"#), [r#"1 Alone {"log":"x","stream":1}"#]);
}

#[test]
fn noise_between_tokens_and_in_strings_is_repaired() {
    assert_eq!(found(format!("\u{1b}[0m{A}\u{1b}[0m\n")), [format!("1 Alone {A}")]);
    assert_eq!(found("{\u{1b}[1m\"a\"\u{200b}:\u{1b}[0m1}"), [format!("1 Alone {A}")]);
    assert_eq!(found(format!("{}{A}\n", "\0".repeat(4096))), ["1-1 NUL bytes", &format!("1 Alone {A}")]);
    assert_eq!(found("{\"a\":\"disk\nfull\"}\n"), [r#"1 Alone {"a":"disk\nfull"}"#]);
    assert_eq!(found("{\"a\":\"x\u{1b}[0my\"}\n"), [r#"1 Alone {"a":"x\u001b[0my"}"#]);
    assert_eq!(found("{\"a\":NaN,\"b\":-Infinity}"), [r#"1 Alone {"a":null,"b":null}"#]);
    assert_eq!(found(b"{\"a\":\"\xff\"}"), ["1 Alone {\"a\":\"\u{fffd}\"}"]);
}

#[test]
fn damage_ends_with_the_next_value() {
    // Cut off, with the next value on the same line, on the next line, and inside a string.
    assert_eq!(found(format!("{{\"a\":1,\"b\":{{\"c\"{A}\n{B}")).last().unwrap(), &format!("2 Alone {B}"));
    assert_eq!(
        found(format!("{{\"type\":\"x\",{{\"type\":\"y\"}}\n{B}")),
        ["1 broken {\"type\":\"x\",", "1 Recovered {\"type\":\"y\"}", &format!("2 Alone {B}")]
    );
    assert_eq!(found(format!("{{\"a\":\"x\n{B}\n")), ["1 broken {\"a\":\"x", &format!("2 Alone {B}")]);
    assert_eq!(found(format!("{{\"a\":\n{A}\n{B}\n")).last().unwrap(), &format!("3 Alone {B}"));
    let cut = "{\n  \"a\": [\n    {\n      \"b\": 1\n    },\n    {\n      \"c\"\n{\"d\": 1}\n";
    assert_eq!(found(cut).last().unwrap(), "8 Alone {\"d\": 1}");
    assert_eq!(found(cut).len(), 2, "a cut snapshot does not fall into its nodes: {:?}", found(cut));
    // A list that is cut off is read by its elements.
    let list = format!("[\n{A},\n{B},\n{{\"cut\":{{\"a\"");
    let elements =
        [format!("2 Element {A}"), format!("3 Element {B}"), "4 broken {\"cut\":{\"a\"".to_owned()];
    assert_eq!(found(list), elements);
}

/// The prefix of the next line is examined first, which must not lead back to the line that breaks off.
#[test]
fn a_string_that_breaks_off_after_a_prefix_ends_with_its_line() {
    for (cut, whole) in
        [("app {\"a", "app {\"b\":\"x\",\"c\":{\"d\":\"y\"}}"), ("d{\"", "d{\"\":\"\",\"\":{\"\":\"\"}}")]
    {
        let value = &whole[whole.find('{').unwrap()..];
        assert_eq!(
            found(format!("{cut}\n{whole}\n")).last().unwrap(),
            &format!("2 Prefixed {value}"),
            "{cut}"
        );
    }
}

#[test]
fn hostile_texts_take_linear_time() {
    for shape in [
        "{",
        "[",
        "[{",
        "{\"",
        "[\n",
        "{\"a\":",
        "{\"a\":1",
        "\"",
        "{\"a\":\"\n",
        "x{",
        "> {\n",
        "[{\"a\":1},",
    ] {
        let text = shape.repeat(400_000 / shape.len());
        let begun = std::time::Instant::now();
        found(&text);
        assert!(begun.elapsed().as_secs() < 20, "{shape:?}: {:?}", begun.elapsed());
    }
}
