//! lionagi's data on the wire and in its files: sessions, statuses, streams, plays.

mod column;
mod contract;
mod detail;
mod lane;
pub(crate) mod play;
mod row;
mod seconds;
mod stored_status;
mod timeout;
mod words;

pub(crate) use column::RowProblems;
pub(crate) use play::evidence;
pub(crate) use seconds::parse_iso;

pub use contract::Contract;
pub(crate) use contract::delivery;
pub(crate) use detail::{Branch, Message, SessionDetail};
pub(crate) use lane::StreamMessage;
pub use lane::{LaneSignal, LaneState, Stream, StreamNode, StreamSignal};
pub use play::{Play, PlayStatus, Show, ShowStatus};
pub use row::{End, SessionRow, read_session};
pub use seconds::Seconds;
pub use stored_status::StoredStatus;
pub use timeout::Timeout;
pub(crate) use timeout::timeout_text;
pub(crate) use words::ReasonCode;
pub use words::{
    ClaimStatus, Delivery, InvocationKind, LionagiDocumentKind, NormalizedHealth, Outcome, SessionHealth,
    SessionStatus, Severity, SeverityTone, Verification,
};
