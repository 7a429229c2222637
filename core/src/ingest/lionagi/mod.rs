//! Recognises and reads documents of lionagi, and joins the documents about one session.

mod auxiliary;
mod document;
pub(crate) mod join;
mod list;
mod plays;
mod stream;

pub use document::read;
pub(crate) use document::read_document;
pub use join::join;
pub(crate) use stream::{begins_like_a_stream, is_stream, read_stream};
