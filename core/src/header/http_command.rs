//! A call of a Gateway as a command for a shell, which sends it over HTTP.

use super::NextAction;
use crate::actions::{posix_quote, power_shell_quote};

/// The environment variable for the token, by the name that Smithers reads. The token itself is never in a command.
const TOKEN: &str = "SMITHERS_API_KEY";
/// The environment variable for the Gateway's address where it is not known.
const GATEWAY: &str = "SMITHERS_GATEWAY";

impl NextAction {
    /// The call as an HTTP request: with curl, on Windows with PowerShell's own command. `gateway` is the Gateway's address,
    /// `ws:` or `http:`; without it the command reads `SMITHERS_GATEWAY`. `None` if there is no call.
    ///
    /// ```
    /// use runstate::file::File;
    /// use runstate::ingest::open;
    /// use runstate::time::Millis;
    ///
    /// let row = br#"{"runId":"r1","status":"waiting-approval","runState":{"runId":"r1","state":"waiting-approval",
    ///     "computedAt":"2026-11-21T14:06:08.000Z",
    ///     "blocked":{"kind":"approval","nodeId":"gate","requestedAt":"2026-11-21T14:00:00.000Z"}}}"#;
    /// let now = Millis(1_795_269_970_000.0);
    /// let header = open(&[File { name: None, bytes: row }], now)?.header(None, now).unwrap();
    /// assert_eq!(
    ///     header.actions[1].http_command(Some("ws://127.0.0.1:7331"), false).as_deref(),
    ///     Some(
    ///         r#"curl -sS http://127.0.0.1:7331/v1/rpc/submitApproval -H "Authorization: Bearer $SMITHERS_API_KEY" --data-raw '{"runId":"r1","nodeId":"gate","iteration":0,"decision":{"approved":false}}'"#
    ///     )
    /// );
    /// # Ok::<(), runstate::ingest::DocumentError>(())
    /// ```
    pub fn http_command(&self, gateway: Option<&str>, is_windows: bool) -> Option<String> {
        let (method, params) = self.call.as_deref()?.split_once(' ')?;
        let address = gateway.map(http_address);
        if is_windows {
            let url = match &address {
                Some(address) => power_shell_quote(&format!("{address}/v1/rpc/{method}"))?,
                None => format!("\"$env:{GATEWAY}/v1/rpc/{method}\""),
            };
            // A parameter of PowerShell's own command keeps its double quotes.
            let body = params.replace('\'', "''");
            return Some(format!(
                "Invoke-RestMethod {url} -Method Post -Headers @{{ Authorization = \"Bearer $env:{TOKEN}\" }} -Body '{body}'"
            ));
        }
        let url = match &address {
            Some(address) => posix_quote(&format!("{address}/v1/rpc/{method}"))?,
            None => format!("\"${GATEWAY}/v1/rpc/{method}\""),
        };
        let body = posix_quote(params)?;
        Some(format!("curl -sS {url} -H \"Authorization: Bearer ${TOKEN}\" --data-raw {body}"))
    }
}

/// The address for HTTP of a Gateway's address.
fn http_address(address: &str) -> String {
    let address = address.trim_end_matches('/');
    match address.strip_prefix("ws") {
        Some(rest) => format!("http{rest}"),
        None => address.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn action(call: Option<&str>) -> NextAction {
        NextAction {
            kind: "approve".into(),
            sentence: Vec::new(),
            command: None,
            power_shell: None,
            call: call.map(str::to_owned),
        }
    }

    #[test]
    fn an_address_and_parameters_are_one_word_each() {
        let call = action(Some(r#"resumeRun {"runId":"it's $(x)"}"#));
        let bearer = r#"-H "Authorization: Bearer $SMITHERS_API_KEY""#;
        for (gateway, url) in [
            (Some("ws://127.0.0.1:7331"), "http://127.0.0.1:7331/v1/rpc/resumeRun"),
            (Some("wss://runs.example/gateway/"), "https://runs.example/gateway/v1/rpc/resumeRun"),
            (Some("http://[::1]:7331/"), "'http://[::1]:7331/v1/rpc/resumeRun'"),
            (Some("ws://host/$(id)"), "'http://host/$(id)/v1/rpc/resumeRun'"),
            (None, "\"$SMITHERS_GATEWAY/v1/rpc/resumeRun\""),
        ] {
            let command = call.http_command(gateway, false).unwrap();
            let body = r#"--data-raw '{"runId":"it'\''s $(x)"}'"#;
            assert_eq!(command, format!("curl -sS {url} {bearer} {body}"));
        }
    }

    #[test]
    fn power_shell_has_a_command_of_its_own() {
        let call = action(Some(r#"resumeRun {"runId":"it's"}"#));
        let rest = r#"-Method Post -Headers @{ Authorization = "Bearer $env:SMITHERS_API_KEY" } -Body '{"runId":"it''s"}'"#;
        for (gateway, url) in [
            (Some("ws://127.0.0.1:7331"), "http://127.0.0.1:7331/v1/rpc/resumeRun"),
            (None, "\"$env:SMITHERS_GATEWAY/v1/rpc/resumeRun\""),
        ] {
            assert_eq!(call.http_command(gateway, true).unwrap(), format!("Invoke-RestMethod {url} {rest}"));
        }
    }

    #[test]
    fn without_a_call_there_is_no_command() {
        assert_eq!(action(None).http_command(Some("ws://127.0.0.1:7331"), false), None);
    }
}
