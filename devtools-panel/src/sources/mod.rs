//! Sources that the panel opens: what a person pastes, drops or chooses, and what the page itself names.

pub(crate) mod files;
pub(crate) mod page;
mod page_address;
mod start;

pub(crate) use page_address::PageAddressBar;
pub(crate) use start::start;
