//! The one polite voice of the panel.

use leptos::prelude::*;
use runstate::announcement::{Announcer as Decision, Said};

use crate::el::{El, el_of};
use crate::host;
use crate::kept::Slot;
use crate::store::Store;

/// A visually hidden status region, empty at first; it speaks derived changes of state only.
pub(crate) fn announcer(store: Store) -> El {
    let spoken = Slot::new(String::new());
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
    el_of("DIV", "vh").attr("role", "status").live_text(move || spoken.get())
}
