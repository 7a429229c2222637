//! The pending requests for a decision, as `listApprovals` answers them (protocol section 3.3).

use std::slice;

use crate::json::{ReadError, Slice, Writer, fields, items, optional, optionals, row_fields};
use crate::time::Millis;

/// A request for a person's decision.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ApprovalRequest {
    /// The run; `None` in a document about one run.
    pub(crate) run_id: Option<String>,
    /// The node that waits.
    pub(crate) node_id: String,
    /// Its iteration; 0 outside loops.
    pub(crate) iteration: u32,
    /// When it was made.
    pub(crate) requested_at: Option<Millis>,
    /// The question.
    pub(crate) title: Option<String>,
    /// What the decision is about.
    pub(crate) summary: Option<String>,
    /// What can be chosen, if it is more than yes or no: the label of each option, and what it means.
    pub(crate) options: Vec<(String, Option<String>)>,
    /// The scopes, one of which the deciding token needs; `None` if the source does not say.
    pub(crate) allowed_scopes: Option<Vec<String>>,
    /// The only people who may decide, if there are any; `None` if the source does not say.
    pub(crate) allowed_users: Option<Vec<String>>,
}

impl ApprovalRequest {
    /// The request of an event; `None` if the event does not have its text.
    pub(crate) fn from_event(event: Slice<'_>, at: Option<Millis>) -> Option<Self> {
        let [node_id, iteration, request] = fields(event, ["nodeId", "iteration", "request"]).ok()?;
        let [title, summary, options, scopes, users] =
            fields(request?, ["title", "summary", "options", "allowedScopes", "allowedUsers"]).ok()?;
        Some(Self {
            run_id: None,
            node_id: node_id?.text()?,
            iteration: iteration.and_then(|iteration| iteration.read_small().ok()).unwrap_or(0),
            requested_at: at,
            title: title.and_then(Slice::text),
            summary: summary.and_then(Slice::text),
            options: options.map(read_options).unwrap_or_default(),
            allowed_scopes: scopes.and_then(texts),
            allowed_users: users.and_then(texts),
        })
    }
}

/// Reads one request.
pub(crate) fn read_approval(slice: Slice<'_>) -> Result<ApprovalRequest, ReadError> {
    let [run_id, node_id, iteration, requested_at, title, summary] = row_fields(
        slice,
        ["runId", "nodeId", "iteration", "requestedAtMs", "requestTitle", "requestSummary"],
        ["run_id", "node_id", "", "requested_at_ms", "request_title", "request_summary"],
    )?;
    let [options, scopes, users] = fields(slice, ["options", "allowedScopes", "allowedUsers"])?;
    let [run_id, title, summary] = optionals([run_id, title, summary], Slice::read_text)?;
    Ok(ApprovalRequest {
        run_id,
        node_id: slice.need("nodeId", node_id)?.read_text()?,
        iteration: optional(iteration, Slice::read_small)?.unwrap_or(0),
        requested_at: optional(requested_at, Slice::read_time)?.map(Millis),
        title,
        summary,
        options: options.map(read_options).unwrap_or_default(),
        allowed_scopes: scopes.and_then(texts),
        allowed_users: users.and_then(texts),
    })
}

/// The options of a request; one of another form is left out.
fn read_options(list: Slice<'_>) -> Vec<(String, Option<String>)> {
    let option = |option: Slice<'_>| {
        let [key, label, summary] = fields(option, ["key", "label", "summary"]).ok()?;
        Some((label.or(key)?.text()?, summary.and_then(Slice::text)))
    };
    items(list).into_iter().flatten().flatten().filter_map(option).collect()
}

/// The texts of a list; `None` for anything else.
fn texts(list: Slice<'_>) -> Option<Vec<String>> {
    items(list).ok()?.map(|text| text.ok()?.text()).collect()
}

/// Writes a request as the payload of `listApprovals`; `None` if it lacks what its row is recognised by.
pub(crate) fn write_approval(request: &ApprovalRequest) -> Option<String> {
    let (run_id, requested_at) = (request.run_id.as_deref()?, request.requested_at?);
    let mut out = Writer::default();
    out.list(slice::from_ref(request), |out, request| {
        out.object(|out| {
            out.key("runId").text(run_id);
            out.key("nodeId").text(&request.node_id);
            out.key("iteration").number(f64::from(request.iteration));
            out.key("requestedAtMs").number(requested_at.0);
            for (key, text) in [("requestTitle", &request.title), ("requestSummary", &request.summary)] {
                if let Some(text) = text {
                    out.key(key).text(text);
                }
            }
            out.key("options").list(&request.options, |out, (label, summary)| {
                out.object(|out| {
                    out.key("label").text(label);
                    if let Some(summary) = summary {
                        out.key("summary").text(summary);
                    }
                });
            });
            for (key, list) in
                [("allowedScopes", &request.allowed_scopes), ("allowedUsers", &request.allowed_users)]
            {
                if let Some(list) = list {
                    out.key(key).list(list, |out, name| out.text(name));
                }
            }
        });
    });
    Some(out.finish())
}

#[cfg(test)]
mod tests {
    use super::{ApprovalRequest, read_approval, write_approval};
    use crate::json::Slice;
    use crate::time::Millis;

    #[test]
    fn a_request_has_a_title_and_a_summary_or_neither() {
        let payload = r#"[
            {"runId":"r","workflowKey":"w","nodeId":"gate","iteration":2,"requestedAtMs":5,"requestTitle":"Ship it?","requestSummary":"12 files.",
             "options":[{"key":"a","label":"Option A"},{"key":"b","summary":"second"},7,{}],"allowedScopes":["approval:submit"],"allowedUsers":[]},
            {"nodeId":"ask","requestTitle":null,"requestSummary":null}]"#;
        let text = |text: &str| Some(text.to_owned());
        let gate = ApprovalRequest {
            run_id: text("r"),
            node_id: "gate".to_owned(),
            iteration: 2,
            requested_at: Some(Millis(5.0)),
            title: text("Ship it?"),
            summary: text("12 files."),
            options: vec![("Option A".to_owned(), None), ("b".to_owned(), text("second"))],
            allowed_scopes: Some(vec!["approval:submit".to_owned()]),
            allowed_users: Some(Vec::new()),
        };
        let ask = ApprovalRequest {
            run_id: None,
            node_id: "ask".to_owned(),
            iteration: 0,
            requested_at: None,
            title: None,
            summary: None,
            options: Vec::new(),
            allowed_scopes: None,
            allowed_users: None,
        };
        let read = Slice::new(payload).read_items(read_approval).unwrap();
        assert_eq!(read, [gate.clone(), ask.clone()]);
        assert_eq!(Slice::new(&write_approval(&gate).unwrap()).read_items(read_approval).unwrap(), [gate]);
        assert_eq!(write_approval(&ask), None);
        assert!(Slice::new("[]").read_items(read_approval).unwrap().is_empty());
        for wrong in ["{}", "[7]", r#"[{"requestTitle":"x"}]"#, r#"[{"nodeId":7}]"#, "["] {
            assert!(Slice::new(wrong).read_items(read_approval).is_err(), "{wrong}");
        }
    }
}
