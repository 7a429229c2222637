//! An element that scrolls its content, with one or more lists inside.

use leptos::html;
use leptos::prelude::*;
use leptos_use::{use_event_listener, use_resize_observer};

/// A scrolling element and its content. Its lists share the height that browsers can draw.
#[derive(Clone, Copy)]
pub(crate) struct Scroller {
    /// The element that scrolls.
    pub(crate) element: NodeRef<html::Div>,
    content: NodeRef<html::Div>,
    /// Notifies of a scroll, and of a change of the size of the element or of its content.
    pub(super) changed: Trigger,
    /// The number of lists inside.
    pub(super) lists: RwSignal<usize>,
}

impl Scroller {
    pub(crate) fn new() -> Self {
        let (element, content, changed) = (NodeRef::new(), NodeRef::new(), Trigger::new());
        // The listeners end with the component that calls this.
        let _ = use_event_listener(element, leptos::ev::scroll, move |_| changed.notify());
        let _ = use_resize_observer(element, move |_, _| changed.notify());
        let _ = use_resize_observer(content, move |_, _| changed.notify());
        Self { element, content, changed, lists: RwSignal::new(0) }
    }

    /// Measures the lists again, after they have changed their order.
    pub(crate) fn measure_again(self) {
        self.changed.notify();
    }
}

/// The scrolling element.
#[component]
pub(crate) fn ScrollArea(
    /// The scroller whose element this is.
    scroller: Scroller,
    /// The role of the element in the list.
    #[prop(optional)]
    role: Option<&'static str>,
    /// The content.
    children: Children,
) -> impl IntoView {
    view! {
        // tabindex=-1: Firefox otherwise makes the scroll container a tab stop.
        <div class="scroll" role=role tabindex="-1" node_ref=scroller.element>
            <div class="scroll-content" node_ref=scroller.content>
                {children()}
            </div>
        </div>
    }
}
