//! HTTP responses to the client's requests: a frame of the Gateway, or something that another server or a proxy sent.

use super::connection::Connection;
use super::io::HttpResponse;
use super::model::ProblemArea;
use super::requests::{Method, PendingRequest};
use super::{Client, MAX_FRAME_BYTES};
use crate::frame::Frame;
use crate::json::{Slice, fields};
use crate::refusal::Refusal;
use crate::time::Millis;

/// The longest respected `Retry-After`, milliseconds.
const MAX_RETRY_AFTER_MS: f64 = 300_000.0;

impl Client {
    /// Handles a response. Only a frame is an answer of the Gateway; everything else is a failed request, never a sign of
    /// life and never an empty list.
    pub(super) fn on_http_response(&mut self, response: HttpResponse<'_>, now: Millis) {
        let why = if response.body.len() > MAX_FRAME_BYTES {
            "It is longer than any answer of a Gateway.".to_owned()
        } else {
            match Frame::parse(response.body) {
                Ok(_) => return self.on_text(response.body, now),
                Err(why) => why.message,
            }
        };
        if !matches!(self.connection, Connection::Ready { .. }) {
            return;
        }
        let Some(pending) = request_id(response.request).and_then(|id| self.requests.remove(&id)) else {
            return;
        };
        let refusal = Refusal {
            method: Some(pending.method.as_str().into()),
            ..Refusal::new(code(response.status), message(response.status, response.body, &why))
        };
        match response.status {
            401 | 403 => self.stop(Some(refusal)),
            _ => self.on_failed_request(pending, refusal, response.retry_after_ms, now),
        }
    }

    /// Notes a failed request and plans the next one, not before the time that the server demands.
    fn on_failed_request(
        &mut self,
        pending: PendingRequest,
        refusal: Refusal,
        retry_after_ms: Option<f64>,
        now: Millis,
    ) {
        self.run_is_refused |= pending.method == Method::GetRun;
        self.finish_request(pending, now);
        if let Some(wait) = retry_after_ms.filter(|wait| *wait > 0.0) {
            self.requests_resume_at = Some(Millis(now.0 + wait.min(MAX_RETRY_AFTER_MS)));
        }
        if self.has_read() {
            self.model.note_refusal(ProblemArea::from_method(pending.method), &refusal);
        } else {
            self.refuse_first_reading(pending, refusal);
        }
    }
}

/// Reads the id of a request.
pub(super) fn request_id(request: &str) -> Option<String> {
    let [id] = fields(Slice::new(request), ["id"]).ok()?;
    id?.text()
}

/// A missing or refused token has the Gateway's own code, so that the panel asks for a token.
pub(super) fn code(status: u16) -> String {
    match status {
        401 => "UNAUTHORIZED".to_owned(),
        403 => "FORBIDDEN".to_owned(),
        _ => format!("HTTP {status}"),
    }
}

/// Says what the server sent; `why` is the reason why it is no frame.
pub(super) fn message(status: u16, body: &str, why: &str) -> String {
    let text = body.trim_start();
    let content = if text.is_empty() {
        "an empty body".to_owned()
    } else if text.starts_with('<') {
        "an HTML page".to_owned()
    } else {
        format!("text that is no answer of a Gateway: {}", why.trim_end_matches('.'))
    };
    let meaning = match status {
        401 | 403 => " A proxy in front of the Gateway may require a sign-in, or the Gateway a token.",
        404 | 405 | 501 if is_studio_error(text) => {
            " This is probably a lionagi Studio, which this form cannot connect to. Open Studio in a tab and Runstate in its developer tools, or paste a response of its API."
        }
        404 | 405 | 501 => " There is no Gateway at this address.",
        429 => " It limits the number of requests.",
        200..=399 if text.starts_with('<') => {
            " This may be the sign-in page of a proxy, or a server that is no Gateway."
        }
        500..=599 => " The Gateway or a proxy in front of it has failed.",
        _ => "",
    };
    format!("The server responds with status {status} and {content}.{meaning}")
}

/// Whether a body is an error of a lionagi Studio: an object with the one field `detail`.
fn is_studio_error(body: &str) -> bool {
    fields(Slice::new(body), ["detail", "type"])
        .is_ok_and(|[detail, kind]| detail.is_some() && kind.is_none())
}

#[cfg(test)]
mod tests {
    use super::message;

    #[test]
    fn a_response_is_named_as_what_it_is() {
        for (status, body, expected) in [
            (
                503,
                "<html>",
                "The server responds with status 503 and an HTML page. The Gateway or a proxy in front of it has failed.",
            ),
            (502, "", "status 502 and an empty body. The Gateway or a proxy"),
            (429, "slow down", "limits the number of requests"),
            (404, r#"{"detail":"Not Found"}"#, "probably a lionagi Studio"),
            (405, r#"{"detail":"Method Not Allowed"}"#, "probably a lionagi Studio"),
            (404, "<html>", "There is no Gateway at this address."),
            (404, r#"{"error":"no"}"#, "There is no Gateway at this address."),
            (200, "\n<!doctype html>", "sign-in page of a proxy"),
            (200, "{}", "text that is no answer of a Gateway"),
            (200, "[]", "text that is no answer of a Gateway"),
            (200, r#"{"type":"res","id":"r1","ok":tr"#, "text that is no answer of a Gateway"),
            (403, "forbidden", "may require a sign-in"),
        ] {
            let text = message(status, body, "the reason");
            assert!(text.contains(expected), "{status} {body}: {text}");
        }
    }
}
