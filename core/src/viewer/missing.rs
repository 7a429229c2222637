//! The sentences for what a pane cannot show: what was looked for, and where it is not.

use crate::format;

/// Where a source would have a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// A live Gateway.
    Gateway,
    /// A document.
    Document,
    /// A page's traffic.
    Traffic,
}

/// Something that is not on screen because the source does not have it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Missing {
    /// The state of a node.
    State,
    /// When a node started.
    Start,
    /// When a node ended.
    End,
    /// What a person has to decide.
    Request,
    /// Why a node failed.
    Error,
    /// The selected iteration of a node, which the run has in other iterations.
    Iteration,
    /// The selected node, which was never seen.
    Node,
    /// The selected node, which left the tree.
    LeftTree {
        /// The first frame without it, if it is known.
        frame: Option<f64>,
    },
    /// The manifest of a visit of a step, which a later visit has overwritten.
    Manifest {
        /// The visit that the manifest describes, from 1.
        visit: u32,
    },
    /// The rest of a long text.
    Rest {
        /// The number of characters on screen.
        shown: usize,
        /// The number of all characters.
        total: usize,
    },
    /// Properties that are not listed.
    Properties {
        /// Their number.
        more: usize,
    },
}

impl Missing {
    /// The sentence for a person.
    pub(super) fn sentence(self, origin: Origin) -> String {
        let count = |number: usize| format::count(number as f64);
        match self {
            Self::State => format!("State: {}.", origin.lacks()),
            Self::Start => format!("Start: {}.", origin.lacks()),
            Self::End => format!("End: {}.", origin.lacks()),
            Self::Request => format!("The question: {}.", origin.lacks()),
            Self::Error => format!("The error: {}.", origin.lacks()),
            Self::Iteration => format!("This iteration: {}. Other iterations are known.", origin.lacks()),
            Self::Node => format!("A node with this id: {}.", origin.lacks()),
            Self::LeftTree { frame: Some(frame) } => {
                format!(
                    "No longer in the tree since frame {}. This is what was last known.",
                    format::count(frame)
                )
            }
            Self::LeftTree { frame: None } => {
                "No longer in the tree. This is what was last known.".to_owned()
            }
            Self::Manifest { visit } => format!(
                "The manifest describes visit {}; that of this visit has been overwritten.",
                format::count(f64::from(visit))
            ),
            Self::Rest { shown, total } => {
                format!("The first {} of {} characters are shown.", count(shown), count(total))
            }
            Self::Properties { more: 1 } => "1 more property is not listed.".to_owned(),
            Self::Properties { more } => format!("{} more properties are not listed.", count(more)),
        }
    }
}

impl Origin {
    /// That the source does not have something.
    fn lacks(self) -> &'static str {
        match self {
            Self::Gateway => "the Gateway has not sent it",
            Self::Document => "not in this document",
            Self::Traffic => "not seen in this page’s traffic",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Missing, Origin};

    #[test]
    fn every_empty_place_is_a_sentence() {
        let own = [
            Missing::State,
            Missing::Start,
            Missing::End,
            Missing::Request,
            Missing::Error,
            Missing::Iteration,
            Missing::Node,
        ];
        let common = [
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
                Missing::Rest { shown: 2_000, total: 1_000_000 },
                "The first 2\u{202f}000 of 1\u{202f}000\u{202f}000 characters are shown.",
            ),
            (Missing::Properties { more: 1 }, "1 more property is not listed."),
            (Missing::Properties { more: 3 }, "3 more properties are not listed."),
        ];
        let mut sentences = Vec::new();
        for origin in [Origin::Gateway, Origin::Document, Origin::Traffic] {
            sentences.extend(own.map(|missing| missing.sentence(origin)));
            for (missing, sentence) in common {
                assert_eq!(missing.sentence(origin), sentence);
            }
        }
        assert_eq!(
            (&*sentences[0], &*sentences[8], &*sentences[16]),
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
}
