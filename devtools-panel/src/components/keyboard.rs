//! Keys with Ctrl, Meta or Alt, which belong to the browser and the system.

use web_sys::KeyboardEvent;

/// Whether a key is pressed together with Ctrl, Meta or Alt.
pub(crate) fn has_modifier(event: &KeyboardEvent) -> bool {
    event.ctrl_key() || event.meta_key() || event.alt_key()
}
