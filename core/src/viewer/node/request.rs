//! The decision that a node waits for: the question, the options, and who may decide.

use super::window::NodeRequest;
use crate::smithers::wire::ApprovalRequest;
use crate::text::concat;
use crate::viewer::NodeKey;

/// The question of a request; `None` if the server sent none.
pub(super) fn request(approval: &ApprovalRequest) -> Option<NodeRequest> {
    let (title, summary) = match (&approval.title, &approval.summary) {
        (Some(title), summary) => (title.clone(), summary.clone()),
        (None, Some(summary)) => (summary.clone(), None),
        (None, None) => return None,
    };
    let option = |(label, summary): &(String, Option<String>)| match summary {
        Some(summary) => concat(&[label, ": ", summary]),
        None => label.clone(),
    };
    let options = approval.options.iter().map(option).collect();
    Some(NodeRequest { title, summary, options, who: who(approval) })
}

/// Who may decide, as a sentence; `None` if the source does not say.
fn who(approval: &ApprovalRequest) -> Option<String> {
    let (scopes, users) = (approval.allowed_scopes.as_ref()?, approval.allowed_users.as_ref()?);
    let scopes = if scopes.is_empty() { "approval:submit".to_owned() } else { scopes.join(" or ") };
    Some(if users.is_empty() {
        concat(&["Everybody whose token has the scope ", &scopes, " may decide."])
    } else {
        concat(&["Only ", &users.join(", "), " may decide, with the scope ", &scopes, "."])
    })
}

/// The request for a decision on one iteration of a node.
pub(super) fn request_of<'a>(requests: &'a [ApprovalRequest], key: &NodeKey) -> Option<&'a ApprovalRequest> {
    let is_of_node =
        |request: &&ApprovalRequest| request.node_id == key.node_id && request.iteration == key.iteration;
    requests.iter().find(is_of_node)
}

#[cfg(test)]
mod tests {
    use super::{request, request_of};
    use crate::json::Slice;
    use crate::smithers::wire::read_approval;
    use crate::viewer::NodeKey;

    #[test]
    fn a_request_has_its_options_and_who_may_decide() {
        let read = |more: &str| {
            let json = format!(r#"[{{"nodeId":"pick","iteration":1,"requestTitle":"Which one?"{more}}}]"#);
            let found = request(&Slice::new(&json).read_items(read_approval).unwrap()[0]).unwrap();
            (found.options, found.who)
        };
        assert_eq!(read(""), (Vec::new(), None));
        let anybody = r#","allowedScopes":[],"allowedUsers":[]"#;
        let who = "Everybody whose token has the scope approval:submit may decide.".to_owned();
        assert_eq!(read(anybody), (Vec::new(), Some(who)));
        let some = r#","options":[{"key":"a","label":"Option A"},{"key":"b","label":"Option B","summary":"second"}],
            "allowedScopes":["run:admin"],"allowedUsers":["mira","jo"]"#;
        let options = vec!["Option A".to_owned(), "Option B: second".to_owned()];
        let who = "Only mira, jo may decide, with the scope run:admin.".to_owned();
        assert_eq!(read(some), (options, Some(who)));
        assert_eq!(read(r#","options":7,"allowedScopes":"x","allowedUsers":[7]"#), (Vec::new(), None));
    }

    #[test]
    fn a_request_belongs_to_one_iteration() {
        let requests = Slice::new(r#"[{"nodeId":"pick","iteration":1}]"#).read_items(read_approval).unwrap();
        let found =
            |iteration| request_of(&requests, &NodeKey { node_id: "pick".to_owned(), iteration }).is_some();
        assert_eq!((found(0), found(1)), (false, true));
        assert_eq!(request(&requests[0]), None, "it has no question");
    }
}
