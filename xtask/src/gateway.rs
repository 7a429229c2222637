//! A real Smithers Gateway as a child process, for `cargo xtask run --gateway`.

use std::fs;
use std::io::{BufRead, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use crate::hosts::{copy_folder, fresh_folder};
use crate::house::House;
use crate::tools::node;

/// The token that may do everything; `tests/gateway/gateway.ts` knows others.
pub(crate) const TOKEN: &str = "operator-token";

/// The runs that it starts with: workflow, input. The first is the one the page opens on.
const RUNS: [(&str, &str); 8] = [
    ("approval", r#"{"ms":8000}"#),
    ("timer", r#"{"seconds":600}"#),
    ("event", "{}"),
    ("slow", r#"{"seconds":900}"#),
    ("loop", r#"{"times":60,"ms":2000}"#),
    ("wide", r#"{"count":200,"ms":400}"#),
    ("fail", "{}"),
    ("finish", "{}"),
];

/// A running Gateway; it ends with us, however we end, because its standard input closes then.
pub(crate) struct Gateway {
    child: Child,
    port: u16,
}

impl Gateway {
    /// Installs what is missing and starts it on a free port, its database in a folder that `name` tells apart.
    pub(crate) fn start(house: &House, name: &str) -> Result<Self> {
        let installed = node::ensure_gateway(house)?;
        let bun = node::ensure_bun(house)?;
        // The sources must lie below the installed packages to find them.
        let work = installed.join(format!("demo-{name}"));
        drop_old(&installed);
        prepare(&house.root.join("tests/gateway"), &work)?;
        let mut child = Command::new(bun)
            .arg("gateway.ts")
            .current_dir(&work)
            .envs([("PORT", "0"), ("RUNSTATE_DB", "smithers.db"), ("END_WITH_STDIN", "1")])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(fs::File::create(work.join("gateway.log"))?)
            .spawn()
            .context("starting the Gateway")?;
        let lines = BufReader::new(child.stdout.take().context("the Gateway's output")?).lines();
        let port = lines.map_while(Result::ok).find_map(|line| listening(&line));
        let Some(port) = port else {
            let log = fs::read_to_string(work.join("gateway.log")).unwrap_or_default();
            bail!("the Gateway ended before it listened:\n{log}");
        };
        Ok(Self { child, port })
    }

    /// The WebSocket address.
    pub(crate) fn url(&self) -> String {
        format!("ws://127.0.0.1:{}", self.port)
    }

    /// Starts the demo runs and returns their ids.
    pub(crate) fn launch(&self) -> Result<Vec<String>> {
        RUNS.iter()
            .map(|(workflow, input)| {
                let run = format!("{workflow}-1");
                let input: Value = serde_json::from_str(input)?;
                let params = json!({ "workflow": workflow, "input": input, "options": { "runId": run } });
                self.call("launchRun", &params)?;
                Ok(run)
            })
            .collect()
    }

    /// What the page asks for: address, token and the run to open on.
    pub(crate) fn announcement(&self, run: &str) -> String {
        json!({ "url": self.url(), "token": TOKEN, "runId": run }).to_string()
    }

    fn call(&self, method: &str, params: &Value) -> Result<()> {
        let body = json!({ "id": "xtask", "method": method, "params": params }).to_string();
        let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
        write!(
            stream,
            "POST /rpc HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nAuthorization: Bearer {TOKEN}\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
            self.port,
            body.len(),
        )?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer)?;
        let answer = String::from_utf8_lossy(&answer);
        if !answer.contains("\"ok\":true") {
            bail!("the Gateway refused {method}: {answer}");
        }
        Ok(())
    }
}

impl Drop for Gateway {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Removes the folders of demos and tests that are long over.
fn drop_old(installed: &Path) {
    const DAY: Duration = Duration::from_hours(24);
    for entry in fs::read_dir(installed).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let ours = ["demo-", "work-"].iter().any(|start| name.to_string_lossy().starts_with(start));
        let age = entry.metadata().and_then(|data| data.modified()).ok().and_then(|time| time.elapsed().ok());
        if ours && age.is_some_and(|age| age > DAY) {
            // Another process may be removing it too.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

fn prepare(sources: &Path, work: &Path) -> Result<()> {
    fresh_folder(work)?;
    for file in ["gateway.ts", "tsconfig.json"] {
        fs::copy(sources.join(file), work.join(file)).with_context(|| format!("tests/gateway/{file}"))?;
    }
    copy_folder(&sources.join("workflows"), &work.join("workflows"))
}

fn listening(line: &str) -> Option<u16> {
    line.strip_prefix("listening ")?.split(' ').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_port_is_read_from_its_line_alone() {
        assert_eq!(listening("listening 7331 4242"), Some(7331));
        assert_eq!(listening("listening on 7331"), None);
        assert_eq!(listening("now listening 7331"), None);
    }

    #[test]
    fn every_demo_run_has_a_workflow() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/gateway/workflows");
        for (workflow, input) in RUNS {
            assert!(folder.join(format!("{workflow}.tsx")).is_file(), "{workflow}");
            assert!(serde_json::from_str::<Value>(input).unwrap().is_object(), "{workflow}");
        }
    }
}
