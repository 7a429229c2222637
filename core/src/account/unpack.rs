//! Reading what an account is made of, in the order in which `pack.rs` writes it.

use std::cell::RefCell;

use super::Account;
use super::pack::{VALUES, VERDICTS};
use crate::clock::Reading;
use crate::evidence::{Evidence, Input, Value};
use crate::freshness::Freshness;
use crate::inspection::{NodeStatus, RowSignals, RunInspection, Verdict};
use crate::json::{ReadError, Slice, Unpack};
use crate::smithers::{Attempt, Boundary, RunStateView, Target, ToldBlocker, Witness};
use crate::time::Millis;
use crate::tree::Tree;
use crate::word::Word;

impl Account {
    /// The account of a run that [`Account::pack`] wrote down.
    ///
    /// # Errors
    /// [`ReadError`] where the text is not what that wrote.
    ///
    /// ```
    /// use runstate::account::Account;
    /// use runstate::clock::Reading;
    /// use runstate::document::inspect;
    /// use runstate::freshness::Freshness;
    /// use runstate::time::Millis;
    ///
    /// let now = Millis(1_700_000_041_000.0);
    /// let row = br#"{"runId":"r1","status":"running","heartbeatAtMs":1700000000000,"runtimeOwnerId":"pid:41"}"#;
    /// let run = inspect(row, None, now)?.run.unwrap();
    /// let clock = Reading { now, error_ms: 20.0 };
    /// let account = Account::of(&run, &Freshness::Live { heard_at: now }, clock);
    /// assert_eq!(Account::unpack(&Account::pack(&run, clock, true)).unwrap(), account);
    /// assert!(Account::unpack("[]").is_err());
    /// # Ok::<(), runstate::document::DocumentError>(())
    /// ```
    pub fn unpack(text: &str) -> Result<Self, ReadError> {
        let mut from = Unpack::new(text)?;
        let now = Millis(from.optional_number()?.unwrap_or(f64::NAN));
        // What no JSON number can say is that nothing bounds the error.
        let clock = Reading { now, error_ms: from.optional_number()?.unwrap_or(f64::INFINITY) };
        let live = from.flag()?;
        let run = run(&mut from)?;
        from.end()?;
        let freshness = if live { Freshness::heard(&run, clock) } else { Freshness::recorded(&run) };
        Ok(Self::of(&run, &freshness, clock))
    }
}

fn run(from: &mut Unpack<'_>) -> Result<RunInspection, ReadError> {
    Ok(RunInspection {
        run_id: from.optional()?,
        created_at: time(from)?,
        started_at: time(from)?,
        finished_at: time(from)?,
        verdict: verdict(from)?,
        summary: from.list(|from| Ok((word(&from.text()?), from.number()? as u64)))?,
        nodes: from.list(node)?,
        tree: from.optional()?.map(|json| Tree::from_json(&json)).transpose()?,
        error: from.optional()?,
        failed_children: from.list(Unpack::text)?,
        failed_child_count: from.number()? as u64,
        continued: from.flag()?,
        continued_as: from.optional()?,
        status: from.optional()?.as_deref().map(word),
        row: row(from)?,
        witnesses: from.list(witness)?,
        attempts: from.list(attempt)?,
        boundary: boundary(from)?,
        caveats: from.list(Unpack::text)?,
        told: from.list(told)?,
        ..RunInspection::default()
    })
}

fn word<V: crate::word::Vocabulary>(text: &str) -> Word<V> {
    Word::new(text)
}

#[inline(never)]
fn time(from: &mut Unpack<'_>) -> Result<Option<Millis>, ReadError> {
    Ok(from.optional_number()?.map(Millis))
}

#[inline(never)]
fn small(from: &mut Unpack<'_>) -> Result<Option<u32>, ReadError> {
    Ok(from.optional_number()?.map(|number| number as u32))
}

fn verdict(from: &mut Unpack<'_>) -> Result<Verdict, ReadError> {
    let [absent, said, _] = VERDICTS;
    let kind = from.text()?;
    if kind == absent {
        return Ok(Verdict::Absent);
    }
    let view = RunStateView::read_in_row(Slice::of_text(&from.text()?)?)?;
    let evidence = evidence(from)?;
    Ok(if kind == said { Verdict::Said { view, evidence } } else { Verdict::Derived { view, evidence } })
}

#[inline(never)]
fn evidence(from: &mut Unpack<'_>) -> Result<Evidence, ReadError> {
    let [absent, word, moment, _] = VALUES;
    let inputs = from.list(|from| {
        let (name, kind) = (interned(from.text()?), from.text()?);
        let value = if kind == absent {
            Value::Absent
        } else if kind == moment {
            Value::Time(time(from)?.unwrap_or(Millis(f64::NAN)))
        } else if kind == word {
            Value::Word(from.text()?)
        } else {
            Value::Text(from.text()?)
        };
        let (at, limit_ms) = (time(from)?, from.optional_number()?);
        Ok(Input { name, value, at, limit_ms, decisive: from.flag()? })
    })?;
    Ok(Evidence { inputs, read_from: from.text()?, read_at: time(from)? })
}

thread_local! {
    static NAMES: RefCell<Vec<&'static str>> = const { RefCell::new(Vec::new()) };
}

/// The name of an input, kept for good: the other build has it in a table of some twenty.
fn interned(name: String) -> &'static str {
    NAMES.with_borrow_mut(|names| {
        if let Some(known) = names.iter().find(|known| **known == name) {
            return *known;
        }
        let name: &'static str = Box::leak(name.into_boxed_str());
        names.push(name);
        name
    })
}

fn node(from: &mut Unpack<'_>) -> Result<NodeStatus, ReadError> {
    Ok(NodeStatus {
        node_id: from.text()?,
        iteration: from.number()? as u32,
        state: word(&from.text()?),
        last_attempt: small(from)?,
        label: from.optional()?,
        updated_at: time(from)?,
        started_at: time(from)?,
        finished_at: time(from)?,
    })
}

fn row(from: &mut Unpack<'_>) -> Result<Option<RowSignals>, ReadError> {
    if !from.flag()? {
        return Ok(None);
    }
    Ok(Some(RowSignals {
        heartbeat_at: time(from)?,
        owner: from.optional()?,
        cancel_requested_at: time(from)?,
        read_from: from.text()?,
    }))
}

fn witness(from: &mut Unpack<'_>) -> Result<Witness, ReadError> {
    Ok(Witness {
        source: from.word()?,
        state: word(&from.text()?),
        at: time(from)?,
        evidence: evidence(from)?,
    })
}

fn attempt(from: &mut Unpack<'_>) -> Result<Attempt, ReadError> {
    Ok(Attempt {
        node_id: from.text()?,
        iteration: from.number()? as u32,
        attempt: small(from)?,
        state: word(&from.text()?),
        started_at: time(from)?,
        heartbeat_at: time(from)?,
        heartbeat_timeout_ms: from.optional_number()?,
        retries: small(from)?,
        signal: from.optional()?,
        correlation_id: from.optional()?,
        read_at: time(from)?,
    })
}

fn boundary(from: &mut Unpack<'_>) -> Result<Option<Boundary>, ReadError> {
    if !from.flag()? {
        return Ok(None);
    }
    Ok(Some(Boundary {
        operation: from.optional()?,
        effects: from.number()? as u64,
        late: from.flag()?,
        at: time(from)?,
    }))
}

fn told(from: &mut Unpack<'_>) -> Result<ToldBlocker, ReadError> {
    let kind = word(&from.text()?);
    let node = match from.optional()? {
        Some(node_id) => Some(Target { node_id, iteration: from.number()? as u32 }),
        None => None,
    };
    let (reason, command, deny) = (from.text()?, from.optional()?, from.optional()?);
    Ok(ToldBlocker { kind, node, reason, command, deny, until: time(from)? })
}
