//! Why the last input could not be read. It stands beside what is on screen and never replaces it.

use leptos::prelude::*;

use crate::el::{El, button, el, el_of, live};
use crate::header::middle_cut;
use crate::pill::icon_of;
use crate::store::Store;
use crate::trouble::Trouble;

/// The reason, with its place in the input; nothing while there is none.
pub(crate) fn problem(store: Store) -> AnyView {
    live(move || store.problem.get().map_or_else(|| ().into_any(), |problem| card(store, problem).done()))
}

fn card(store: Store, problem: Trouble) -> El {
    let kept = store.holds_something();
    let (line, column) =
        problem.position.as_ref().map(|at| (at.line.to_string(), at.column.to_string())).unzip();
    let place = problem.position.as_ref().map(|position| {
        let path =
            position.path.as_deref().map(|path| format!(", at {}", middle_cut(path))).unwrap_or_default();
        format!("Line {}, column {}{path}", position.line, position.column)
    });
    let title = el_of("P", "problem-title").say("That did not work.").say(if kept {
        " What was on screen is kept."
    } else {
        ""
    });
    let message = el("P").maybe(place.map(|place| el("B").text(place).say(": "))).text(problem.message);
    el_of("DIV", "problem")
        .attr("data-tone", "error")
        .attr("data-field", "error")
        .attr("data-code", problem.code)
        .maybe_attr("data-line", line)
        .maybe_attr("data-column", column)
        .view(icon_of(icondata_lu::LuCircleX.data))
        .with(
            el("DIV")
                .with(title)
                .with(message)
                .maybe(problem.hint.map(|hint| el("P").text(hint)))
                .with(el_of("P", "err-code").say(problem.code)),
        )
        .with(
            button("btn-icon", move || store.problem.set(None))
                .attr("aria-label", "Dismiss")
                .view(icon_of(icondata_lu::LuX.data)),
        )
}
