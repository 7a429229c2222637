//! The outputs of the `smithers` command line tool.

mod inspect_output;
pub(crate) mod ps;
mod status_output;
mod why_output;

pub(crate) use inspect_output::read_inspect_output;
pub(crate) use status_output::read_status_output;
pub(crate) use why_output::read_why_output;
