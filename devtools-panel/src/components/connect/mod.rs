//! Screens without a run: choosing a source, waiting for it, and a refusal.

mod connect_screen;
mod connecting;
mod gateway_form;
mod paste_form;
mod refusal;
mod screen;
mod source_card;
mod token_field;
mod token_form;

pub(crate) use connect_screen::ConnectScreen;
pub(crate) use connecting::ConnectingScreen;
pub(crate) use refusal::RefusalScreen;
use screen::Screen;
pub(crate) use source_card::{GatewayCard, PasteCard};
