//! A server said no. An error, never a state.

use leptos::prelude::*;
use runstate::inspection::Refusal;

use super::form::{field, value};
use super::screen;
use crate::el::{El, Ref, button, el_of, live};
use crate::host;
use crate::kept::kept;
use crate::pill::icon_of;
use crate::source::gateway;
use crate::store::{Screen, Store};

/// What the refusal is about.
#[derive(Clone, Copy, PartialEq)]
enum About {
    Run,
    Token,
    Other,
}

impl About {
    /// What it is called, and what it means.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Run => {
                ("No run with this id", "The id may belong to another server, or the run was removed.")
            }
            Self::Token => {
                ("Access was refused", "The token may be missing, wrong, expired, or lack the scope.")
            }
            Self::Other => ("The server said no", "This is an error, not a state of the run."),
        }
    }
}

/// Codes are open strings in two vocabularies (protocol section 3.3); these say what a person can do about it.
fn about(code: &str) -> About {
    match code {
        "NOT_FOUND" | "RunNotFound" | "RUN_NOT_FOUND" => About::Run,
        "UNAUTHORIZED" | "Unauthorized" | "FORBIDDEN" => About::Token,
        _ => About::Other,
    }
}

/// The screen that says what was refused, by whom, and what next.
pub(crate) fn refusal_screen(store: Store) -> AnyView {
    let shown = kept(move || {
        store.status.with(|status| {
            status.refusal.clone().map(|refusal| (refusal, status.source.clone(), status.live))
        })
    });
    live(move || match shown.get() {
        Some((refusal, origin, live)) => screenful(store, &refusal, origin, live).done(),
        None => ().into_any(),
    })
}

fn screenful(store: Store, refusal: &Refusal, origin: String, live: bool) -> El {
    let about = about(&refusal.code);
    let (title, next) = about.words();
    let code = match &refusal.method {
        Some(method) => format!("{} · {method}", refusal.code),
        None => refusal.code.clone(),
    };
    let copied = format!("{code}\n{}\n{origin}", refusal.message);
    let lead = el_of("P", "lead")
        .with(el_of("SPAN", "code").text(origin))
        .say(" answered: ")
        .text(refusal.message.clone())
        .say(if refusal.message.ends_with(['.', '!', '?']) { " " } else { ". " })
        .say(next);
    let all = || {
        button("btn btn-primary", move || gateway::list(store))
            .attr("data-action", "runs")
            .say("Show all runs")
    };
    screen("refusal", "refusal-name", title)
        .attr("data-code", &refusal.code)
        .with(lead)
        .maybe((live && about == About::Token).then(|| token_form(store)))
        .with(el_of("P", "err-code").text(code))
        .with(
            el_of("P", "acts")
                .maybe(live.then(all))
                .with(button("btn", move || store.screen.set(Screen::Connect)).say("Open something else"))
                .with(
                    button("btn", move || host::copy(copied.clone()))
                        .view(icon_of(icondata_lu::LuCopy.data))
                        .say("Copy error"),
                ),
        )
}

fn token_form(store: Store) -> El {
    let token = Ref::new();
    let submit = move |event: web_sys::Event| {
        event.prevent_default();
        gateway::authorise(store, value(token));
    };
    el_of("FORM", "acts")
        .attr("data-form", "token")
        .attr("autocomplete", "off")
        .on("submit", submit)
        .with(field("New token", "password", "token", token, |input| input))
        .with(el_of("BUTTON", "btn btn-primary").attr("type", "submit").say("Connect again"))
}
