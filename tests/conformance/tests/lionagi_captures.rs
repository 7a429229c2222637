//! The recorded answers of lionagi 0.36: every document with a session's state is read.

use std::collections::BTreeMap;

use runstate::ingest::lionagi::{join, read};
use runstate::lionagi::derive::Question;
use runstate::lionagi::wire::LionagiDocumentKind;
use runstate::run::lionagi::{LionagiInspection, SessionInspection};
use runstate::time::Millis;
use serde_json::Value;

/// About when the documents were recorded.
const NOW: Millis = Millis(1_795_293_920_000.0);

fn text(path: &str) -> String {
    let path = format!("{}/../vectors/lionagi/captures/{path}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn opened(path: &str) -> LionagiInspection {
    read(&text(path), path, NOW).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn json(path: &str) -> Value {
    serde_json::from_str(&text(path)).unwrap()
}

fn names() -> Vec<String> {
    let mut found = Vec::new();
    let root = format!("{}/../vectors/lionagi/captures", env!("CARGO_MANIFEST_DIR"));
    for folder in std::fs::read_dir(root).unwrap().map(Result::unwrap) {
        for file in std::fs::read_dir(folder.path()).unwrap().map(Result::unwrap) {
            let (folder, file) = (folder.file_name(), file.file_name());
            found.push(format!("{}/{}", folder.to_str().unwrap(), file.to_str().unwrap()));
        }
    }
    found.sort();
    found
}

fn session<'a>(inspection: &'a LionagiInspection, id: &str) -> &'a SessionInspection {
    let all = inspection.session.iter().chain(&inspection.sessions);
    all.into_iter().find(|session| session.row.session_id.as_deref() == Some(id)).unwrap()
}

fn word(session: &SessionInspection) -> &str {
    session.effective.as_ref().map_or("", |effective| &effective.word)
}

#[test]
fn every_document_is_recognised_by_its_content() {
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for name in names() {
        let inspection = opened(&name);
        let expected = match name.rsplit_once('/').unwrap().1 {
            "admin-doctor.json" => LionagiDocumentKind::Doctor,
            "admin-health.json" => LionagiDocumentKind::AdminHealth,
            "invocations-list.json" => LionagiDocumentKind::InvocationList,
            "stats.json" => LionagiDocumentKind::Stats,
            file if file.starts_with("agent-status") => LionagiDocumentKind::AgentStatus,
            file if file.starts_with("lifecycle") => LionagiDocumentKind::Lifecycle,
            file if file.starts_with("invocation-") => LionagiDocumentKind::Invocation,
            file if file.starts_with("session-not") || file.starts_with("session-paged-bad") => {
                LionagiDocumentKind::ErrorResponse
            }
            "run-not-found.json" | "runs-list-kind-invalid.json" | "runs-list-per-page-too-big.json" => {
                LionagiDocumentKind::ErrorResponse
            }
            "runs-list-unknown-param.json" => LionagiDocumentKind::ErrorResponse,
            file if file.starts_with("runs-list") || file.starts_with("sessions-list") => {
                LionagiDocumentKind::SessionList
            }
            file if file.starts_with("run-resume-availability") => continue,
            file if file.starts_with("run-") || file.starts_with("session-") => LionagiDocumentKind::Session,
            file if file.starts_with("transition-partial-run") => LionagiDocumentKind::Session,
            _ => LionagiDocumentKind::ErrorResponse,
        };
        assert_eq!(inspection.kind, expected, "{name}");
        assert_eq!(inspection.refusal.is_some(), expected == LionagiDocumentKind::ErrorResponse, "{name}");
        *kinds.entry(name_of(expected)).or_default() += 1;
    }
    assert_eq!(kinds.len(), 10, "{kinds:?}");
}

fn name_of(kind: LionagiDocumentKind) -> &'static str {
    runstate::word::Vocabulary::as_str(kind)
}

#[test]
fn every_row_of_every_list_is_shown_as_the_server_says() {
    let mut rows = 0;
    for name in
        ["studio/runs-list-p1.json", "bulk/runs-list-status-running.json", "reapers/runs-list-p1.json"]
    {
        let (ours, theirs) = (opened(name), json(name));
        let theirs = theirs["runs"].as_array().unwrap();
        assert_eq!((ours.sessions.len(), ours.problems.texts().len()), (theirs.len(), 0), "{name}");
        for (ours, theirs) in ours.sessions.iter().zip(theirs) {
            rows += 1;
            assert_eq!(ours.row.status.label(), theirs["status"].as_str());
            let health = theirs["effective_health"].as_str();
            assert!(health.is_none() || ours.health.as_ref().map(|health| health.word.as_str()) == health);
            let shown = match (theirs["status"].as_str().unwrap(), health) {
                ("running", Some("healthy")) => "running".to_owned(),
                ("running", Some(health)) => format!("{health} running"),
                (status, _) => {
                    let summary = theirs["status_reason_summary"].as_str().unwrap_or_default();
                    let reaped = summary.ends_with("_reaped") || summary == "process_exited_without_status";
                    if reaped { format!("{status} reaped") } else { status.to_owned() }
                }
            };
            assert_eq!(word(ours), shown, "{name} {theirs}");
        }
    }
    assert!(rows > 200, "{rows}");
}

#[test]
fn a_legacy_row_is_shown_where_null_is_told_and_suspected_where_it_is_not() {
    let told = opened("cli/agent-status-legacy-null-old-0.json").session.unwrap();
    assert_eq!(word(&told), "legacy");
    assert_eq!(told.disagreements[0].answers[1].value, "running");
    for name in ["studio/run-legacy-null-old-0.json", "studio/run-legacy-null-recent.json"] {
        let suspected = opened(name).session.unwrap();
        assert_eq!((word(&suspected), suspected.disagreements.len()), ("completed", 1), "{name}");
        assert_eq!(suspected.disagreements[0].answers[1].value, "null");
    }
    assert_eq!(opened("studio/run-completed-ok.json").session.unwrap().disagreements, []);
    assert_eq!(opened("studio/stats.json").legacy_sessions(), 4);
}

#[test]
fn the_timeout_is_read_where_it_was_stored_alone() {
    let stored = opened("studio/session-timed-out-with-metadata.json").session.unwrap();
    assert_eq!(stored.row.timeout.configured.map(|time| time.0), Some(900.0));
    let not_served = opened("studio/run-timed-out-with-metadata.json").session.unwrap();
    assert_eq!(
        (word(&not_served), not_served.row.timeout),
        ("timed_out", runstate::lionagi::wire::Timeout::default())
    );
}

#[test]
fn what_is_not_a_state_is_told_as_a_refusal() {
    for (name, code, message) in [
        ("studio/run-not-found.json", "NOT_FOUND", "Run 'nope' not found"),
        ("partial/token-missing.json", "UNAUTHORIZED", "Unauthorized"),
        (
            "studio/runs-list-per-page-too-big.json",
            "INVALID_REQUEST",
            "query.per_page: Input should be less than or equal to 500.",
        ),
        ("studio/post-wrong-content-type.json", "REFUSED", "Content-Type must be application/json"),
    ] {
        let refusal = opened(name).refusal.unwrap();
        assert_eq!((&*refusal.code, &*refusal.message), (code, message), "{name}");
    }
}

#[test]
fn admin_health_and_the_list_are_heard_together() {
    let [list, health] = ["bulk/runs-list-status-running.json", "bulk/admin-health.json"].map(opened);
    let (listed, asked) = (json("bulk/runs-list-status-running.json"), json("bulk/admin-health.json"));
    let mut differ = 0;
    let listed = listed["runs"].as_array().unwrap();
    for row in asked["sessions"]["unhealthy"].as_array().unwrap() {
        let same = listed.iter().find(|listed| listed["session_id"] == row["session_id"]);
        differ += usize::from(same.is_some_and(|same| same["effective_health"] != row["health"]));
    }
    assert!(differ > 3, "{differ}");
    let joined = join(vec![list, health], NOW).unwrap();
    let heard = joined.sessions.iter().flat_map(|session| &session.disagreements);
    let heard: Vec<_> = heard.filter(|disagreement| disagreement.question == Question::Health).collect();
    assert_eq!(heard.len(), differ);
    for disagreement in heard {
        assert_eq!(disagreement.answers[0].read_from, "bulk/admin-health.json");
        assert_eq!(disagreement.answers[1].read_from, "bulk/runs-list-status-running.json");
        assert!(disagreement.explanation.unwrap().contains("on disk"));
    }
}

#[test]
fn a_zombie_that_only_admin_health_sees_is_shown_over_the_list() {
    let id = "57598bc9-785d-50c5-8d25-d2d077aa7807";
    let list = opened("studio/runs-list-p1.json");
    assert_eq!(word(session(&list, id)), "completed");
    let joined = join(vec![list, opened("studio/admin-health.json")], NOW).unwrap();
    assert_eq!(word(session(&joined, id)), "completed zombie");
}

#[test]
fn a_dead_process_is_told_from_a_silent_one() {
    let list = opened("studio/runs-list-p1.json");
    let alive = |id: &str| session(&list, id).health.as_ref().unwrap().process_alive;
    // Silent for two minutes and stale: only a dead process is called so.
    assert_eq!(alive("e6e6ea15-8fab-5726-8e46-0284c5c4a037"), Some(false));
    // Silent beyond its limit: its process is unknown.
    assert_eq!(alive("fd226740-fd3c-5014-84a1-00a42d0bc7e4"), None);
    assert_eq!(alive("23a43033-0b9b-53ec-b114-6f879cd67e92"), Some(true));
}

#[test]
fn an_invocation_is_heard_with_its_sessions() {
    let inspection = opened("studio/invocation-1.json");
    let invocation = inspection.session.as_ref().unwrap();
    assert_eq!((word(invocation), inspection.sessions.len()), ("orphaned running", 3));
    let lifecycle = opened("cli/lifecycle-timed-out-cli-run.json");
    assert_eq!(lifecycle.sessions.len(), 1);
    let run = lifecycle.session.unwrap();
    assert_eq!((word(&run), run.disagreements[0].question), ("timed_out", Question::Outcome));
    assert_eq!(run.disagreements[0].answers[1].value, "failed");
}

/// The health of an invocation according to documents, and the contradictions.
fn heard_of_health(documents: [&str; 2]) -> Vec<(String, String)> {
    let joined = join(documents.map(opened).into(), NOW).unwrap();
    let disagreements = &session(&joined, "eaeee5bb-5513-5be5-86b2-8d3c019961cb").disagreements;
    let health = disagreements.iter().filter(|found| found.question == Question::Health);
    let answers = health.flat_map(|found| found.answers.clone());
    answers.map(|answer| (answer.value, answer.read_from)).collect()
}

#[test]
fn an_invocation_and_the_list_are_heard_together() {
    let list = "studio/runs-list-p1.json";
    for invocation in ["studio/invocation-1.json", "studio/invocations-list.json"] {
        let answers = [("orphaned", invocation), ("stale", list)].map(|(a, b)| (a.to_owned(), b.to_owned()));
        assert_eq!(heard_of_health([invocation, list]), answers);
        assert_eq!(heard_of_health([list, invocation]), answers);
    }
    let nothing_else = ["studio/invocation-1.json", "studio/invocations-list.json"];
    assert_eq!(heard_of_health(nothing_else), [], "the same answer twice, and no word of its sessions");
}

#[test]
fn words_that_nobody_knows_stay_what_they_are() {
    let paused = opened("studio/run-raw-status-paused.json").session.unwrap();
    assert_eq!((word(&paused), paused.row.status.known()), ("paused", None));
    assert_eq!(paused.normalized.axes.outcome, None);
}
