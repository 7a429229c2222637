//! Reads Smithers' documents: responses and rows as JSON, and the outputs of the `smithers` command line tool.

mod document;
mod envelope;
mod inspect_output;
mod inspection;
mod list;
mod origin;
mod payload;
mod ps;
mod status_output;
mod why_output;

pub(crate) use document::read_answer;
