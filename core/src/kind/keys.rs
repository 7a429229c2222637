//! The keys of an object, by which its kind is recognised.

use crate::json::{ReadError, Slice, Token};

/// The keys that the rules for kinds ask for, sorted: their values are kept, so that an object with millions of keys takes no
/// space. Any other key is looked up in the object.
#[rustfmt::skip]
const KNOWN: [&str; 90] = [
    "active_opcode", "active_runner_family", "artifacts", "artifacts_root", "attempt", "blockers",
    "computedAt", "contract_version", "counts", "createdAtMs", "created_at_ms", "cta", "db", "depth",
    "detail", "dispositions", "effective_health", "entity_type", "entry_step", "event", "event_type",
    "events", "evidence_summary", "exit_class", "frameNo", "frame_no", "gate", "history", "id",
    "invocation_kind", "invocations", "item_id", "last_completed_step_id", "last_message_at",
    "last_route_target", "latest_status", "lifecycle_state", "next_step", "nodeId", "node_id", "nodes", "ok",
    "opcode", "ordinal", "outcome", "per_page", "phantom_sessions", "play_count", "play_name", "plays",
    "requestedAtMs", "requested_at_ms", "resumable", "root", "run", "runId", "runState", "run_id", "runs",
    "schema_versions", "session_count", "session_id", "sessions", "skill", "source_status", "startedAtMs",
    "started_at_ms", "state", "status", "status_reason_code", "step_id", "steps", "summary", "terminalStatus",
    "timeout_seconds", "timestampMs", "topic", "truncated", "type", "updated_at", "verdict", "version", "won",
    "workflowName", "workflow_id", "workflow_name", "workflow_version", "workspace_context", "xmlJson",
    "xml_json",
];

/// The values of the known keys of an object, read in one pass.
pub(crate) struct Keys<'a> {
    object: Slice<'a>,
    found: Vec<(&'static str, Slice<'a>)>,
    /// The keys that occur again after their first value.
    repeated: Vec<&'static str>,
    /// Whether the object has further keys.
    has_others: bool,
    /// Whether the object is truncated and lacks its last keys.
    truncated: bool,
}

impl<'a> Keys<'a> {
    /// Reads the keys of an object. Of a duplicate key the first value is used; the reader of the object rejects it.
    ///
    /// # Errors
    /// [`ReadError`] if the value is not an object, or its grammar is wrong.
    pub(crate) fn read(object: Slice<'a>) -> Result<Self, ReadError> {
        let mut keys =
            Self { object, found: Vec::new(), repeated: Vec::new(), has_others: false, truncated: false };
        object.each_member(&mut |key, _, value| {
            match KNOWN.binary_search(&key) {
                Ok(at) if !keys.has(KNOWN[at]) => keys.found.push((KNOWN[at], value)),
                Ok(at) => keys.repeated.push(KNOWN[at]),
                Err(_) => keys.has_others = true,
            }
            Ok(())
        })?;
        Ok(keys)
    }

    /// Reads the keys that are left of a truncated object.
    ///
    /// # Errors
    /// As [`Keys::read`].
    pub(super) fn read_truncated(object: Slice<'a>) -> Result<Self, ReadError> {
        Ok(Self { truncated: true, ..Self::read(object)? })
    }

    /// Whether the object was truncated.
    pub(super) fn truncated(&self) -> bool {
        self.truncated
    }

    /// Whether one of these keys is duplicated.
    pub(super) fn repeats(&self, keys: &[&str]) -> bool {
        self.repeated.iter().any(|key| keys.contains(key))
    }

    /// The object itself.
    pub(crate) fn object(&self) -> Slice<'a> {
        self.object
    }

    /// The value of a key.
    pub(crate) fn get(&self, key: &str) -> Option<Slice<'a>> {
        if KNOWN.binary_search(&key).is_err() {
            return self.has_others.then(|| self.search(key)).flatten();
        }
        self.found.iter().find(|(name, _)| *name == key).map(|(_, value)| *value)
    }

    /// The value of a key that is not among the known ones.
    fn search(&self, key: &str) -> Option<Slice<'a>> {
        let mut found = None;
        let take = &mut |name: &str, _: usize, value| {
            if name == key && found.is_none() {
                found = Some(value);
            }
            Ok(())
        };
        self.object.each_member(take).ok()?;
        found
    }

    pub(crate) fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    /// Whether all of these keys are present.
    pub(crate) fn all<const N: usize>(&self, keys: [&str; N]) -> bool {
        keys.iter().all(|key| self.has(key))
    }

    /// Whether one of these keys is present.
    pub(crate) fn any<const N: usize>(&self, keys: [&str; N]) -> bool {
        keys.iter().any(|key| self.has(key))
    }

    /// The number of these keys that are present.
    pub(super) fn count<const N: usize>(&self, keys: [&str; N]) -> usize {
        keys.iter().filter(|key| self.has(key)).count()
    }

    /// Whether the object has this key and no other.
    pub(crate) fn only(&self, key: &str) -> bool {
        !self.has_others && self.found.len() == 1 && self.has(key)
    }

    pub(crate) fn is_object(&self, key: &str) -> bool {
        self.get(key).is_some_and(Slice::is_object)
    }

    pub(crate) fn is_list(&self, key: &str) -> bool {
        self.get(key).is_some_and(Slice::is_array)
    }

    /// Whether the value of a key is one of these texts.
    pub(super) fn is_one_of(&self, key: &str, texts: &[&str]) -> bool {
        self.get(key).and_then(Slice::text).is_some_and(|text| texts.contains(&&*text))
    }

    pub(crate) fn is_text(&self, key: &str) -> bool {
        self.get(key).is_some_and(|value| matches!(value.token(), Ok(Token::String(_))))
    }
}

#[cfg(test)]
mod tests {
    use super::{KNOWN, Keys};
    use crate::json::Slice;

    #[test]
    fn known_keys_are_sorted() {
        assert!(KNOWN.is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn keys_are_found_at_the_top_of_the_object_alone() {
        let keys = Keys::read(Slice::new(r#"{"other":{"state":1},"runId":"r","run\u0049d":"s"}"#)).unwrap();
        assert_eq!(keys.get("runId").map(Slice::json), Some(r#""r""#), "the first value of a duplicate key");
        assert!(keys.repeats(&["state", "runId"]) && !keys.repeats(&["state"]));
        assert!(!keys.has("state") && !keys.only("runId") && keys.is_text("runId"));
        assert_eq!(keys.get("other").map(Slice::json), Some(r#"{"state":1}"#), "a key of no rule");
        assert!(!keys.has("unknown"));
        let detail = Keys::read(Slice::new(r#"{"detail":[]}"#)).unwrap();
        assert!(detail.only("detail") && detail.is_list("detail") && !detail.is_text("detail"));
        for text in ["[]", "7", "{", r#"{"a":}"#, "{} x"] {
            assert!(Keys::read(Slice::new(text)).is_err(), "{text}");
        }
    }
}
