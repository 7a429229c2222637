//! The frame of a screen without a run.

use leptos::html;
use leptos::prelude::*;

use super::super::heading::heading_focus;
use crate::store::Panel;

/// A screen named by its heading, which can take the focus.
#[component]
pub(super) fn Screen(
    /// The screen's `data-screen`.
    name: &'static str,
    /// The heading.
    #[prop(into)]
    heading: Signal<&'static str>,
    /// The code of a refusal, for tools.
    #[prop(optional_no_strip)]
    code: Option<String>,
    /// The content below the heading.
    children: Children,
) -> impl IntoView {
    let panel = expect_context::<Panel>();
    let heading_id = panel.element_id(&format!("{name}-name"));
    let heading_element = heading_focus::<html::H2>();
    view! {
        <section role=panel.section_role() class="screen" data-screen=name aria-labelledby=heading_id.clone() data-code=code>
            <h2 id=heading_id.clone() tabindex="-1" node_ref=heading_element>
                {heading}
            </h2>
            {children()}
        </section>
    }
}
