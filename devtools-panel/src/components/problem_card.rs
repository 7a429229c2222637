//! The card that says why the last request failed. It is shown on the current screen and never replaces it.

use leptos::prelude::*;
use runstate::json::Position;
use runstate::viewer::Screen;

use super::{Icon, Isolated};
use crate::problem::Problem;
use crate::store::{LastProblem, SessionData};
use crate::text::{bounded, middle_cut};

/// The title for codes without a title of their own.
const NOT_OPENED: &str = "This could not be opened.";

/// The card for the current problem, with its position in the input; nothing without a problem.
#[component]
pub(crate) fn ProblemCard() -> impl IntoView {
    let last = expect_context::<LastProblem>();
    move || last.problem.get().map(|problem| view! { <Card problem /> })
}

/// A card for one problem.
#[component]
fn Card(
    /// The problem.
    problem: Problem,
) -> impl IntoView {
    let data = expect_context::<SessionData>();
    let last = expect_context::<LastProblem>();
    let keeps_screen = data.status.with_untracked(|status| status.screen != Screen::Nothing);
    let title = title(&problem.code);
    let position = problem.position.as_ref();
    let (line, column) = position.map(|at| (at.line, at.column)).unzip();
    let place = position.map(place);
    view! {
        <div
            class="problem"
            data-tone="error"
            data-field="error"
            data-code=problem.code.clone()
            data-line=line.map(|line| line.to_string())
            data-column=column.map(|column| column.to_string())
        >
            <Icon outline=icondata_lu::LuCircleX.data />
            <div>
                <p class="problem-title">
                    {title} {(keeps_screen && title == NOT_OPENED).then_some(" The previous content is still shown.")}
                </p>
                <p>{place.map(|place| view! { <b><Isolated text=place /></b> ": " })} <Isolated text=bounded(&problem.message) /></p>
                {problem.hint.map(|hint| view! { <p><Isolated text=bounded(&hint) /></p> })}
                <p class="error-code">{problem.code.clone()}</p>
            </div>
            <button type="button" class="btn-icon" aria-label="Dismiss" on:click=move |_| last.set(None)>
                <Icon outline=icondata_lu::LuX.data />
            </button>
        </div>
    }
}

/// The title for a code. The set of codes is open: those of documents come from the core.
fn title(code: &str) -> &'static str {
    match code {
        "NOT_COPIED" => "The text was not copied.",
        "EXTENSION_ENDED" => "This panel is cut off from the developer tools.",
        "NOT_SAVED" | "NO_SINGLE_FILE" => "The file was not saved.",
        "CLIPBOARD_REFUSED" => "Nothing was pasted.",
        "INVALID_ADDRESS"
        | "INSECURE_ADDRESS"
        | "CREDENTIALS_IN_ADDRESS"
        | "INVALID_TOKEN"
        | "OTHER_ORIGIN" => "No connection was made.",
        "WORKER_FAILED" | "DOCUMENT_CLOSED" => "This panel has stopped reading.",
        _ => NOT_OPENED,
    }
}

fn place(Position { line, column, path, .. }: &Position) -> String {
    let path = path.as_deref().map(|path| format!(", at {}", middle_cut(path))).unwrap_or_default();
    format!("Line {line}, column {column}{path}")
}
