//! The browser's own functions, without any state of the panel.

pub(crate) mod clipboard;
pub(crate) mod devtools;
pub(crate) mod download;
pub(crate) mod history;
pub(crate) mod host;
pub(crate) mod js_error;
pub(crate) mod page;
pub(crate) mod storage;
pub(crate) mod theme;
