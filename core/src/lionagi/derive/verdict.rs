//! What a review came to.

use crate::lionagi::wire::ReviewVerdict;

/// The verdict in a review's words, as Studio reads them; whatever it does not know is no verdict.
///
/// ```
/// use runstate::lionagi::wire::ReviewVerdict;
/// use runstate::lionagi::derive::review_verdict;
///
/// assert_eq!(review_verdict(Some("Request_Changes")), ReviewVerdict::RequestChanges);
/// assert_eq!(review_verdict(Some("lgtm")), ReviewVerdict::None);
/// assert_eq!(review_verdict(None), ReviewVerdict::None);
/// ```
pub fn review_verdict(words: Option<&str>) -> ReviewVerdict {
    let words = words.unwrap_or_default().to_ascii_lowercase().replace('_', "-");
    match &*words {
        "approve" | "pass" => ReviewVerdict::Approve,
        "approve-with-fixes" | "approve-with-suggestions" => ReviewVerdict::ApproveWithFixes,
        "request-changes" => ReviewVerdict::RequestChanges,
        "reject" | "fail" => ReviewVerdict::Reject,
        _ => ReviewVerdict::None,
    }
}
