//! Events of a log: a text of a node may continue an earlier text of the same node, whatever other nodes write meanwhile.

use std::mem;

use memchr::memchr_iter;

use super::private_keys;
use super::redactor::Redactor;
use crate::json::{Slice, fields};
use crate::text::slice;

impl Redactor {
    /// An event on one line, as by [`json`](Self::json).
    pub(crate) fn event(&mut self, event: Slice<'_>) -> String {
        let node = node_of(event);
        let open = self.open_of_nodes.remove(&node).unwrap_or_default();
        let others = mem::replace(&mut self.open, open);
        let clean = self.json(event);
        let open = mem::replace(&mut self.open, others);
        if open.key_lines.is_some() || open.prompt.is_some() {
            self.open_of_nodes.insert(node, open);
        }
        clean
    }

    /// Reads an event that is left out: what follows may continue it. Its secrets are not counted.
    pub(crate) fn omit_event(&mut self, event: Slice<'_>) {
        let continues = || !self.open_of_nodes.is_empty() && self.open_of_nodes.contains_key(&node_of(event));
        if !may_open(event.json()) && !continues() {
            return;
        }
        let count = self.count;
        let numbered = mem::take(&mut self.numbered);
        self.event(event);
        (self.count, self.numbered) = (count, numbered);
    }
}

/// Whether a text of an event may leave something open, which is quicker to see than what it is.
fn may_open(event: &str) -> bool {
    let asks = |quote: usize| {
        let before = slice(event, 0..quote).trim_end_matches(['\\', 'n', 'r', 't', ' ']);
        before.ends_with(':')
            && slice(event, quote + 1..event.len()).starts_with([',', '}', ']', '\\', ' ', '\r', '\n'])
    };
    private_keys::may_begin(event) || memchr_iter(b'"', event.as_bytes()).any(asks)
}

/// The run, the node and its iteration, as JSON; empty for an event of none.
fn node_of(event: Slice<'_>) -> String {
    let names = ["runId", "nodeId", "iteration", "step_id", "op_id", "payload"];
    let outer = fields(event, names).unwrap_or_default();
    let payload = outer.last().copied().flatten().filter(|payload| payload.is_object());
    let inner = payload.and_then(|payload| fields(payload, names).ok()).unwrap_or_default();
    let found = inner.into_iter().zip(outer).take(names.len() - 1);
    found.map(|(inner, outer)| inner.or(outer).map_or("", Slice::json)).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::Redactor;
    use crate::json::Slice;
    use crate::redact::PathRule;

    fn output(node: &str, text: &str) -> String {
        format!(r#"{{"type":"NodeOutput","runId":"r","nodeId":"{node}","iteration":0,"text":"{text}"}}"#)
    }

    #[test]
    fn the_answer_to_a_prompt_is_a_secret_whatever_other_nodes_write_meanwhile() {
        let row = |event: &str| format!(r#"{{"runId":"r","seq":1,"payload":{event}}}"#);
        let (ask, other, answer) =
            (output("a", "Password:"), output("b", "sunflower"), output("a", "hunter2"));
        for [ask, other, answer] in
            [[ask.clone(), other.clone(), answer.clone()], [&ask, &other, &answer].map(|event| row(event))]
        {
            let mut redactor = Redactor::new(&[], PathRule::Redact);
            let clean = [&ask, &other, &answer].map(|event| redactor.event(Slice::new(event)));
            assert_eq!(clean, [ask.clone(), other.clone(), answer.replace("hunter2", "[redacted]")]);
            assert_eq!(redactor.count, 1);
            // What was asked is answered.
            assert_eq!(redactor.event(Slice::new(&answer)), answer);
        }
    }

    #[test]
    fn an_event_that_is_left_out_asks_and_is_not_counted() {
        let line = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcw";
        let nested = |text: &str| format!(r#"{{\"text\":\"{text}\"}}"#);
        for (before, secret) in [
            ("token=a1b2c3d4e5f6 Password:".to_owned(), "hunter2"),
            ("Password: \\r\\n".to_owned(), "hunter2"),
            (nested("Password:"), "hunter2"),
            ("-----BEGIN PRIVATE KEY-----".to_owned(), line),
            (format!("Private-Lines: 2\\n{line}"), line),
        ] {
            let secret = if before.starts_with('{') { nested(secret) } else { secret.to_owned() };
            let (before, answer) = (output("a", &before), output("a", &secret));
            let mut redactor = Redactor::new(&[], PathRule::Redact);
            redactor.omit_event(Slice::new(&before));
            assert_eq!(redactor.count, 0);
            assert!(redactor.event(Slice::new(&answer)).contains("[redacted]"), "{before}");
            assert_eq!(redactor.count, 1, "{before}");
            // What was answered by an event that is left out is not answered again.
            let mut redactor = Redactor::new(&[], PathRule::Redact);
            redactor.omit_event(Slice::new(&output("a", "Password:")));
            redactor.omit_event(Slice::new(&output("a", "compiles")));
            assert_eq!(redactor.event(Slice::new(&output("a", "hunter2"))), output("a", "hunter2"));
        }
    }
}
