//! A file server for the dashboard, on loopback.

use std::ffi::OsStr;
use std::fs;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use anyhow::{Result, anyhow};
use tiny_http::{Header, Method, Request, Response, Server};

/// Serves a folder, and some answers that lie in no file.
pub(crate) struct FileServer {
    server: Server,
    port: u16,
    folder: PathBuf,
    answers: Vec<(&'static str, String)>,
}

impl FileServer {
    /// Takes the port.
    ///
    /// # Errors
    ///
    /// When another program has it, with the way out.
    pub(crate) fn bind(port: u16, folder: PathBuf) -> Result<Self> {
        let server = Server::http(("127.0.0.1", port)).map_err(|error| {
            let taken = error.downcast_ref::<std::io::Error>().map(std::io::Error::kind);
            if taken == Some(ErrorKind::AddrInUse) {
                anyhow!(
                    "port {port} is taken by another program: choose one with --port N (0 takes a free one)"
                )
            } else {
                anyhow!("127.0.0.1:{port} cannot be opened: {error}")
            }
        })?;
        let port = server.server_addr().to_ip().map_or(port, |address| address.port());
        Ok(Self { server, port, folder, answers: Vec::new() })
    }

    /// The port that was taken.
    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// The page's address.
    pub(crate) fn address(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }

    /// Answers a path with JSON as long as the server lives; it is never written to disk.
    pub(crate) fn answer(&mut self, path: &'static str, json: String) {
        self.answers.push((path, json));
    }

    /// Answers requests until the process ends.
    pub(crate) fn serve(&self) {
        for request in self.server.incoming_requests() {
            let (status, kind, body) = self.reply(&request);
            let headers = [
                ("Content-Type", kind),
                ("Cache-Control", "no-store"),
                ("X-Content-Type-Options", "nosniff"),
                ("Referrer-Policy", "no-referrer"),
            ];
            let mut response = Response::from_data(body).with_status_code(status);
            for (name, value) in headers {
                if let Ok(header) = Header::from_bytes(name, value) {
                    response.add_header(header);
                }
            }
            // A reader that went away is no concern of ours.
            let _ = request.respond(response);
        }
    }

    fn reply(&self, request: &Request) -> (u16, &'static str, Vec<u8>) {
        let plain = |status, text: &str| (status, "text/plain; charset=utf-8", text.as_bytes().to_vec());
        if !matches!(request.method(), Method::Get | Method::Head) {
            return plain(405, "only GET and HEAD are answered here");
        }
        // A foreign name that was made to resolve to this machine must not read the token.
        if !self.is_our_name(request) {
            return plain(421, "this server answers to 127.0.0.1 and localhost only");
        }
        let path = request.url().split(['?', '#']).next().unwrap_or_default();
        if let Some((_, json)) = self.answers.iter().find(|(answered, _)| *answered == path) {
            return (200, mime(Path::new("x.json")), json.clone().into_bytes());
        }
        let found =
            file_below(&self.folder, path).and_then(|file| Some((fs::read(&file).ok()?, mime(&file))));
        found.map_or_else(|| plain(404, "no such file"), |(body, kind)| (200, kind, body))
    }

    fn is_our_name(&self, request: &Request) -> bool {
        let host = request.headers().iter().find(|header| header.field.equiv("Host"));
        let names = ["127.0.0.1", "localhost"].map(|name| format!("{name}:{}", self.port));
        host.is_some_and(|host| names.iter().any(|name| host.value.as_str().eq_ignore_ascii_case(name)))
    }
}

/// The file that a request's path means; none when it leads out of the folder.
fn file_below(folder: &Path, path: &str) -> Option<PathBuf> {
    let relative = Path::new(path.strip_prefix('/')?);
    if !relative.components().all(|component| matches!(component, Component::Normal(_))) {
        return None;
    }
    let file = folder.join(relative);
    if file.is_dir() { Some(file.join("index.html")) } else { Some(file) }
}

fn mime(file: &Path) -> &'static str {
    match file.extension().and_then(OsStr::to_str) {
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("json") => "application/json; charset=utf-8",
        // A browser compiles a streamed module only under this type.
        Some("wasm") => "application/wasm",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("ico") => "image/x-icon",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::net::TcpStream;

    use super::*;

    #[test]
    fn no_path_leads_out_of_the_folder() {
        let folder = Path::new("/served");
        assert_eq!(file_below(folder, "/css/a.css").unwrap(), Path::new("/served/css/a.css"));
        for path in ["/../secret", "/a/../../b", "//etc/passwd", "a", ""] {
            assert_eq!(file_below(folder, path), None, "{path}");
        }
    }

    #[test]
    fn a_taken_port_names_the_way_out() {
        let first = FileServer::bind(0, PathBuf::new()).unwrap();
        let error = FileServer::bind(first.port(), PathBuf::new()).err().unwrap().to_string();
        assert!(error.contains("is taken") && error.contains("--port"), "{error}");
    }

    #[test]
    fn answers_go_to_loopback_names_only() {
        let mut server = FileServer::bind(0, PathBuf::from(env!("CARGO_MANIFEST_DIR"))).unwrap();
        server.answer("/gateway.json", "{\"token\":1}".to_owned());
        let port = server.port();
        std::thread::spawn(move || server.serve());
        let ask = |start: &str, host: &str| {
            let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
            write!(stream, "{start} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
            let mut text = String::new();
            stream.read_to_string(&mut text).unwrap();
            text
        };
        let ours = format!("127.0.0.1:{port}");
        let answer = ask("GET /gateway.json", &ours);
        assert!(
            answer.starts_with("HTTP/1.1 200")
                && answer.contains("no-store")
                && answer.ends_with("{\"token\":1}")
        );
        assert!(ask("GET /gateway.json", &format!("evil.example:{port}")).starts_with("HTTP/1.1 421"));
        assert!(ask("POST /gateway.json", &ours).starts_with("HTTP/1.1 405"));
        assert!(ask("GET /Cargo.toml", &ours).contains("[package]"));
        assert!(ask("GET /no-such-file", &ours).starts_with("HTTP/1.1 404"));
        assert!(ask("GET /../Cargo.toml", &ours).starts_with("HTTP/1.1 404"));
    }
}
