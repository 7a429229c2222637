//! A server said no. An error, never a state.

use leptos::html::Input;
use leptos::prelude::*;
use runstate::inspection::Refusal;

use crate::host;
use crate::pill::IconOf;
use crate::source::gateway;
use crate::store::{Held, Screen, Store};

/// What the refusal is about.
#[derive(Clone, Copy, PartialEq)]
enum About {
    Run,
    Token,
    Other,
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
#[component]
pub(crate) fn RefusalScreen() -> impl IntoView {
    let store = Store::use_context();
    let shown = Memo::new(move |_| {
        store.header.track();
        store.with_held(|held| match held {
            Held::Nothing => None,
            Held::Document { inspection, origin, .. } => {
                inspection.refusal.clone().map(|refusal| (refusal, origin.clone(), false))
            }
            Held::Live { feed, url } => feed.refusal().cloned().map(|refusal| (refusal, url.clone(), true)),
        })
    });
    move || {
        shown
            .get()
            .map(|(refusal, origin, live)| view! { <Screenful refusal=refusal origin=origin live=live/> })
    }
}

#[component]
fn Screenful(refusal: Refusal, origin: String, live: bool) -> impl IntoView {
    let store = Store::use_context();
    let about = about(&refusal.code);
    let title = match about {
        About::Run => "No run with this id",
        About::Token => "The Gateway refused the token",
        About::Other => "The server said no",
    };
    let next = match about {
        About::Run => "The id may belong to another Gateway, or the run was removed.",
        About::Token => "It may be wrong, expired, or lack the scope for this.",
        About::Other => "This is an error, not a state of the run.",
    };
    let code = match &refusal.method {
        Some(method) => format!("{} · {method}", refusal.code),
        None => refusal.code.clone(),
    };
    let copied = format!("{code}\n{}\n{origin}", refusal.message);
    view! {
        <section class="screen" data-screen="refusal" data-code=refusal.code.clone() aria-labelledby="refusal-name">
            <h2 id="refusal-name" tabindex="-1">{title}</h2>
            <p class="lead"><span class="code">{origin}</span>" answered: "{refusal.message}" "{next}</p>
            {(live && about == About::Token).then(|| view! { <TokenForm/> })}
            <p class="err-code">{code}</p>
            <p class="acts">
                {live.then(|| view! {
                    <button class="btn btn-primary" type="button" data-action="runs" on:click=move |_| gateway::list(store)>"Show all runs"</button>
                })}
                <button class="btn" type="button" on:click=move |_| store.screen.set(Screen::Connect)>"Open something else"</button>
                <button class="btn" type="button" on:click=move |_| host::copy(copied.clone())>
                    <IconOf outline=icondata_lu::LuCopy/>
                    "Copy error"
                </button>
            </p>
        </section>
    }
}

#[component]
fn TokenForm() -> impl IntoView {
    let store = Store::use_context();
    let token = NodeRef::<Input>::new();
    let submit = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        if let Some(token) = token.get_untracked() {
            gateway::authorise(store, token.value());
        }
    };
    view! {
        <form class="acts" data-form="token" autocomplete="off" on:submit=submit>
            <label class="fld">"New token"<input type="password" name="token" autocomplete="off" node_ref=token/></label>
            <button class="btn btn-primary" type="submit">"Connect again"</button>
        </form>
    }
}
