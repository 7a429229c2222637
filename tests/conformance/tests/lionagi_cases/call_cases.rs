//! Cases of lionagi that call one function: its name, its arguments, and its answer or refusal.

use runstate::json::ReadError;
use runstate::lionagi::derive::json_api;
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
            assert!(!good && case["error"]["code"] == error.kind.code().as_str(), "{name}: {error}");
            assert!(error.message.ends_with('.'), "{name}: {error}");
        }
    }
}

fn answer(function: &str, arguments: &[Value]) -> Result<Value, ReadError> {
    let json = |place: usize| arguments[place].to_string();
    Ok(match function {
        "classifyHealth" => json!(json_api::classify_health_json(&json(0), &json(1))?),
        "deriveSeverity" => json!(json_api::derive_severity_json(&json(0))?),
        "effectiveState" => json!(json_api::effective_state_json(&json(0), &json(1))?),
        "normalizeState" => json!(json_api::normalize_state_json(&json(0), &json(1))?),
        "worstHealth" => json!(json_api::worst_health_json(&json(0))?),
        other => panic!("no function is called {other}"),
    })
}

/// Whether the expected members of an object are in it; all other values must be equal.
fn holds(found: &Value, expected: &Value) -> bool {
    match (found, expected) {
        (Value::Object(found), Value::Object(expected)) => {
            expected.iter().all(|(key, value)| found.get(key) == Some(value))
        }
        (found, expected) => found == expected,
    }
}

/// Whether an answer rejects the word.
fn says_no(function: &str, found: &Value) -> bool {
    function == "deriveSeverity" && *found == json!({"severity": "neutral", "tone": "neutral"})
}
