//! A server refused the request. An error, never a state of the run.

use leptos::html;
use leptos::prelude::*;
use runstate::refusal::Refusal;
use web_sys::SubmitEvent;

use super::super::text::bounded;
use super::super::{CopyButton, ProblemCard};
use super::Screen;
use super::insecure::InsecureWarning;
use super::token_field::{TokenField, token_in};
use crate::address::sends_unencrypted;
use crate::session::protocol::Problem;
use crate::store::Store;

/// What a refusal is about, which decides what a person can do.
#[derive(Clone, Copy, PartialEq)]
enum About {
    Run,
    Token,
    Other,
}

impl About {
    /// Codes are open strings in two vocabularies (protocol section 3.3).
    fn of_code(code: &str) -> Self {
        match code {
            "NOT_FOUND" | "RunNotFound" | "RUN_NOT_FOUND" => Self::Run,
            "UNAUTHORIZED" | "Unauthorized" | "FORBIDDEN" => Self::Token,
            _ => Self::Other,
        }
    }

    fn heading(self) -> &'static str {
        match self {
            Self::Run => "No run with this id",
            Self::Token => "Access was refused",
            Self::Other => "The server said no",
        }
    }

    fn advice(self) -> &'static str {
        match self {
            Self::Run => "The id may belong to another server, or the run was removed.",
            Self::Token => "The token may be missing, wrong, expired, or lack the scope.",
            Self::Other => "This is an error, not a state of the run.",
        }
    }
}

/// What was refused, by whom, and what next.
#[component]
pub(crate) fn RefusalScreen() -> impl IntoView {
    let store = expect_context::<Store>();
    let refusal = Memo::new(move |_| store.status.with(|status| status.refusal.clone()));
    move || refusal.get().map(|refusal| view! { <RefusalDetails refusal /> })
}

/// One refusal.
#[component]
fn RefusalDetails(
    /// The refusal.
    refusal: Refusal,
) -> impl IntoView {
    let store = expect_context::<Store>();
    let (source, is_live) = store.status.with_untracked(|status| (status.source.clone(), status.live));
    let about = About::of_code(&refusal.code);
    let message = bounded(&refusal.message);
    let end = if message.ends_with(['.', '!', '?']) { " " } else { ". " };
    let code = match &refusal.method {
        Some(method) => format!("{} · {method}", refusal.code),
        None => refusal.code.clone(),
    };
    let copied = format!("{code}\n{}\n{source}", refusal.message);
    let show_all = is_live.then(|| {
        view! {
            <button type="button" class="btn btn-primary" data-action="runs" on:click=move |_| store.list()>
                "Show all runs"
            </button>
        }
    });
    view! {
        <Screen name="refusal" heading=about.heading() code=Some(refusal.code)>
            <ProblemCard />
            <p class="lead"><span class="code">{source}</span> " answered: " {message} {end} {about.advice()}</p>
            {(is_live && about == About::Token).then(|| view! { <TokenForm /> })}
            <p class="err-code">{code}</p>
            <p class="acts">
                {show_all}
                <button type="button" class="btn" data-action="open-other" on:click=move |_| store.choose_source()>
                    "Open something else"
                </button>
                <CopyButton class="btn" text=copied label="Copy error" attr:data-action="copy-error" />
            </p>
        </Screen>
    }
}

/// Connects again with another token.
#[component]
fn TokenForm() -> impl IntoView {
    let store = expect_context::<Store>();
    let input = NodeRef::<html::Input>::new();
    let has_warning = RwSignal::new(false);
    let authorize = move |is_confirmed: bool| -> Result<(), Problem> {
        let token = token_in(input)?;
        let is_insecure = store.status.with_untracked(|status| sends_unencrypted(&status.source));
        let needs_warning = is_insecure && token.is_some() && !is_confirmed;
        has_warning.set(needs_warning);
        if !needs_warning {
            store.authorize(token.unwrap_or_default());
        }
        Ok(())
    };
    let authorize = move |is_confirmed| store.problem.set(authorize(is_confirmed).err());
    let on_submit = move |event: SubmitEvent| {
        event.prevent_default();
        authorize(false);
    };
    view! {
        <form
            class="acts"
            data-form="token"
            autocomplete="off"
            on:submit=on_submit
            on:input=move |_| has_warning.set(false)
        >
            <TokenField label="New token" input />
            <button class="btn btn-primary" type="submit">
                "Connect again"
            </button>
            <Show when=move || has_warning.get()>
                <InsecureWarning on_confirm=Callback::new(move |()| authorize(true)) />
            </Show>
        </form>
    }
}
