use arbitrary::Unstructured;
use runstate::viewer::Place;

use super::input;

/// A place is written as it was read, and never has a token.
pub fn address(data: &[u8]) {
    let texts = [input::address(&mut Unstructured::new(data)).ok(), String::from_utf8(data.to_vec()).ok()];
    for text in texts.into_iter().flatten() {
        let (place, _) = Place::parse(&text);
        let written = place.to_string();
        assert_eq!(Place::parse(&written), (place, Vec::new()), "{text:?} became {written:?}");
        assert!(!written.starts_with("token=") && !written.contains("&token="), "{written}");
    }
}
