//! The board as JSON, with Studio's keys.

use super::{Board, Item, Rules};
use crate::json::Writer;
use crate::word::Vocabulary;

pub(super) fn board(board: &Board, rules: Rules) -> String {
    let mut out = Writer::default();
    out.object(|out| {
        out.key("attention").list(&board.attention, item);
        out.key("discharged").list(&board.discharged, item);
        out.key("unacknowledged").number(board.unacknowledged as f64);
        out.key("active").list(&board.active, |out, id| out.text(id));
        out.key("recent").list(&board.recent, |out, id| out.text(id));
        out.key("activeInvocations").list(&board.active_invocations, |out, id| out.text(id));
        match rules {
            Rules::Studio => {}
            Rules::Runstate => out.key("unrecognised").list(&board.unrecognised, |out, id| out.text(id)),
        }
    });
    out.finish()
}

fn item(out: &mut Writer, item: &Item) {
    out.object(|out| {
        out.key("id").text(&item.id);
        out.key("kind").text(item.kind.as_str());
        out.key("name").text(&item.name);
        out.key("reason").text(item.reason.as_str());
        match &item.status {
            Some(status) => out.key("status").text(status),
            None => out.key("status").null(),
        }
        if let Some(streak) = item.streak {
            out.key("streakCount").number(streak as f64);
        }
        out.optional_text("reasonSummary", item.summary.as_deref());
        out.optional_text("disposition", item.disposition.map(Vocabulary::as_str));
    });
}
