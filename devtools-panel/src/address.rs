//! Checks the address and the token of a Gateway connection.

use web_sys::Url;

use crate::problem::Problem;
use crate::text::middle_cut;

/// A checked Gateway address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GatewayAddress {
    /// The entered address without surrounding white space.
    pub(crate) text: String,
    /// Whether a token would be sent over the network unencrypted.
    pub(crate) is_insecure: bool,
}

/// What a person entered, completed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FullAddress {
    /// The address.
    pub(crate) address: String,
    /// The token that was in the address of a Gateway's console.
    pub(crate) token: Option<String>,
}

/// Completes an address without a scheme, and that of a Gateway's own console, whose query may contain the token. Any other
/// text stays as it is.
pub(crate) fn complete(entered: &str) -> FullAddress {
    let text = entered.trim();
    let with_scheme = add_scheme(text).unwrap_or_else(|| text.to_owned());
    let console = Url::new(&with_scheme).ok().and_then(|url| from_console(&url));
    console.unwrap_or(FullAddress { address: with_scheme, token: None })
}

/// Adds a scheme to a host with a port, to a host with a dot and to `localhost`: an encrypted one, except for this machine.
fn add_scheme(text: &str) -> Option<String> {
    // Some browsers accept a host with spaces.
    if text.contains("//") || text.contains(char::is_whitespace) {
        return None;
    }
    let url = Url::new(&format!("http://{text}")).ok()?;
    let host = url.hostname();
    let is_host = text.contains([':', '.']) || is_loopback(&host);
    let scheme = if is_loopback(&host) { "ws" } else { "wss" };
    is_host.then(|| format!("{scheme}://{text}"))
}

/// The address and the token in the address of a Gateway's console, or of its page that starts a session.
fn from_console(url: &Url) -> Option<FullAddress> {
    let path = url.pathname();
    let is_console = path == "/console" || path.starts_with("/console/") || path == "/v1/auth/session";
    let has_user = !url.username().is_empty() || !url.password().is_empty();
    if !is_console || has_user || !is_gateway_scheme(url) {
        return None;
    }
    let scheme = if matches!(url.protocol().as_str(), "https:" | "wss:") { "wss" } else { "ws" };
    let token = url.search_params().get("token").filter(|token| !token.is_empty());
    Some(FullAddress { address: format!("{scheme}://{}", url.host()), token })
}

/// The address of the same Gateway over a WebSocket, if an address is one over HTTP.
pub(crate) fn socket_address(address: &str) -> Option<String> {
    let url = Url::new(address).ok()?;
    let scheme = match url.protocol().as_str() {
        "http:" => "ws",
        "https:" => "wss",
        _ => return None,
    };
    Some(format!("{scheme}://{}{}", url.host(), url.pathname().trim_end_matches('/')))
}

/// Checks an address.
///
/// # Errors
/// `INVALID_ADDRESS`, or `CREDENTIALS_IN_ADDRESS`, which does not repeat the address.
pub(crate) fn gateway_address(entered: &str) -> Result<GatewayAddress, Problem> {
    let text = entered.trim();
    let url = Url::new(text).ok();
    if may_have_credentials(text, url.as_ref()) {
        return Err(Problem::new(
            "CREDENTIALS_IN_ADDRESS",
            "Expected an address without a user name, a password and a query, found one that may contain a secret.",
        )
        .with_hint("Enter the address alone, and the token in its own field."));
    }
    let has_scheme = ["ws://", "wss://", "http://", "https://"]
        .into_iter()
        .any(|scheme| text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)));
    match url.filter(|_| has_scheme) {
        Some(url) => Ok(GatewayAddress { text: text.to_owned(), is_insecure: is_insecure(&url) }),
        None if text.is_empty() => Err(Problem::new(
            "INVALID_ADDRESS",
            "Enter the Gateway's address, for example ws://127.0.0.1:7331.",
        )),
        None => Err(Problem::new(
            "INVALID_ADDRESS",
            format!("Expected an address such as ws://127.0.0.1:7331, found “{}”.", middle_cut(text)),
        )),
    }
}

/// Whether a token sent to this address would be sent over the network unencrypted.
pub(crate) fn sends_unencrypted(address: &str) -> bool {
    Url::new(address).is_ok_and(|url| is_insecure(&url))
}

/// Checks a token; returns `None` for an empty one.
///
/// # Errors
/// `INVALID_TOKEN` if an HTTP header cannot contain it. The message does not repeat the token.
pub(crate) fn token(entered: &str) -> Result<Option<String>, Problem> {
    if !is_header_value(entered) {
        let message = "The token contains characters that an HTTP header cannot contain.";
        return Err(
            Problem::new("INVALID_TOKEN", message).with_hint("Copy the token again, without line breaks.")
        );
    }
    Ok(Some(entered.to_owned()).filter(|token| !token.is_empty()))
}

/// Checks a configured (not typed) address and token.
///
/// # Errors
/// `INVALID_ADDRESS`, `CREDENTIALS_IN_ADDRESS`, `INVALID_TOKEN`; and `INSECURE_ADDRESS`, because no person can
/// confirm that the token is sent over the network unencrypted.
pub(crate) fn checked_gateway(url: &str, token: Option<String>) -> Result<(String, Option<String>), Problem> {
    let address = gateway_address(url)?;
    let token = self::token(&token.unwrap_or_default())?;
    if address.is_insecure && token.is_some() {
        let message = "Expected an encrypted address with a token, found one that is not encrypted.";
        return Err(Problem::new("INSECURE_ADDRESS", message)
            .with_hint("Enter address and token here to connect anyway."));
    }
    Ok((address.text, token))
}

/// Whether a browser accepts a text as a header value: Latin-1 without control characters.
pub(crate) fn is_header_value(text: &str) -> bool {
    text.chars().all(|letter| u32::from(letter) <= 0xFF && !letter.is_control())
}

/// Whether an address may contain credentials. A query or a fragment may contain a token, and a Gateway reads neither.
/// If the text is not a URL, `@` may separate credentials from a host.
fn may_have_credentials(text: &str, url: Option<&Url>) -> bool {
    match url {
        Some(url) if is_gateway_scheme(url) => {
            [url.username(), url.password(), url.search(), url.hash()].iter().any(|part| !part.is_empty())
        }
        Some(_) | None => text.contains(['@', '?', '#']),
    }
}

fn is_gateway_scheme(url: &Url) -> bool {
    matches!(url.protocol().as_str(), "ws:" | "wss:" | "http:" | "https:")
}

fn is_insecure(url: &Url) -> bool {
    matches!(url.protocol().as_str(), "ws:" | "http:") && !is_loopback(&url.hostname())
}

/// Whether a host is this machine. `host` is written as in a URL: IPv4 addresses in full, IPv6 addresses shortened and
/// in brackets.
fn is_loopback(host: &str) -> bool {
    let host = host.trim_end_matches('.');
    let is_ipv4 = || host.parse::<std::net::Ipv4Addr>().is_ok_and(|address| address.is_loopback());
    host == "localhost" || host.ends_with(".localhost") || host == "[::1]" || is_ipv4()
}

#[cfg(test)]
mod tests {
    use wasm_bindgen_test::wasm_bindgen_test;

    use super::{FullAddress, complete, is_header_value, is_loopback, socket_address, token};

    #[wasm_bindgen_test]
    fn a_host_and_the_address_of_a_console_are_completed() {
        for (entered, address, token) in [
            ("localhost:7331", "ws://localhost:7331", None),
            (" 127.0.0.1:7331 ", "ws://127.0.0.1:7331", None),
            ("[::1]:7331", "ws://[::1]:7331", None),
            ("localhost", "ws://localhost", None),
            ("runs.example", "wss://runs.example", None),
            ("10.0.0.7:7331", "wss://10.0.0.7:7331", None),
            ("localhost:7331/console", "ws://localhost:7331", None),
            ("http://127.0.0.1:7331/console", "ws://127.0.0.1:7331", None),
            ("http://127.0.0.1:7331/console?token=t-1", "ws://127.0.0.1:7331", Some("t-1")),
            ("https://runs.example/console/runs/a?token=a%20b#tree", "wss://runs.example", Some("a b")),
            ("http://localhost:7331/v1/auth/session?token=t&next=/console", "ws://localhost:7331", Some("t")),
            ("http://localhost:7331/console?token=", "ws://localhost:7331", None),
        ] {
            let token = token.map(str::to_owned);
            assert_eq!(complete(entered), FullAddress { address: address.to_owned(), token }, "{entered}");
        }
    }

    #[wasm_bindgen_test]
    fn any_other_text_stays_as_it_is() {
        for text in [
            "",
            "ws://127.0.0.1:7331",
            "http://127.0.0.1:7331",
            "http://127.0.0.1:7331/rpc?token=t",
            "http://user:pass@127.0.0.1:7331/console",
            "http://127.0.0.1:7331/consoles",
            "ftp://127.0.0.1",
            "ftp://127.0.0.1/console",
            "//127.0.0.1",
            "gateway",
            "a b.c",
            "ws://",
            "mailto:someone",
        ] {
            assert_eq!(complete(text), FullAddress { address: text.to_owned(), token: None }, "{text}");
        }
    }

    #[wasm_bindgen_test]
    fn only_an_address_over_http_has_another_over_a_socket() {
        assert_eq!(socket_address("http://a:7331/x").as_deref(), Some("ws://a:7331/x"));
        assert_eq!(socket_address("HTTPS://a/").as_deref(), Some("wss://a"));
        for address in ["ws://a", "wss://a", "", "htt", "ftp://a"] {
            assert_eq!(socket_address(address), None, "{address}");
        }
    }

    #[wasm_bindgen_test]
    fn a_browser_can_send_every_token_that_is_accepted() {
        for (text, expected) in [
            ("abc-123", true),
            ("two words", true),
            ("clé", true),
            ("ÿ", true),
            ("line\nbreak", false),
            ("tab\t", false),
            ("\u{7f}", false),
            ("\u{85}", false),
            ("Ā", false),
            ("🔑", false),
        ] {
            assert_eq!(is_header_value(text), expected, "{text:?}");
            assert_eq!(token(text).is_ok(), expected, "{text:?}");
            let headers = web_sys::Headers::new().expect("headers");
            let is_sent = headers.set("authorization", &format!("Bearer {text}")).is_ok();
            assert!(is_sent || !expected, "{text:?}");
        }
    }

    #[wasm_bindgen_test]
    fn only_this_machine_is_loopback() {
        for host in ["localhost", "panel.localhost", "localhost.", "127.0.0.1", "127.255.0.9", "[::1]"] {
            assert!(is_loopback(host), "{host}");
        }
        for host in
            ["localhost.example", "127.0.0.1.example", "10.0.0.1", "128.0.0.1", "[::2]", "", "0.0.0.0"]
        {
            assert!(!is_loopback(host), "{host}");
        }
    }
}
