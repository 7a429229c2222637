use super::{DetailPart, Missing, Origin, list};

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
            "The manifest describes visit 2; that of this visit has been overwritten.",
        ),
        (
            Missing::StepFiles,
            "Gate, decision and policy of this visit are not known: the files of the step may still be those of an earlier visit.",
        ),
        (
            Missing::Rest { shown: 2_000, total: 1_000_000 },
            "The first 2\u{202f}000 of 1\u{202f}000\u{202f}000 characters are shown.",
        ),
        (Missing::EarlierAttempts { more: 1 }, "1 earlier attempt is not listed."),
        (Missing::EarlierAttempts { more: 5 }, "5 earlier attempts are not listed."),
        (Missing::FirstAttempt, "No attempt yet."),
        (Missing::Output, "Output: read only from a Gateway. Connect to the Gateway of this run to see it."),
        (Missing::OutputYet, "No output yet."),
        (Missing::FailedOutput, "The node failed without an output."),
        (Missing::OutputTable, "A node of this kind has no output."),
        (
            Missing::OutputOfId,
            "The Gateway gives no output of nodes whose ids have spaces or letters outside ASCII.",
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
        (Missing::NodeEvents, "No listed event is about this iteration of the node."),
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
        (Missing::NoMessages, "No messages yet."),
        (Missing::OlderMessages { older: 1 }, "1 older message was not sent."),
        (Missing::OlderMessages { older: 70 }, "70 older messages were not sent."),
        (
            Missing::EarlierMessages { more: 30 },
            "Earlier messages are not listed: 30. Raw JSON of the session has them.",
        ),
        (Missing::Withheld, "Studio withheld the content."),
        (
            Missing::LaneDetail,
            "The signals of a session say only the name, the state and the events of a node.",
        ),
        (Missing::Properties { more: 1 }, "1 more property is not listed."),
        (Missing::Properties { more: 3 }, "3 more properties are not listed."),
    ]
}

#[test]
fn every_empty_place_is_a_sentence() {
    let own = [
        Missing::State,
        Missing::Start,
        Missing::End,
        Missing::Request,
        Missing::Decider,
        Missing::Error,
        Missing::Iteration,
        Missing::Node,
        Missing::NoManifest,
        Missing::AllAttempts,
        Missing::Attempts { numbers: vec![1] },
        Missing::Attempts { numbers: vec![1, 2] },
        Missing::NextAttempt,
        Missing::Branches,
        Missing::SessionDetail,
        Missing::Messages,
        Missing::Response,
        Missing::ActionRequest,
        Missing::CallStart,
        Missing::CallEnd,
    ];
    let common = common();
    let mut sentences = Vec::new();
    for origin in [Origin::Gateway, Origin::Document, Origin::Traffic] {
        sentences.extend(own.iter().map(|missing| missing.sentence(origin)));
        for (missing, sentence) in &common {
            assert_eq!(missing.sentence(origin), *sentence);
        }
    }
    assert_eq!(
        (&*sentences[0], &*sentences[own.len() + 1], &*sentences[2 * own.len() + 2]),
        (
            "State: the Gateway has not sent it.",
            "Start: not in this document.",
            "End: not seen in this page’s traffic."
        )
    );
    let number = sentences.len();
    sentences.sort_unstable();
    sentences.dedup();
    assert_eq!(sentences.len(), number, "each place has a sentence of its own");
    for sentence in sentences {
        assert!(sentence.ends_with('.') && sentence.starts_with(char::is_uppercase), "{sentence}");
    }
}

#[test]
fn numbers_are_listed_as_people_do() {
    for (numbers, text) in
        [(&[1][..], "1"), (&[1, 2], "1 and 2"), (&[1, 2, 3], "1 to 3"), (&[1, 3, 5], "1, 3 and 5"), (&[], "")]
    {
        assert_eq!(list(numbers), text);
    }
}
