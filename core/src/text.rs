//! Building text without the formatting machinery, which costs the WebAssembly module more than the text itself.

/// The parts one after another.
pub(crate) fn concat(parts: &[&str]) -> String {
    let mut text = String::with_capacity(parts.iter().map(|part| part.len()).sum());
    for part in parts {
        text.push_str(part);
    }
    text
}
