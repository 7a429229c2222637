//! The cases, with the names and measurements of `benches/javascript.mjs`.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use runstate::file::File;
use runstate::ingest::{Document, open};
use runstate::log::EventLog;
use runstate::smithers::derive::{DeriveRunStateInput, derive_run_state_view};
use runstate::smithers::wire::read_rows;
use runstate::time::Millis;
use runstate::tree::{Snapshot, diff_snapshots};
use runstate::word::Vocabulary;
use serde_json::{Value, json};

use crate::frames;
use crate::round::{Round, since};
use crate::watched;

/// The time of the answers, `NOW` of `benches/inputs.mjs`.
const NOW: Millis = Millis(1_795_300_000_000.0);
/// The chunk size of a reader of a large file.
const CHUNK: usize = 256 * 1024;

/// The texts, each read once.
pub(crate) struct Inputs {
    folder: PathBuf,
    texts: HashMap<String, String>,
}

impl Inputs {
    pub(crate) fn new(folder: PathBuf) -> Self {
        Self { folder, texts: HashMap::new() }
    }

    /// Runs one round of a case: a name, followed by a space and a number if the case has sizes.
    pub(crate) fn round(&mut self, line: &str) -> Result<Round> {
        let (case, size) = line.split_once(' ').unwrap_or((line, ""));
        match case {
            "rows" => rows(self.text("rows")?),
            "continued" => continued(self.text("continued")?),
            "artifacts" => artifacts(self.text("artifacts")?),
            "stream" => {
                let snapshot = self.text("tree-10000")?.to_owned();
                stream(&snapshot, self.text("deltas-10000")?)
            }
            "delta" => {
                let snapshot = Snapshot::from_json(self.text(&format!("tree-{size}"))?)?;
                delta(snapshot, self.text(&format!("deltas-{size}"))?)
            }
            "large-delta" => {
                let snapshot = Snapshot::from_json(self.text(&format!("tree-{size}"))?)?;
                delta(snapshot, self.text(&format!("large-deltas-{size}"))?)
            }
            "diff" | "diff-slow" => {
                let before = Snapshot::from_json(self.text(&format!("tree-{size}"))?)?;
                let after = Snapshot::from_json(self.text(&format!("changed-{size}"))?)?;
                if case == "diff" { diff(&before, &after) } else { diff_slow(&before, &after) }
            }
            "frames" => frames::shown(&Snapshot::from_json(self.text("tree-10000")?)?, size.parse()?),
            "watched-list" => watched::watched_list(size.parse()?, NOW),
            "first" => first(self.text(&format!("log-{size}"))?),
            "events" => events(self.text(&format!("log-{size}"))?),
            "memory" => memory(self.text(&format!("log-{size}"))?, false),
            "memory-with-text" => memory(self.text(&format!("log-{size}"))?, true),
            other => bail!("there is no case {other}"),
        }
    }

    fn text(&mut self, name: &str) -> Result<&str> {
        if !self.texts.contains_key(name) {
            let mut files = fs::read_dir(&self.folder)?.filter_map(|entry| Some(entry.ok()?.path()));
            let begin = format!("{name}.v");
            let file = files
                .find(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&begin)));
            let file = file.with_context(|| format!("no input {name}"))?;
            // The logs are large: one is kept at a time.
            self.texts.retain(|name, _| !name.starts_with("log-"));
            self.texts.insert(name.to_owned(), fs::read_to_string(file)?);
        }
        self.texts.get(name).map(String::as_str).context("the text was read")
    }
}

/// Bytes of rows to views.
fn rows(text: &str) -> Result<Round> {
    let start = Instant::now();
    let rows = read_rows(str::from_utf8(text.as_bytes())?)?;
    let views = rows.iter().map(|row| Ok(derive_run_state_view(&DeriveRunStateInput::new(row, NOW))?));
    let views = views.collect::<Result<Vec<_>>>()?;
    let milliseconds = since(start);
    let answer = counted(views.iter().map(|view| (view.state.as_str(), 1)));
    Ok(Round { milliseconds, times: 1, answer, bytes: None })
}

/// Rows that name their parents to runs that name the runs that continue them.
fn continued(text: &str) -> Result<Round> {
    let start = Instant::now();
    let document = opened(text)?;
    let runs = &document.smithers().context("the rows are of Smithers")?.runs;
    let linked = runs.iter().filter(|run| run.continued_as.is_some()).count();
    Ok(Round { milliseconds: since(start), times: 1, answer: json!(linked), bytes: None })
}

/// Artifacts to the session that has them.
fn artifacts(text: &str) -> Result<Round> {
    let start = Instant::now();
    let document = opened(text)?;
    let session = document.lionagi().and_then(|document| document.session.as_ref());
    let name = session.and_then(|session| session.name());
    Ok(Round { milliseconds: since(start), times: 1, answer: json!(name), bytes: None })
}

fn opened(text: &str) -> Result<Document> {
    Ok(open(&[File { name: None, bytes: text.as_bytes() }], NOW)?)
}

/// Text of a snapshot and of deltas to the tree at the end.
fn stream(snapshot: &str, deltas: &str) -> Result<Round> {
    let start = Instant::now();
    let mut snapshot = Snapshot::from_json(snapshot)?;
    for delta in deltas.lines() {
        snapshot.apply_json(delta)?;
    }
    let milliseconds = since(start);
    Ok(Round { milliseconds, times: 1, answer: json!(hashed(&snapshot.to_json())), bytes: None })
}

/// Text of a delta to the changed tree.
fn delta(mut snapshot: Snapshot, deltas: &str) -> Result<Round> {
    // The first delta builds the index of ids, which is built once per tree.
    let (mut lines, begin) = (deltas.lines(), snapshot.seq);
    snapshot.apply_json(lines.next().context("no delta")?)?;
    let start = Instant::now();
    let mut times = 0;
    for delta in lines {
        snapshot.apply_json(delta)?;
        times += 1;
    }
    let milliseconds = since(start);
    Ok(Round { milliseconds, times, answer: json!(snapshot.seq > begin), bytes: None })
}

/// Two trees to the delta between them.
fn diff(before: &Snapshot, after: &Snapshot) -> Result<Round> {
    let start = Instant::now();
    let delta = diff_snapshots(before, after).ok().context("both are of one run")?;
    Ok(Round { milliseconds: since(start), times: 1, answer: json!(delta.ops.len()), bytes: None })
}

/// The 95th percentile of many differences.
fn diff_slow(before: &Snapshot, after: &Snapshot) -> Result<Round> {
    let rounds = (0..300).map(|_| diff(before, after)).collect::<Result<Vec<_>>>()?;
    let mut times: Vec<f64> = rounds.iter().map(|round| round.milliseconds).collect();
    times.sort_by(f64::total_cmp);
    let last = rounds.into_iter().next_back().context("there are rounds")?;
    Ok(Round { milliseconds: times[times.len() * 95 / 100], ..last })
}

/// The state of the run after the first chunk of a log.
fn first(text: &str) -> Result<Round> {
    let start = Instant::now();
    let mut log = EventLog::new();
    log.push(text.as_bytes().get(..CHUNK).context("the log is longer")?);
    let state = log.view(NOW).state;
    let milliseconds = since(start);
    Ok(Round { milliseconds, times: 1, answer: json!(state.as_str()), bytes: None })
}

/// Bytes of a log to the states of its nodes.
fn events(text: &str) -> Result<Round> {
    let start = Instant::now();
    let view = read_log(text)?.view(NOW);
    let milliseconds = since(start);
    let answer = counted(view.nodes.iter().map(|(state, count)| (state.as_str(), *count)));
    Ok(Round { milliseconds, times: 1, answer, bytes: None })
}

/// The memory of a log with folded nodes.
fn memory(text: &str, with_text: bool) -> Result<Round> {
    let mut log = read_log(text)?;
    let events = log.view(NOW).counts.events;
    let bytes = log.memory() + if with_text { log.text_memory() } else { 0 };
    Ok(Round {
        milliseconds: 0.0,
        times: 1,
        answer: json!(events),
        bytes: Some(bytes as f64 / events as f64),
    })
}

fn read_log(text: &str) -> Result<EventLog> {
    let mut log = EventLog::new();
    for chunk in text.as_bytes().chunks(CHUNK) {
        log.push(chunk);
    }
    log.finish();
    match log.problems().first() {
        None => Ok(log),
        Some(problem) => bail!("line {}: {}", problem.line, problem.message),
    }
}

/// How often each word occurs, in the order of the alphabet.
fn counted<'a>(words: impl Iterator<Item = (&'a str, u64)>) -> Value {
    let mut counts = BTreeMap::new();
    for (word, count) in words {
        *counts.entry(word).or_insert(0) += count;
    }
    let counts: Vec<_> = counts.iter().map(|(word, count)| format!("{word} {count}")).collect();
    json!(counts.join(", "))
}

/// FNV-1a of a text's bytes.
fn hashed(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}
