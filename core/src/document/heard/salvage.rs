//! A JSON text that was cut off inside a list: the items before the cut are whole.

use crate::json::{Reader, Token};

/// The keys of the lists that may be closed: lists of answers, rows and entries. Half a tree would look like a whole one.
const LISTS: [&str; 6] = ["payload", "data", "entries", "runs", "sessions", "items"];

/// Closes a text that ends too early behind the last whole item of its outermost open list.
pub(crate) fn close(text: &str, begin: usize) -> Option<String> {
    let mut reader = Reader::new(text, begin);
    let mut open: Vec<bool> = Vec::new();
    // Where the outermost list's last whole item ends, and what stands open around it.
    let mut whole: Option<(usize, usize)> = None;
    let mut list_key = String::new();
    loop {
        match reader.next() {
            Ok(Some(token)) => match token {
                Token::ObjectStart => open.push(true),
                Token::ArrayStart => open.push(false),
                Token::ObjectEnd | Token::ArrayEnd => {
                    open.pop();
                }
                Token::Key(key) if open.iter().all(|object| *object) => list_key = key.start(),
                Token::Key(_) | Token::String(_) | Token::Number(_) | Token::Bool | Token::Null => {}
            },
            Ok(None) => return None,
            Err(error) if error.offset < text.trim_ascii_end().len() => return None,
            Err(_) => break,
        }
        match open.iter().position(|object| !object) {
            None => whole = None,
            Some(list) if open.len() == list + 1 && open.last() == Some(&false) => {
                whole = Some((reader.at(), list));
            }
            Some(_) => {}
        }
    }
    let (end, list) = whole.filter(|(_, list)| *list == 0 || LISTS.contains(&list_key.as_str()))?;
    let mut closed = text.get(..end)?.to_owned();
    closed.push(']');
    closed.extend(open.iter().take(list).rev().map(|object| if *object { '}' } else { ']' }));
    Some(closed)
}

#[cfg(test)]
mod tests {
    use super::close;

    #[test]
    fn the_whole_items_of_the_outermost_list_stay() {
        for (text, closed) in [
            (r#"[{"a":1},{"b":"#, Some(r#"[{"a":1}]"#)),
            (r#"[{"a":1},{"b":2}"#, Some(r#"[{"a":1},{"b":2}]"#)),
            (r#"[{"a":1},"#, Some(r#"[{"a":1}]"#)),
            (r#"{"log":{"entries":[1,[2,3],[4"#, Some(r#"{"log":{"entries":[1,[2,3]]}}"#)),
            (r#"{"data":[1],"z":{"a"#, None),
            (r#"{"root":{"children":[{"id":1},{"id""#, None),
            (r#"{"a":{"b":1"#, None),
            ("[", Some("[]")),
            ("[1,}", None),
            ("[1]", None),
        ] {
            assert_eq!(close(text, 0).as_deref(), closed, "{text}");
        }
    }
}
