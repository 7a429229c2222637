//! What is on screen, one folder per part of it.

mod announcer;
mod connect;
mod copy_button;
mod export;
mod header;
mod heading;
mod icon;
mod incident;
mod notice;
mod outline;
mod paper;
mod pill;
mod runs;
mod text;
mod toolbar;
mod traffic;
mod tree;
mod virtual_list;

pub(crate) use announcer::Announcer;
pub(crate) use connect::{ConnectScreen, ConnectingScreen, RefusalScreen};
pub(crate) use copy_button::CopyButton;
pub(crate) use export::{ExportForm, can_export};
pub use header::SnapshotHeader;
pub(crate) use header::title;
pub use icon::Icon;
pub(crate) use incident::IncidentStrip;
pub(crate) use notice::ProblemCard;
pub(crate) use paper::Paper;
pub use pill::{AnswerPillView, StatusPill};
pub use runs::RunItem;
pub(crate) use runs::RunsPane;
pub(crate) use text::middle_cut;
pub(crate) use toolbar::Toolbar;
pub(crate) use traffic::{TrafficCounts, TrafficNotes, TrafficScreen};
pub use tree::TreeItem;
pub(crate) use tree::{NoTreeNote, TreeElement, TreePane};
