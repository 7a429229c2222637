//! The requests of recorded responses.

use super::DocumentError;
use crate::error_code::ErrorCode;
use crate::json::{ReadError, Slice, fields};
use crate::text::concat;

/// The first segments of Studio's routes about runs, below `/api/`.
const STUDIO_ROUTES: [&str; 6] = ["runs", "sessions", "invocations", "shows", "admin", "stats"];

/// The request of a recorded response, as far as the recording contains it.
#[derive(Clone, Default)]
pub(crate) struct Request {
    /// The RPC method, else the HTTP method and path.
    pub(crate) method: Option<String>,
    /// The requested run.
    pub(crate) run_id: Option<String>,
    /// The requested node and its iteration.
    pub(crate) node: Option<(String, u32)>,
    /// Whether a frame was requested by its number.
    pub(crate) past_frame: bool,
    /// The maximum number of requested items.
    pub(crate) limit: Option<u32>,
    /// Whether the server is neither a Gateway nor Studio: its errors are ignored.
    pub(crate) other_server: bool,
}

/// Returns the response and the request of a recorded exchange.
pub(super) fn recorded_exchange(slice: Slice<'_>) -> Result<Option<(Slice<'_>, Request)>, DocumentError> {
    if !slice.is_object() {
        return Ok(None);
    }
    let [request, response] = fields(slice, ["request", "response"])?;
    let (Some(request), Some(response)) =
        (request.filter(|part| part.is_object()), response.filter(|part| part.is_object()))
    else {
        return Ok(None);
    };
    let [method, path, body] = fields(request, ["method", "path", "body"])?;
    let request = Request::read_http(method, path, body)?;
    let [answer] = fields(response, ["body"])?;
    Ok(Some((answer.ok_or_else(|| not_json(response))?, request)))
}

/// Returns the error for a recorded exchange whose response has no JSON body.
fn not_json(response: Slice<'_>) -> DocumentError {
    let text = fields(response, ["bodyText"]).ok().and_then(|[text]| text);
    let message = "This is a recorded exchange whose response is not JSON.";
    DocumentError::at(ErrorCode::NotRecognised, message, text.unwrap_or(response).begin())
}

/// A request of which nothing is known.
pub(super) static NO_REQUEST: Request =
    Request { method: None, run_id: None, node: None, past_frame: false, limit: None, other_server: false };

impl Request {
    /// Returns the source for the evidence: the method, else the part of a document.
    pub(super) fn read_from(&self, name: Option<&str>, part: &str) -> String {
        match (&self.method, name) {
            (Some(method), _) => method.clone(),
            (None, Some(name)) => concat(&[part, " in ", name]),
            (None, None) => part.to_owned(),
        }
    }

    /// Reads an HTTP request: an RPC method in its body or path, else a path.
    pub(crate) fn read_http(
        method: Option<Slice<'_>>,
        path: Option<Slice<'_>>,
        body: Option<Slice<'_>>,
    ) -> Result<Self, ReadError> {
        let path = path.and_then(Slice::text).unwrap_or_default();
        let body = body.filter(|body| body.is_object());
        if let Some(body) = body {
            let request = Self::read_rpc(body)?;
            if request.method.is_some() {
                return Ok(request);
            }
        }
        let verb = method.and_then(Slice::text);
        let (path, query) = path.split_once('?').unwrap_or((&path, ""));
        let node = path.split_once("/nodes/").and_then(|(_, rest)| rest.split('/').next());
        let limit = query.split('&').find_map(|part| part.strip_prefix("limit="));
        if let (Some((_, method)), Some(body)) = (path.split_once("/rpc/"), body) {
            return Ok(Self { method: Some(method.to_owned()), ..Self::read_params(Some(body))? });
        }
        let run_id = path.split_once("/runs/").and_then(|(_, rest)| rest.split('/').next());
        Ok(Self {
            method: verb.map(|verb| concat(&[&verb, " ", path])),
            run_id: run_id.map(str::to_owned),
            node: node.map(|node| (node.to_owned(), 0)),
            limit: limit.and_then(|limit| limit.parse().ok()),
            ..Self::default()
        })
    }

    /// Whether the answer says in which state runs are.
    pub(crate) fn asks_for_states(&self) -> bool {
        let method = self.method.as_deref().unwrap_or_default();
        let route = method.strip_prefix("GET /v1/api/runs").map(|rest| rest.trim_start_matches('/'));
        matches!(method, "getRun" | "runs.get" | "listRuns" | "runs.list")
            || route.is_some_and(|run_id| !run_id.contains('/'))
    }

    /// Reads a request frame.
    pub(super) fn read_rpc(body: Slice<'_>) -> Result<Self, ReadError> {
        let [method, params] = fields(body, ["method", "params"])?;
        Ok(Self { method: method.and_then(Slice::text), ..Self::read_params(params)? })
    }

    fn read_params(params: Option<Slice<'_>>) -> Result<Self, ReadError> {
        let Some(params) = params.filter(|params| params.is_object()) else { return Ok(Self::default()) };
        let [run_id, frame_no, node_id, iteration] =
            fields(params, ["runId", "frameNo", "nodeId", "iteration"])?;
        let past_frame = frame_no.and_then(Slice::number).is_some();
        let iteration = iteration.and_then(|iteration| iteration.read_small().ok());
        let node = node_id.and_then(Slice::text).map(|node_id| (node_id, iteration.unwrap_or(0)));
        Ok(Self { run_id: run_id.and_then(Slice::text), past_frame, node, ..Self::default() })
    }
}

/// Whether the rest of an address after `/api/` is a route of Studio about runs.
pub(super) fn is_studio_route(route: &str) -> bool {
    route.split(['/', '?']).next().is_some_and(|first| STUDIO_ROUTES.contains(&first))
}
