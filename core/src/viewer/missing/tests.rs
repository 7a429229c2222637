use super::{DetailPart, Missing, Origin, list};
use crate::ingest::System;

/// The sentences that are the same for every source.
fn common() -> Vec<(Missing, &'static str)> {
    vec![
        (
            Missing::LeftTree { frame: Some(41.0) },
            "No longer in the tree since frame 41. This is what was last known.",
        ),
        (Missing::LeftTree { frame: None }, "No longer in the tree. This is what was last known."),
        (
            Missing::Manifest { visit: 2 },
            "The manifest describes visit 2; that of this visit has been overwritten. Its events are kept: open Events.",
        ),
        (
            Missing::StepFiles,
            "Gate, decision and policy of this visit are not known: the files of the step may still be those of an earlier visit. Open the run directory again once the step has ended.",
        ),
        (
            Missing::Rest { shown: 2_000, total: 1_000_000 },
            "The first 2\u{202f}000 of 1\u{202f}000\u{202f}000 characters are shown.",
        ),
        (Missing::EarlierAttempts { more: 1 }, "1 earlier attempt is not listed. Raw JSON has it."),
        (Missing::EarlierAttempts { more: 5 }, "5 earlier attempts are not listed. Raw JSON has them."),
        (Missing::FirstAttempt, "No attempt yet. The first one is listed once the node starts."),
        (Missing::Output, "Output: read only from a Gateway. Connect to the Gateway of this run to see it."),
        (Missing::OutputYet, "No output yet. It is shown once the node has finished."),
        (Missing::FailedOutput, "The node failed without an output. Open Attempts to see its errors."),
        (Missing::OutputTable, "A node of this kind has no output. Open Events to see what it did."),
        (
            Missing::OutputOfId,
            "The Gateway gives no output of nodes whose ids have spaces or letters outside ASCII. smithers node NODE_ID -r RUN_ID prints it.",
        ),
        (
            Missing::UnreadableOutput,
            "The Gateway’s answer about the output has another form than expected. Raw JSON shows it.",
        ),
        (Missing::Requested(DetailPart::Attempts), "Attempts: requested; the Gateway has not answered yet."),
        (Missing::NotAnswered(DetailPart::Output, "it is too late".to_owned()), "Output: it is too late."),
        (
            Missing::NotRenewed {
                part: DetailPart::Output,
                reason: "it is too late".to_owned(),
                age: "2 min ago".to_owned(),
            },
            "Output: it is too late. The last answer is shown, from 2 min ago.",
        ),
        (
            Missing::Requested(DetailPart::Request),
            "The question: requested; the Gateway has not answered yet.",
        ),
        (
            Missing::NotAnswered(DetailPart::Decision, "it is too late".to_owned()),
            "The decision: it is too late.",
        ),
        (
            Missing::PendingRequest,
            "Waiting, but no decision is pending: the Gateway lists no request for this node. If that stays so, only cancelling the run ends the wait.",
        ),
        (
            Missing::NodeEvents,
            "No listed event is about this iteration of the node. The events of the run have all others.",
        ),
        (
            Missing::EarlierEvents { more: 1_200 },
            "Earlier rows are not listed: 1\u{202f}200. The events of the run have all of them.",
        ),
        (
            Missing::ToolCalls,
            "No tool call is among these events: an agent that reports its calls writes an event for each.",
        ),
        (
            Missing::EarlierCalls { more: 1_200 },
            "Earlier calls are not listed: 1\u{202f}200. The events of the run have all of them.",
        ),
        (Missing::NoMessages, "No messages yet. They are listed once the branch has some."),
        (
            Missing::OlderMessages { older: 1 },
            "1 older message was not sent. Studio sends it with message_limit=1000.",
        ),
        (
            Missing::OlderMessages { older: 70 },
            "70 older messages were not sent. Studio sends up to 1 000 with message_limit=1000.",
        ),
        (
            Missing::EarlierMessages { more: 30 },
            "Earlier messages are not listed: 30. Raw JSON of the session has them.",
        ),
        (Missing::Withheld, "Studio withheld the content."),
        (Missing::UnnamedAction, "The response does not say which action it answers."),
        (
            Missing::LaneDetail,
            "The signals of a session say only the name, the state and the events of a node. Studio’s response to GET /api/runs/{id} says more.",
        ),
        (Missing::Properties { more: 1 }, "1 more property is not listed. Raw JSON has it."),
        (Missing::Properties { more: 3 }, "3 more properties are not listed. Raw JSON has them."),
    ]
}

/// What a source lacks, by the system whose runs lack it.
fn own(system: System) -> Vec<Missing> {
    let of_all = vec![Missing::State, Missing::Start, Missing::End, Missing::Node];
    let of_system = match system {
        System::Smithers => vec![
            Missing::Request,
            Missing::Decider,
            Missing::Error,
            Missing::Iteration,
            Missing::AllAttempts,
            Missing::Attempts { numbers: vec![1] },
            Missing::Attempts { numbers: vec![1, 2] },
            Missing::NextAttempt,
        ],
        System::Lionagi => vec![
            Missing::Branches,
            Missing::SessionDetail,
            Missing::Messages,
            Missing::Response,
            Missing::ActionRequest,
        ],
        System::Conductor => vec![Missing::Error, Missing::Iteration, Missing::NoManifest],
    };
    [of_all, of_system].concat()
}

#[test]
fn every_empty_place_is_a_sentence_that_says_what_to_do() {
    for system in [System::Smithers, System::Lionagi, System::Conductor] {
        for (missing, sentence) in &common() {
            assert_eq!(missing.sentence(Origin::Document, system), *sentence);
        }
        let origins = match system {
            System::Smithers => &[Origin::Gateway, Origin::Document, Origin::Traffic][..],
            System::Lionagi => &[Origin::Document, Origin::Traffic],
            System::Conductor => &[Origin::Document],
        };
        let mut sentences: Vec<String> = Vec::new();
        for origin in origins {
            sentences.extend(own(system).iter().map(|missing| missing.sentence(*origin, system)));
        }
        for sentence in &sentences {
            assert!(sentence.ends_with('.') && sentence.starts_with(char::is_uppercase), "{sentence}");
            let (what, advice) =
                sentence.split_once(". ").unwrap_or_else(|| panic!("nothing to do: {sentence}"));
            assert!(!advice.is_empty() && advice.len() < 100 && what.len() < 80, "{sentence}");
        }
        let number = sentences.len();
        sentences.sort_unstable();
        sentences.dedup();
        assert_eq!(sentences.len(), number, "each place has a sentence of its own");
    }
}

#[test]
fn the_advice_is_that_of_the_system_and_of_the_source() {
    let sentence = |missing: Missing, origin, system| missing.sentence(origin, system);
    for (missing, origin, system, expected) in [
        (
            Missing::State,
            Origin::Gateway,
            System::Smithers,
            "State: the Gateway has not sent it. smithers node NODE_ID -r RUN_ID prints it.",
        ),
        (
            Missing::Start,
            Origin::Document,
            System::Smithers,
            "Start: not in this document. Open the output of smithers events RUN_ID --json with it.",
        ),
        (
            Missing::End,
            Origin::Traffic,
            System::Smithers,
            "End: not seen in this page’s traffic. It appears when the page requests listNodeStates.",
        ),
        (
            Missing::Start,
            Origin::Document,
            System::Lionagi,
            "Start: not in this document. Open Studio’s response to GET /api/runs/{id} with it.",
        ),
        (
            Missing::NoManifest,
            Origin::Document,
            System::Conductor,
            "The manifest: not in this document. Open the whole run directory with events.ndjson and artifacts.",
        ),
    ] {
        assert_eq!(sentence(missing, origin, system), expected);
    }
}

#[test]
fn the_ends_of_a_call_are_labels() {
    let sentence = |missing: Missing, origin| missing.sentence(origin, System::Smithers);
    assert_eq!(sentence(Missing::CallStart, Origin::Traffic), "No start in this page’s traffic.");
    assert_eq!(sentence(Missing::CallEnd, Origin::Gateway), "No end was received.");
    assert_eq!(sentence(Missing::CallEnd, Origin::Document), "No end in this log.");
}

#[test]
fn numbers_are_listed_as_people_do() {
    for (numbers, text) in
        [(&[1][..], "1"), (&[1, 2], "1 and 2"), (&[1, 2, 3], "1 to 3"), (&[1, 3, 5], "1, 3 and 5"), (&[], "")]
    {
        assert_eq!(list(numbers), text);
    }
}
