//! Secrets of addresses and of command lines: signatures, parameters that are encoded, and the password of `curl -u`.

use super::keys::names_secret;
use super::patterns::{REDACTED, is_name};
use super::value::is_bare;
use super::walk::Walk;

/// How far in front of `-u` the command is looked for, bytes.
const COMMAND: usize = 200;

/// Whether a parameter of an address signs it: who has the address may do what it says.
pub(super) fn signs(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name == "sig" || name.ends_with("signature")
}

/// What follows `token%3D`: a parameter of an address inside an address.
pub(super) fn encoded(walk: Walk<'_>, place: usize) -> Option<(usize, usize)> {
    let is = |at: usize, code: &str| walk.slice(at, at + code.len()).eq_ignore_ascii_case(code);
    let begin = place + "%3D".len();
    if !is(place, "%3D") || !names_secret(walk.slice(walk.back(place, is_name), place)) {
        return None;
    }
    let mut end = begin;
    while walk.byte(end).is_some_and(is_bare) && !is(end, "%26") && !is(end, "%23") {
        end += 1;
    }
    Some((begin, end))
}

/// The password after `-u name:` of curl. Others say `-u 1000:1000` of a user and a group.
pub(super) fn login(walk: Walk<'_>, option: &str, place: usize) -> Option<(usize, usize)> {
    if !matches!(option, "-u" | "--user" | "--proxy-user") {
        return None;
    }
    let before = walk.text.as_bytes().get(place.saturating_sub(COMMAND)..place)?;
    let is_curl = before.windows(b"curl ".len()).any(|word| word == b"curl ");
    let begin = walk.over(place + 1, |byte| is_bare(byte) && byte != b':') + 1;
    let end = walk.over(begin, is_bare);
    let is_there = walk.byte(begin - 1) == Some(b':') && !walk.rest(begin).starts_with("//");
    let whole = if walk.rest(begin).starts_with(REDACTED) { begin + REDACTED.len() } else { end };
    (is_curl && is_there).then_some((begin, whole))
}

#[cfg(test)]
mod tests {
    use crate::export::patterns::tests::secrets;

    #[test]
    fn what_an_address_or_a_command_grants_is_a_secret() {
        for (text, expected) in [
            ("https://b/k?X-Amz-Signature=ab&x=1", vec!["ab"]),
            ("https://b/k?sv=1&sig=ab%2F", vec!["ab%2F"]),
            ("?next=https%3A%2F%2Fx%3Ftoken%3Dab%2Bc%26y%3D1", vec!["ab%2Bc"]),
            ("https://h/?r=%3Fapi_key%3dk", vec!["k"]),
            ("curl -s -u bob:pw https://x", vec!["pw"]),
            ("curl --user bob:[redacted] https://x", vec!["[redacted]"]),
        ] {
            assert_eq!(secrets(text), expected, "{text}");
        }
        for text in [
            "sig=9, signature=f(x)",
            "fn signature=(a) at https://h/x",
            "?next=https%3A%2F%2Fx%3Fpage%3D2",
            "100%3D of token",
            "docker run -u 1000:1000 image",
            "curl -u bob https://x",
            "curl -u https://x",
        ] {
            assert_eq!(secrets(text), Vec::<&str>::new(), "{text}");
        }
    }
}
