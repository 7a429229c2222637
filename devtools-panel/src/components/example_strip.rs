//! The strip above the recording, which nobody may take for a run of their own.

use leptos::prelude::*;
use runstate::viewer::Screen;

use super::Icon;
use crate::store::{Opened, Panel, ScreenState, Sessions};

/// The strip, while the recording is on screen.
#[component]
pub(crate) fn ExampleStrip() -> impl IntoView {
    let sessions = expect_context::<Sessions>();
    let ScreenState { screen, .. } = expect_context();
    let panel = expect_context::<Panel>();
    let is_recording = move || {
        let opened = sessions.opened.with(|opened| matches!(opened, Some((_, Opened::Recording))));
        opened && screen.get() != Screen::Nothing
    };
    view! {
        <Show when=is_recording>
            <section class="export-strip" role=panel.section_role() aria-label="Example" data-field="example">
                <p class="export-strip-name">
                    <Icon outline=icondata_lu::LuHistory.data />
                    <b>"Example"</b>
                </p>
                <p>"A recorded run, not one of yours."</p>
            </section>
        </Show>
    }
}
