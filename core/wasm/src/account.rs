//! What is told of a Smithers run, as plain objects: the answer in words, who says so, and what can be done.

use js_sys::Array;
use runstate::account::Account;
use runstate::answer::{Answer, AnswerPill, Part, agreement, disagreement, text};
use runstate::inspection::Refusal;
use runstate::smithers::{Action, Hidden, Testimony, Witness, actions_for_refusal};
use runstate::word::Vocabulary;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::error::unread;
use crate::evidence::evidence_to_js;
use crate::node::target_to_js;
use crate::pill::write_pill;
use crate::source::Js;
use crate::write::{Writer, kept_json, list};

/// What is told of a run, from what the part that read it packed.
///
/// # Errors
/// `INVALID_INPUT` where the text is not what that part wrote.
#[wasm_bindgen(js_name = accountOf, skip_typescript)]
pub fn account_of(packed: &JsValue) -> Result<JsValue, JsValue> {
    let packed = Js::new(packed).text("packed")?;
    let account = Account::unpack(&packed).map_err(|error| unread("packed", &error.message, None))?;
    Ok(account_to_js(&account))
}

/// What can be done about a refusal of a Gateway.
///
/// # Errors
/// `INVALID_INPUT` where the code is no text.
#[wasm_bindgen(js_name = actionsForRefusal, skip_typescript)]
pub fn actions_of_refusal(code: &JsValue) -> Result<JsValue, JsValue> {
    let code = Js::new(code).text("code")?;
    Ok(actions_to_js(&actions_for_refusal(&Refusal { code, message: String::new(), method: None })))
}

fn account_to_js(account: &Account) -> JsValue {
    let mut object = Writer::new();
    object.value("answer", &answer_to_js(&account.answer));
    let failures = account.hidden.iter().find_map(|(hidden, _)| match hidden {
        Hidden::ToleratedFailures { count, .. } => Some(*count),
        Hidden::Waiting { .. } | Hidden::Retrying { .. } | Hidden::Continued => None,
    });
    object.number("toleratedFailures", failures.unwrap_or_default() as f64);
    object.value("hidden", &sentences(account.hidden.iter().map(|(_, sentence)| sentence)));
    let witnesses: Vec<JsValue> = account.testimony.witnesses().iter().map(witness_to_js).collect();
    object.value("testimony", &testimony_to_js(&account.testimony, &witnesses));
    object.value("actions", &actions_to_js(&account.actions));
    object.finish()
}

fn answer_to_js(answer: &Answer) -> JsValue {
    let mut object = Writer::new();
    object.word("tone", answer.tone.as_str());
    if let AnswerPill::Pill { pill, value, as_of } = &answer.pill {
        let mut shown = Writer::new();
        write_pill(&mut shown, pill);
        shown.text("value", value);
        shown.optional_text("asOf", as_of.as_deref());
        object.value("pill", &shown.finish());
    }
    for (key, parts) in [("sentence", &answer.sentence), ("meta", &answer.meta), ("because", &answer.because)]
    {
        object.text(key, &text(parts));
    }
    object.value("notes", &sentences(answer.notes.iter()));
    object.finish()
}

fn sentences<'a>(sentences: impl Iterator<Item = &'a Vec<Part>>) -> JsValue {
    list(sentences.map(|parts| crate::text::to_js(&text(parts))))
}

fn witness_to_js(witness: &Witness) -> JsValue {
    let mut object = Writer::new();
    object.word("source", witness.source.as_str());
    object.text("state", witness.state.as_str());
    object.time("atMs", witness.at);
    object.value("evidence", &evidence_to_js(&witness.evidence));
    object.finish()
}

/// What witnesses say, weighed; `objects` are what they are for the caller, one for each.
pub(crate) fn testimony_to_js(testimony: &Testimony, objects: &[JsValue]) -> JsValue {
    let of = |wanted: &Witness| {
        let both = testimony.witnesses().iter().zip(objects);
        both.filter(|(witness, _)| std::ptr::eq(*witness, wanted)).map(|(_, object)| object.clone()).next()
    };
    let mut object = Writer::new();
    object.value("witnesses", &objects.iter().collect::<Array>());
    object.optional("shown", testimony.shown().and_then(of));
    object.word("because", testimony.because());
    object.value("against", &list(testimony.against().into_iter().filter_map(of)));
    object.optional_text("note", disagreement(testimony).map(|note| text(&note)).as_deref());
    object.optional_text("agreement", agreement(testimony).as_deref());
    object.finish()
}

fn actions_to_js(actions: &[Action]) -> JsValue {
    list(actions.iter().map(action_to_js))
}

fn action_to_js(action: &Action) -> JsValue {
    let mut object = Writer::new();
    object.word("kind", action.kind.as_str());
    object.optional_text("blocker", action.blocker.map(Vocabulary::as_str));
    object.text("sentence", &text(&action.sentence));
    object.optional("node", action.node.as_ref().map(target_to_js));
    object.optional_text("command", action.command.as_deref());
    object.optional(
        "call",
        action.call.as_ref().map(|call| {
            let mut object = Writer::new();
            object.word("method", call.method);
            object.value("params", &kept_json(&call.params));
            object.finish()
        }),
    );
    object.time("untilMs", action.until);
    object.finish()
}
