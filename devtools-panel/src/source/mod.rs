//! Where data comes from. A source hands bytes to the core and the result to the store; it renders nothing.

pub(crate) mod file;
pub(crate) mod gateway;
pub(crate) mod worker;
