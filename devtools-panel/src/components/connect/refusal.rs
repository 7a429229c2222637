//! The screen for a request that a server refused. A refusal is an error, never a state of the run.

use leptos::html;
use leptos::prelude::*;
use runstate::format::visible;
use runstate::refusal::{Cause, Refusal};
use runstate::viewer::RefusalHelp;

use super::super::{CopyButton, Isolated, ProblemCard};
use super::Screen;
use super::token_field::{TokenField, field_token};
use super::token_form::{Submission, TokenForm};
use crate::address::sends_unencrypted;
use crate::browser::page;
use crate::store::{CurrentSession, ScreenState, SessionData, Sessions};
use crate::text::{bounded, bounded_name};

/// The refusal on screen: the server, its message, and the next steps.
#[component]
pub(crate) fn RefusalScreen() -> impl IntoView {
    let data = expect_context::<SessionData>();
    let refusal = Memo::new(move |_| data.status.with(|status| status.refusal.clone()));
    move || refusal.get().map(|refusal| view! { <RefusalDetails refusal /> })
}

/// The details of one refusal.
#[component]
fn RefusalDetails(
    /// The refusal.
    refusal: Refusal,
) -> impl IntoView {
    let data = expect_context::<SessionData>();
    let state = expect_context::<ScreenState>();
    let session = expect_context::<CurrentSession>();
    let sessions = expect_context::<Sessions>();
    // A document that was asked for a run that it does not have.
    let (source, is_live, is_missing) = data.status.with_untracked(|status| {
        let is_live = status.link.is_gateway();
        (status.source.clone(), is_live, !is_live && status.run.is_some())
    });
    let cause = refusal.cause();
    let RefusalHelp { heading, message, advice, .. } =
        RefusalHelp::new(&refusal, is_live.then(page::origin).as_deref());
    let code = match &refusal.method {
        Some(method) => format!("{} · {method}", refusal.code),
        None => refusal.code.clone(),
    };
    let copied = visible(&format!("{code}\n{}\n{source}", refusal.message)).into_owned();
    let verb = match (is_live, is_missing) {
        (true, _) => " responded: ",
        (false, true) => ": ",
        (false, false) => " contains an error response: ",
    };
    let next = (is_live || is_missing).then(|| match cause {
        // The Gateway refuses this page, whatever it requests.
        Cause::Origin | Cause::Host => view! {
            <button type="button" class="btn btn-primary" data-action="retry" on:click=move |_| session.reconnect()>
                "Try again"
            </button>
        }
        .into_any(),
        // The form for another token is the next step.
        Cause::Token if is_live => ().into_any(),
        Cause::Run | Cause::Token | Cause::Other => view! {
            <button type="button" class="btn btn-primary" data-action="runs" on:click=move |_| sessions.list()>
                "Show all runs"
            </button>
        }
        .into_any(),
    });
    view! {
        <Screen name="refusal" heading code=Some(refusal.code)>
            <ProblemCard />
            <p class="lead"><span class="code">{bounded_name(&source)}</span> {verb} <Isolated text=bounded(&message) /> " " {advice}</p>
            {(is_live && cause == Cause::Token).then(|| view! { <NewTokenForm /> })}
            <p class="error-code">{bounded(&code)}</p>
            <p class="actions">
                {next}
                <button type="button" class="btn" data-action="open-other" on:click=move |_| state.choose_source()>
                    "Open something else"
                </button>
                <CopyButton class="btn" text=copied label="Copy error" attr:data-action="copy-error" attr:aria-label="Copy error" />
            </p>
        </Screen>
    }
}

/// The form that connects again with another token.
#[component]
fn NewTokenForm() -> impl IntoView {
    let data = expect_context::<SessionData>();
    let session = expect_context::<CurrentSession>();
    let state = expect_context::<ScreenState>();
    let input = NodeRef::<html::Input>::new();
    let send = move |is_confirmed: bool| {
        let token = field_token(input)?;
        let is_insecure = data.status.with_untracked(|status| sends_unencrypted(&status.source));
        if is_insecure && token.is_some() && !is_confirmed {
            return Ok(Submission::Unconfirmed);
        }
        // The form goes, with the focus in it.
        state.request_heading_focus();
        session.authorize(token.unwrap_or_default());
        Ok(Submission::Sent)
    };
    view! {
        <TokenForm class="actions" name="token" send=Callback::new(send)>
            <TokenField label="Token" input />
            <button class="btn btn-primary" type="submit">
                "Connect again"
            </button>
        </TokenForm>
    }
}
