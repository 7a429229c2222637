//! The servers of a page's traffic, each with a heading, a line about its traffic, and its groups.

use leptos::prelude::*;

use super::super::Icon;
use super::group::{GroupedRows, Groups};
use crate::store::{SessionData, select};
use crate::text::bounded_name;

/// All servers, the one with the most urgent run first.
#[component]
pub(super) fn Servers(
    /// The list that the groups share.
    list: GroupedRows,
) -> impl IntoView {
    let data = expect_context::<SessionData>();
    let numbers =
        select(data.runs, |list| list.servers.iter().map(|server| server.number).collect::<Vec<_>>());
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
    let data = expect_context::<SessionData>();
    let server =
        select(data.runs, move |list| list.servers.iter().find(|server| server.number == number).cloned());
    let address = select(server, |server| server.address.clone());
    let count = select(server, |server| server.count.clone());
    let line = select(server, |server| server.line.clone());
    view! {
        <div class="server" data-server=address>
            <h3>
                <Icon outline=icondata_lu::LuServer.data />
                <span class="code">{move || bounded_name(&address.get())}</span>
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
