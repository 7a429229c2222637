//! The servers of a page's traffic, each with a heading, a line about its traffic, and its groups.

use leptos::prelude::*;
use runstate::viewer::ServerRuns;

use super::super::Icon;
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
    view! {
        <For
            each=move || numbers.get()
            key=|number| *number
            children=move |number| view! { <ServerGroups number list /> }
        />
    }
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
