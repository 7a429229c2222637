//! The rules of lionagi as functions of JSON text, for the JavaScript module.
//!
//! `session` is a row as lionagi writes it, with times in seconds. A null field counts as absent. Every function returns an
//! error with a position for an argument that it cannot read.

use std::borrow::Cow;

use super::normalized_state::normalize;
use super::{
    Axes, Health, HealthVerdict, NormalizedState, Probe, SeverityVerdict, Signals, classify_session_health,
    detect_reaper, session_health,
};
use crate::json::{ReadError, Slice, fields, optional};
use crate::lionagi::wire::{SessionHealth, SessionRow};
use crate::word::Word;

/// `classifyHealth(session, { now, processAlive, hasArtifacts, hasStaleLocks })`. `hasArtifacts` and `hasStaleLocks` are false by default.
///
/// # Errors
/// [`ReadError`] if an argument cannot be read, or `now` is missing.
///
/// ```
/// use runstate::lionagi::derive::json_api::classify_health_json;
/// use runstate::word::Vocabulary;
///
/// let session = r#"{"status":"running","last_message_at":1716278399.0,"message_count":3}"#;
/// let verdict = classify_health_json(session, r#"{"now":1716300000,"processAlive":true}"#)?;
/// assert_eq!((verdict.health.as_str(), verdict.severity, verdict.threshold.0), ("unresponsive", 2, 21_600.0));
/// assert!(classify_health_json(session, "{}").is_err());
/// # Ok::<(), runstate::json::ReadError>(())
/// ```
pub fn classify_health_json(session: &str, probe: &str) -> Result<HealthVerdict, ReadError> {
    let row = SessionRow::read(Slice::from_text(session)?)?;
    let probe = Slice::from_text(probe)?;
    let (signals, _) = read_signals(probe)?;
    let probe = Probe {
        now: signals.now.ok_or_else(|| probe.refuse("The field `now` is missing."))?,
        process_alive: signals.process_alive,
        has_artifacts: signals.has_artifacts.unwrap_or(false),
        has_stale_locks: signals.has_stale_locks.unwrap_or(false),
    };
    Ok(classify_session_health(&row, &probe))
}

/// `worstHealth(list)`: the worst of these healths; `healthy` for an empty list.
///
/// # Errors
/// [`ReadError`] if it is not a list of known healths.
///
/// ```
/// use runstate::lionagi::derive::json_api::worst_health_json;
/// use runstate::lionagi::wire::SessionHealth;
///
/// assert_eq!(worst_health_json(r#"["idle","stale"]"#)?, SessionHealth::Stale);
/// assert!(worst_health_json(r#"["sleepy"]"#).is_err());
/// # Ok::<(), runstate::json::ReadError>(())
/// ```
pub fn worst_health_json(list: &str) -> Result<SessionHealth, ReadError> {
    let healths = Slice::from_text(list)?.read_items(|item| {
        let word: Word<SessionHealth> = item.read()?;
        word.known().ok_or_else(|| item.expected("a health that is known"))
    })?;
    Ok(super::worst_health(&healths))
}

/// `effectiveState(session, { health, now, processAlive, hasArtifacts, hasStaleLocks })`: the word of the
/// shown state, or `None` if the session has no status.
///
/// # Errors
/// [`ReadError`] if an argument cannot be read.
///
/// ```
/// use runstate::lionagi::derive::json_api::effective_state_json;
///
/// assert_eq!(effective_state_json(r#"{"status":"running"}"#, r#"{"health":"stale"}"#)?.unwrap(), "stale running");
/// assert_eq!(effective_state_json(r#"{"status":null}"#, "{}")?.unwrap(), "legacy");
/// assert_eq!(effective_state_json("{}", "{}")?, None);
/// # Ok::<(), runstate::json::ReadError>(())
/// ```
pub fn effective_state_json(session: &str, signals: &str) -> Result<Option<Cow<'static, str>>, ReadError> {
    let (row, health, _) = read_state(session, signals)?;
    let state =
        super::effective_state(&row.status, health.as_ref().map(|health| &health.word), detect_reaper(&row));
    Ok(state.map(|state| state.word))
}

/// `normalizeState(row, { health, now, processAlive, hasArtifacts, hasStaleLocks })`: the axes of ADR-0033.
///
/// # Errors
/// [`ReadError`] if an argument cannot be read.
///
/// ```
/// use runstate::lionagi::derive::json_api::normalize_state_json;
///
/// let state = normalize_state_json(r#"{"status":"failed","ended_at":1716300000.0}"#, "{}")?;
/// let json = serde_json::to_string(&state)?;
/// assert!(json.contains(r#""outcome":"failed","health":null,"delivery":null,"severity":"critical""#));
/// assert!(json.ends_with(r#""policy_version":"v1","source":"frontend_compat"}"#));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn normalize_state_json(row: &str, signals: &str) -> Result<NormalizedState, ReadError> {
    let (row, health, signals) = read_state(row, signals)?;
    Ok(normalize(&row, health.as_ref(), &signals))
}

/// `deriveSeverity({ outcome, health, delivery })`: severity and tone by the rules of ADR-0033.
///
/// # Errors
/// [`ReadError`] if the argument is not an object, or an axis is not text.
///
/// ```
/// use runstate::lionagi::derive::json_api::derive_severity_json;
/// use runstate::lionagi::wire::Severity;
///
/// assert_eq!(derive_severity_json(r#"{"outcome":"timed_out"}"#)?.severity, Severity::Warning);
/// assert!(derive_severity_json(r#"{"outcome":124}"#).is_err());
/// # Ok::<(), runstate::json::ReadError>(())
/// ```
pub fn derive_severity_json(axes: &str) -> Result<SeverityVerdict, ReadError> {
    let axes: Axes = Slice::from_text(axes)?.read()?;
    Ok(super::derive_severity(&axes))
}

fn read_state(session: &str, signals: &str) -> Result<(SessionRow, Option<Health>, Signals), ReadError> {
    let mut row = SessionRow::read(Slice::from_text(session)?)?;
    let (mut signals, health) = read_signals(Slice::from_text(signals)?)?;
    if health.is_some() {
        row.health = health;
        // The caller's health replaces the classification, also if the caller knows of stale locks.
        row.process_alive = signals.process_alive.take().or(row.process_alive);
        signals.has_stale_locks = None;
    }
    let health = session_health(&row, &signals);
    Ok((row, health, signals))
}

fn read_signals(slice: Slice<'_>) -> Result<(Signals, Option<Word<SessionHealth>>), ReadError> {
    let [health] = fields(slice, ["health"])?;
    Ok((slice.read()?, optional(health, Slice::read)?))
}
