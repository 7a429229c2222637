//! The panel as a part of its page.

use std::sync::atomic::{AtomicU32, Ordering};

use leptos::prelude::*;
use wasm_bindgen::JsValue;
use web_sys::Worker;

use super::host_page::{HostEvent, HostPage, PanelView};
use crate::session;

/// The number of panels created on this page so far.
static PANELS: AtomicU32 = AtomicU32::new(0);

/// The panel as a part of its page.
#[derive(Clone, Copy)]
pub(crate) struct Panel {
    /// Which parts of the panel are shown.
    pub(crate) view: ReadSignal<PanelView>,
    set_view: WriteSignal<PanelView>,
    /// Distinguishes the element ids of several panels on one page.
    number: u32,
    /// The host page of an embedded panel.
    host_page: Option<HostPage>,
}

impl Panel {
    pub(super) fn new(host_page: Option<HostPage>) -> Self {
        let (view, set_view) = signal(PanelView::default());
        Self { view, set_view, number: PANELS.fetch_add(1, Ordering::Relaxed), host_page }
    }

    /// An element id that no other panel on the page has.
    pub(crate) fn element_id(self, name: &str) -> String {
        if self.number == 0 { name.to_owned() } else { format!("{name}-{}", self.number) }
    }

    /// Whether the page is the panel's own, so that it can be printed and saved.
    pub(crate) fn owns_page(self) -> bool {
        self.host_page.is_none()
    }

    /// The ARIA role of a named section. In a host page it is not a landmark, because several panels would have the
    /// same ones.
    pub(crate) fn section_role(self) -> Option<&'static str> {
        self.host_page.map(|_| "group")
    }

    /// Shows these parts of the panel.
    pub(crate) fn show(self, view: PanelView) {
        if self.view.get_untracked() != view {
            self.set_view.set(view);
        }
    }

    /// Reports an event to the host page, if there is one. Returns whether the panel should perform an action; the host
    /// page may have done it.
    pub(crate) fn report(self, event: HostEvent) -> bool {
        self.host_page.is_none_or(|page| page.report.run(event))
    }

    /// Starts a worker of this module.
    pub(super) fn start_worker(self) -> Result<Worker, JsValue> {
        match self.host_page {
            Some(page) => page.start_worker.run(()),
            None => session::start_worker(),
        }
    }
}
