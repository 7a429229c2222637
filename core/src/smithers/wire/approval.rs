//! The pending requests for a decision, as `listApprovals` answers them (protocol section 3.3).

use crate::json::{ReadError, Slice, optional, optionals, row_fields};

/// A request for a person's decision.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ApprovalRequest {
    /// The node that waits.
    pub(crate) node_id: String,
    /// Its iteration; 0 outside loops.
    pub(crate) iteration: u32,
    /// The question.
    pub(crate) title: Option<String>,
    /// What the decision is about.
    pub(crate) summary: Option<String>,
}

/// Reads the payload of `listApprovals`.
///
/// # Errors
/// [`ReadError`] for broken JSON and for rows without a node.
pub(crate) fn read_approvals(payload: &str) -> Result<Vec<ApprovalRequest>, ReadError> {
    Slice::new(payload).read_items(read_approval)
}

/// Reads one request.
pub(crate) fn read_approval(slice: Slice<'_>) -> Result<ApprovalRequest, ReadError> {
    let [node_id, iteration, title, summary] = row_fields(
        slice,
        ["nodeId", "iteration", "requestTitle", "requestSummary"],
        ["node_id", "", "request_title", "request_summary"],
    )?;
    let [title, summary] = optionals([title, summary], Slice::read_text)?;
    Ok(ApprovalRequest {
        node_id: slice.need("nodeId", node_id)?.read_text()?,
        iteration: optional(iteration, Slice::read_small)?.unwrap_or(0),
        title,
        summary,
    })
}

#[cfg(test)]
mod tests {
    use super::{ApprovalRequest, read_approvals};

    #[test]
    fn a_request_has_a_title_and_a_summary_or_neither() {
        let payload = r#"[
            {"runId":"r","workflowKey":"w","nodeId":"gate","iteration":2,"requestTitle":"Ship it?","requestSummary":"12 files."},
            {"nodeId":"ask","requestTitle":null,"requestSummary":null}]"#;
        let request =
            |node_id: &str, iteration, title: Option<&str>, summary: Option<&str>| ApprovalRequest {
                node_id: node_id.to_owned(),
                iteration,
                title: title.map(str::to_owned),
                summary: summary.map(str::to_owned),
            };
        assert_eq!(
            read_approvals(payload).unwrap(),
            [request("gate", 2, Some("Ship it?"), Some("12 files.")), request("ask", 0, None, None)]
        );
        assert!(read_approvals("[]").unwrap().is_empty());
        for wrong in ["{}", "[7]", r#"[{"requestTitle":"x"}]"#, r#"[{"nodeId":7}]"#, "["] {
            assert!(read_approvals(wrong).is_err(), "{wrong}");
        }
    }
}
