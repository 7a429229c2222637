//! The panel's own row under the header.

use leptos::prelude::*;

use crate::host;
use crate::pill::IconOf;
use crate::source::gateway;
use crate::store::{Held, Screen, Store, View};

/// Brand, list of runs, open, theme.
#[component]
pub(crate) fn Toolbar() -> impl IntoView {
    let store = Store::use_context();
    let listed = Memo::new(move |_| {
        let view = store.view();
        view == View::Run
            && store.with_held(|held| match held {
                Held::Nothing => false,
                Held::Document { chosen, .. } => chosen.is_some(),
                Held::Live { .. } => true,
            })
    });
    let to_list = move |_| {
        store.choose(None);
        gateway::list(store);
    };
    let open = move |_| {
        store.screen.set(Screen::Connect);
        host::focus_later(".screen h2");
    };
    view! {
        <div class="toolbar" role="toolbar" aria-label="Panel">
            <span class="brand"><IconOf outline=icondata_lu::LuActivity/>"Runstate"</span>
            <Show when=move || listed.get()>
                <button class="btn btn-s" type="button" data-action="runs" on:click=to_list>
                    <IconOf outline=icondata_lu::LuList/>
                    <span class="w">"All runs"</span>
                </button>
            </Show>
            <span class="fill"></span>
            <Show when=move || store.view() != View::Connect>
                <button class="btn btn-s" type="button" data-action="open" on:click=open>
                    <IconOf outline=icondata_lu::LuFolderOpen/>
                    <span class="w">"Open"</span>
                </button>
            </Show>
            <button class="btn-icon" type="button" data-action="theme" aria-label="Theme" on:click=move |_| host::toggle_theme()>
                <IconOf outline=icondata_lu::LuSunMoon/>
            </button>
        </div>
    }
}
