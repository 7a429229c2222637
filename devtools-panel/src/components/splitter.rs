//! The line between two panes, which a person moves with the pointer or the arrow keys.

use leptos::ev::{KeyboardEvent, PointerEvent};
use leptos::html::Div;
use leptos::prelude::*;
use leptos_use::use_resize_observer;
use web_sys::Element;

use super::keyboard::has_modifier;
use crate::browser::storage;
use crate::store::Panel;

/// A key moves the line by this share of both panes, in percent.
const STEP: f64 = 2.0;

/// A pane beside another one, whose width a person can change.
#[derive(Clone, Copy)]
pub(crate) enum SizedPane {
    /// The list of runs, before the line.
    Runs,
    /// The detail of a node, after the line.
    Node,
}

impl SizedPane {
    const fn name(self) -> &'static str {
        match self {
            Self::Runs => "runs",
            Self::Node => "node",
        }
    }

    const fn label(self) -> &'static str {
        match self {
            Self::Runs => "Width of the run list",
            Self::Node => "Width of the node detail",
        }
    }

    const fn kept_as(self) -> &'static str {
        match self {
            Self::Runs => "runstate-runs-width",
            Self::Node => "runstate-node-width",
        }
    }

    /// The narrowest and the widest share of both panes, in percent. The style sheet limits the width in rem, too.
    const fn limits(self) -> (f64, f64) {
        match self {
            Self::Runs => (10.0, 50.0),
            Self::Node => (20.0, 75.0),
        }
    }

    /// By how much the pane becomes wider when the line moves to the right.
    const fn direction(self) -> f64 {
        match self {
            Self::Runs => 1.0,
            Self::Node => -1.0,
        }
    }

    /// The pane beside its line, and the element around both panes.
    fn elements(self, line: &Element) -> Option<[Element; 2]> {
        let pane = match self {
            Self::Runs => line.previous_element_sibling(),
            Self::Node => line.next_element_sibling(),
        };
        Some([pane?, line.parent_element()?])
    }

    /// The pane's share of both panes, in percent; `None` if they are not on screen.
    fn share(self, line: &Element) -> Option<f64> {
        let [pane, both] = self.elements(line)?.map(|element| width(&element));
        (both > 0.0).then_some(100.0 * pane / both)
    }
}

fn width(element: &Element) -> f64 {
    element.get_bounding_client_rect().width()
}

/// The state when the pointer took the line.
#[derive(Clone, Copy)]
struct Drag {
    /// The pane's share of both panes, in percent.
    share: f64,
    /// Where the pointer was, in pixels.
    x: f64,
    percent_per_pixel: f64,
}

impl Drag {
    fn new(line: &Element, pane: SizedPane, event: &PointerEvent) -> Option<Self> {
        let percent_per_pixel = 100.0 / width(&line.parent_element()?);
        Some(Self { share: pane.share(line)?, x: f64::from(event.client_x()), percent_per_pixel })
    }

    /// The share with the pointer where it is now.
    fn share_at(self, pane: SizedPane, event: &PointerEvent) -> f64 {
        let moved = f64::from(event.client_x()) - self.x;
        self.share + pane.direction() * moved * self.percent_per_pixel
    }
}

/// The widths that a person has chosen, as shares of both panes in percent. Without one, the style sheet decides.
#[derive(Clone, Copy)]
pub(crate) struct PaneWidths {
    runs: RwSignal<Option<f64>>,
    node: RwSignal<Option<f64>>,
}

impl Default for PaneWidths {
    fn default() -> Self {
        Self { runs: RwSignal::new(None), node: RwSignal::new(None) }
    }
}

impl PaneWidths {
    fn of(self, pane: SizedPane) -> RwSignal<Option<f64>> {
        match pane {
            SizedPane::Runs => self.runs,
            SizedPane::Node => self.node,
        }
    }

    /// Keeps the widths for the next visit of the page.
    pub(crate) fn remember(self) {
        for pane in [SizedPane::Runs, SizedPane::Node] {
            let (least, most) = pane.limits();
            let read = |kept: &str| {
                let share = kept.parse::<f64>().ok().filter(|share| (least..=most).contains(share));
                share.map(Some)
            };
            let write = |share: Option<f64>| share.map(|share| share.to_string()).unwrap_or_default();
            storage::remember_value(self.of(pane), pane.kept_as(), read, write);
        }
    }

    /// The value of a pane's property in the style of the panel; reactive.
    pub(crate) fn style(self, pane: SizedPane) -> Option<String> {
        self.of(pane).get().map(|width| format!("{width}%"))
    }
}

/// The line at the edge of a pane. The style sheet hides it where the panes are not beside each other.
#[component]
pub(crate) fn Splitter(
    /// The pane that becomes wider or narrower.
    pane: SizedPane,
) -> impl IntoView {
    let (chosen, panel) = (expect_context::<PaneWidths>().of(pane), expect_context::<Panel>());
    let line = NodeRef::<Div>::new();
    let (least, most) = pane.limits();
    let share = move || pane.share(line.get_untracked()?.as_ref());
    let resize = move |share: f64| chosen.set(Some(share.clamp(least, most).round()));
    let drag = StoredValue::new(None::<Drag>);
    let on_down = move |event: PointerEvent| {
        if event.button() == 0
            && let Some(line) = line.get_untracked()
        {
            drag.set_value(Drag::new(&line, pane, &event));
            // It can only fail for a pointer that is no longer there.
            let _ = line.set_pointer_capture(event.pointer_id());
        }
    };
    let on_move = move |event: PointerEvent| {
        if let Some(drag) = drag.get_value() {
            resize(drag.share_at(pane, &event));
        }
    };
    let on_key = move |event: KeyboardEvent| {
        let Some(share) = share().filter(|_| !has_modifier(&event)) else { return };
        match event.key().as_str() {
            "ArrowRight" => resize(share + pane.direction() * STEP),
            "ArrowLeft" => resize(share - pane.direction() * STEP),
            "Home" => resize(least),
            "End" => resize(most),
            "Enter" => chosen.set(None),
            _ => return,
        }
        event.prevent_default();
    };
    // The style sheet limits a chosen width, too, so that the value is measured whenever the pane or the space for both changes.
    let percent = RwSignal::new(None::<String>);
    let elements = Signal::derive_local(move || {
        line.get().and_then(|line| pane.elements(&line)).into_iter().flatten().collect::<Vec<_>>()
    });
    let measure = move || percent.set(share().map(|share| share.round().to_string()));
    let _stop_on_unmount = use_resize_observer(elements, move |_, _| measure());
    view! {
        <div
            class="splitter"
            role="separator"
            tabindex="0"
            data-splitter=pane.name()
            aria-label=pane.label()
            aria-orientation="vertical"
            aria-controls=panel.element_id(pane.name())
            aria-valuenow=percent
            aria-valuemin=least.to_string()
            aria-valuemax=most.to_string()
            aria-valuetext=move || percent.get().map(|share| format!("{share} %"))
            title="Drag it, or use the arrow keys. A double-click or Enter restores the width."
            node_ref=line
            on:pointerdown=on_down
            on:pointermove=on_move
            on:lostpointercapture=move |_| drag.set_value(None)
            on:dblclick=move |_| chosen.set(None)
            on:keydown=on_key
        ></div>
    }
}
