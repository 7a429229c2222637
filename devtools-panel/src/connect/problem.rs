//! Why the last input could not be read. It stands beside what is on screen and never replaces it.

use leptos::prelude::*;

use crate::pill::IconOf;
use crate::store::{Held, Store};
use crate::trouble::Trouble;

/// The reason, with its place in the input; nothing while there is none.
#[component]
pub(crate) fn Problem() -> impl IntoView {
    let store = Store::use_context();
    move || store.problem.get().map(|problem| view! { <Card problem=problem/> })
}

/// How many characters of a path stay at either end.
const PATH_END: usize = 48;

/// A path with its middle left out where it is long: a deep one has thousands of steps.
fn middle_cut(path: &str) -> String {
    let length = path.chars().count();
    if length <= 2 * PATH_END {
        return path.to_owned();
    }
    let head: String = path.chars().take(PATH_END).collect();
    let tail: String = path.chars().skip(length - PATH_END).collect();
    format!("{head}…{tail}")
}

#[component]
fn Card(problem: Trouble) -> impl IntoView {
    let store = Store::use_context();
    let kept = store.with_held(|held| !matches!(held, Held::Nothing));
    let place = problem.position.as_ref().map(|position| {
        let path =
            position.path.as_deref().map(|path| format!(", at {}", middle_cut(path))).unwrap_or_default();
        format!("Line {}, column {}{path}", position.line, position.column)
    });
    view! {
        <div
            class="problem"
            data-tone="error"
            data-field="error"
            data-code=problem.code
            data-line=problem.position.as_ref().map(|position| position.line.to_string())
            data-column=problem.position.as_ref().map(|position| position.column.to_string())
        >
            <IconOf outline=icondata_lu::LuCircleX/>
            <div>
                <p class="problem-title">"That did not work."{kept.then_some(" What was on screen is kept.")}</p>
                <p>{place.map(|place| view! { <b>{place}": "</b> })}{problem.message}</p>
                {problem.hint.map(|hint| view! { <p>{hint}</p> })}
                <p class="err-code">{problem.code}</p>
            </div>
            <button class="btn-icon" type="button" aria-label="Dismiss" on:click=move |_| store.problem.set(None)>
                <IconOf outline=icondata_lu::LuX/>
            </button>
        </div>
    }
}
