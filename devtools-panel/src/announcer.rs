//! The one polite voice of the panel.

use leptos::prelude::*;
use runstate::announcement::{Announcer as Decision, Said};

use crate::host;
use crate::store::Store;

/// A visually hidden status region, empty at first; it speaks derived changes of state only.
#[component]
pub(crate) fn Announcer() -> impl IntoView {
    let store = Store::use_context();
    let spoken = RwSignal::new(String::new());
    let decision = StoredValue::new(Decision::default());
    Effect::new(move |_| {
        store.header.track();
        store.tick.track();
        let now = host::local_now();
        let said = store.with_run(|run, freshness, _| {
            let label = run.workflow.clone().or_else(|| run.run_id.clone()).unwrap_or_default();
            (label, Said::of(run, freshness))
        });
        let due = decision.try_update_value(|decision| {
            if let Some((label, said)) = &said {
                decision.observe(label, said, now);
            }
            decision.due(now)
        });
        if let Some(text) = due.flatten() {
            spoken.set(text);
        }
    });
    view! { <div class="vh" role="status">{spoken}</div> }
}
