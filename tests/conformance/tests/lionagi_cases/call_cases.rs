//! Cases of lionagi that call one function: its name, its arguments, and what it answers or that it refuses.

use runstate::json::ReadError;
use runstate::lionagi::derive::board::{Rules, board_json};
use runstate::lionagi::derive::policy::{Entity, transition};
use runstate::lionagi::derive::{calls, display_map, display_status, review_verdict};
use runstate::word::Vocabulary;
use serde_json::{Value, json};

/// Asserts that a case's call is answered, or refused, as the case says.
pub(crate) fn assert_call(name: &str, case: &Value, good: bool) {
    let function = case["call"]["function"].as_str().unwrap();
    let arguments = case["call"]["arguments"].as_array().unwrap();
    match answer(function, arguments) {
        Ok(found) => {
            assert!(case["error"].is_null(), "{name}: {found}");
            assert!(holds(&found, &case["answer"]), "{name}: {found}");
            assert!(good || says_no(function, &found), "{name} is no refusal: {found}");
        }
        Err(error) => {
            assert!(!good && case["error"]["code"] == error.kind.code(), "{name}: {error}");
            assert!(error.message.ends_with('.'), "{name}: {error}");
        }
    }
}

fn answer(function: &str, arguments: &[Value]) -> Result<Value, ReadError> {
    let json = |place: usize| arguments[place].to_string();
    let told = match function {
        "board" => board_json(&json(0), Rules::Runstate)?,
        "classifyHealth" => calls::classify_health(&json(0), &json(1))?,
        "deriveSeverity" => calls::derive_severity(&json(0))?,
        "effectiveState" => calls::effective_state(&json(0), &json(1))?,
        "normalizeState" => calls::normalize_state(&json(0), &json(1))?,
        "worstHealth" => calls::worst_health(&json(0))?,
        other => return Ok(of_words(other, &arguments[0])),
    };
    Ok(serde_json::from_str(&told).unwrap())
}

/// What is asked with words alone, which is always answered.
fn of_words(function: &str, argument: &Value) -> Value {
    let text = |key: &str| argument[key].as_str();
    match function {
        "displayStatus" => {
            let [code, summary] = ["reason_code", "reason_summary"].map(text);
            let found = display_status(text("status").unwrap(), text("effective_health"), code, summary);
            json!({"display": found.status.as_str(), "recognised": found.recognised})
        }
        "displayTone" => json!(display_map(argument.as_str().unwrap()).map(|(_, tone)| tone.as_str())),
        "reviewVerdict" => json!(review_verdict(argument.as_str()).as_str()),
        "transition" => {
            let entity = Entity::from_word(text("entity").unwrap());
            json!(entity.map(|entity| transition(entity, text("from"), text("to").unwrap()).as_str()))
        }
        other => panic!("no function is called {other}"),
    }
}

/// Whether what is expected of an object is in it; everything else is equal.
fn holds(found: &Value, expected: &Value) -> bool {
    match (found, expected) {
        (Value::Object(found), Value::Object(expected)) => {
            expected.iter().all(|(key, value)| found.get(key) == Some(value))
        }
        (found, expected) => found == expected,
    }
}

/// Whether an answer does not take the word for what it was offered as.
fn says_no(function: &str, found: &Value) -> bool {
    match function {
        "board" => {
            let waits = found["attention"].as_array().unwrap().iter();
            waits.clone().count() == 0 || waits.clone().all(|item| item["disposition"].is_null())
        }
        "deriveSeverity" => *found == json!({"severity": "neutral", "tone": "neutral"}),
        "displayStatus" => found["recognised"] == false,
        "displayTone" => found.is_null(),
        "transition" => found != "applied",
        _ => false,
    }
}
