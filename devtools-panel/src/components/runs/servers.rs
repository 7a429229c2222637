//! The servers of a page's traffic, each with a heading, a line about its traffic, and its groups.

use leptos::html;
use leptos::prelude::*;
use runstate::viewer::ServerRuns;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use super::super::Icon;
use super::focus::focus_quietly;
use super::group::{GroupedRows, Groups};
use super::list_memo::list_memo;
use crate::store::Store;

/// All servers, the one with the most urgent run first.
#[component]
pub(super) fn Servers(
    /// The list that the groups share.
    list: GroupedRows,
) -> impl IntoView {
    let store = expect_context::<Store>();
    let numbers =
        list_memo(store, |list| list.servers.iter().map(|server| server.number).collect::<Vec<_>>());
    let focused = move || {
        let scroller = list.scroller.get_untracked()?;
        scroller.query_selector(":focus").ok().flatten()?.dyn_into::<HtmlElement>().ok()
    };
    // Runs before the DOM moves.
    ImmediateEffect::new_scoped(move || {
        numbers.track();
        keep_in_place(list.scroller, focused());
    });
    let had_focus = StoredValue::new_local(None);
    // Evaluated right before the DOM moves: moving a server blurs its focused row.
    let each = move || {
        had_focus.set_value(focused());
        numbers.get()
    };
    Effect::new(move |_| {
        numbers.track();
        if focused().is_none() {
            focus_quietly(had_focus.get_value());
        }
    });
    view! {
        <For
            each
            key=|number| *number
            children=move |number| view! { <ServerGroups number list /> }
        />
    }
}

/// Keeps the focused row at its position on screen while servers change their order. Browsers do that for elements that
/// do not move in the document; Firefox does not do it for a row whose own server moves.
fn keep_in_place(scroller: NodeRef<html::Div>, row: Option<HtmlElement>) {
    // A list scrolled to the top stays there, so that the most urgent server is visible.
    let scroller = scroller.get_untracked().filter(|scroller| scroller.scroll_top() > 0);
    let Some((scroller, row)) = scroller.zip(row) else { return };
    let before = row.get_bounding_client_rect().top();
    request_animation_frame(move || {
        if row.is_connected() {
            let moved = row.get_bounding_client_rect().top() - before;
            scroller.set_scroll_top(scroller.scroll_top() + moved.round() as i32);
        }
    });
}

/// A server: its address, its count and the line about its traffic, then its groups.
#[component]
fn ServerGroups(
    /// The number of the server.
    number: usize,
    /// The list that the groups share.
    list: GroupedRows,
) -> impl IntoView {
    let store = expect_context::<Store>();
    let server_text = move |read: fn(&ServerRuns) -> String| {
        list_memo(store, move |list| {
            let is_this = |server: &&ServerRuns| server.number == number;
            list.servers.iter().find(is_this).map(read).unwrap_or_default()
        })
    };
    let address = server_text(|server| server.address.clone());
    let count = server_text(|server| server.count.clone());
    let line = server_text(|server| server.line.clone());
    view! {
        <div class="server" data-server=address>
            <h3>
                <Icon outline=icondata_lu::LuServer.data />
                <span class="code">{address}</span>
                " "
                <span class="secondary-text">{count}</span>
            </h3>
            <p class="secondary-text" data-field="server-line">
                {line}
            </p>
            <Groups server=Some(number) list />
        </div>
    }
}
