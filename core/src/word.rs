//! The type of every vocabulary: open on the wire, closed inside.
//!
//! A [`Word`] is any word from the wire. The known words are one closed enum, matched exhaustively; any other
//! word is kept verbatim, survives a round trip, and can never be mistaken for a known one.

use std::fmt;
use std::marker::PhantomData;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A closed list of known words.
///
/// Implemented by the [`vocabulary!`](crate::vocabulary) macro.
///
/// The words can be listed, so that a filter or a legend is always complete.
///
/// ```
/// use runstate::smithers::wire::NodeState;
/// use runstate::word::Vocabulary;
///
/// assert_eq!(NodeState::NAME, "node state");
/// assert_eq!(NodeState::WORDS.len(), NodeState::ALL.len());
/// assert_eq!(NodeState::from_word("waiting-timer").map(NodeState::as_str), Some("waiting-timer"));
/// ```
pub trait Vocabulary: Copy + Eq + fmt::Debug + 'static {
    /// The vocabulary's name in messages, such as `run state`.
    const NAME: &'static str;
    /// Every known word, in the order of its source.
    const ALL: &'static [Self];
    /// The spellings on the wire, in the same order.
    const WORDS: &'static [&'static str];

    /// The spelling on the wire.
    ///
    /// ```
    /// use runstate::smithers::wire::RunState;
    /// use runstate::word::Vocabulary;
    ///
    /// assert_eq!(RunState::WaitingApproval.as_str(), "waiting-approval");
    /// ```
    fn as_str(self) -> &'static str;

    /// The known word for this text, by exact comparison: `RUNNING` is not `running`.
    ///
    /// ```
    /// use runstate::smithers::wire::RunState;
    /// use runstate::word::Vocabulary;
    ///
    /// assert_eq!(RunState::from_word("running"), Some(RunState::Running));
    /// assert_eq!(RunState::from_word("RUNNING"), None);
    /// ```
    fn from_word(text: &str) -> Option<Self> {
        place(Self::WORDS, text).and_then(|place| Self::ALL.get(place).copied())
    }
}

fn place(words: &[&str], text: &str) -> Option<usize> {
    words.iter().position(|word| *word == text)
}

/// A word from the wire: one of a [`Vocabulary`], or any other text, verbatim.
///
/// ```
/// use runstate::smithers::wire::RunState;
/// use runstate::word::Word;
///
/// let known: Word<RunState> = Word::new("waiting-timer");
/// assert_eq!(known.known(), Some(RunState::WaitingTimer));
///
/// let foreign: Word<RunState> = Word::new("hibernating");
/// assert_eq!(foreign.known(), None);
/// assert_eq!(foreign.as_str(), "hibernating");
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Word<V> {
    /// One of the known words.
    Known(V),
    /// Any other text, verbatim.
    Foreign(Box<str>),
}

impl<V: Vocabulary> Word<V> {
    /// Reads a word; text that is not in the vocabulary becomes [`Word::Foreign`].
    ///
    /// ```
    /// use runstate::smithers::wire::RunStatus;
    /// use runstate::word::Word;
    ///
    /// assert_eq!(Word::new("finished"), Word::Known(RunStatus::Finished));
    /// assert_eq!(Word::<RunStatus>::new("canceled"), Word::Foreign("canceled".into()));
    /// ```
    pub fn new(text: &str) -> Self {
        V::from_word(text).map_or_else(|| Self::Foreign(text.into()), Self::Known)
    }

    /// The spelling on the wire.
    ///
    /// Known or not, it is written back unchanged.
    ///
    /// ```
    /// use runstate::smithers::wire::RunState;
    /// use runstate::word::Word;
    ///
    /// let words = ["paused", "hibernating"].map(Word::<RunState>::new);
    /// assert_eq!(words.each_ref().map(Word::as_str), ["paused", "hibernating"]);
    /// ```
    pub fn as_str(&self) -> &str {
        match self {
            Self::Known(word) => word.as_str(),
            Self::Foreign(text) => text,
        }
    }

    /// The known word, or `None` for a foreign one.
    ///
    /// ```
    /// use runstate::smithers::wire::RunState;
    /// use runstate::word::Word;
    ///
    /// let state: Word<RunState> = Word::new("hibernating");
    /// // An unknown word does not mean that the run has ended.
    /// assert!(!state.known().is_some_and(RunState::is_terminal));
    /// ```
    pub fn known(&self) -> Option<V> {
        match self {
            Self::Known(word) => Some(*word),
            Self::Foreign(_) => None,
        }
    }
}

impl<V: Vocabulary> From<V> for Word<V> {
    fn from(word: V) -> Self {
        Self::Known(word)
    }
}

impl<V: Vocabulary> fmt::Display for Word<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl<V: Vocabulary> fmt::Debug for Word<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.as_str())
    }
}

impl<V: Vocabulary> Serialize for Word<V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de, V: Vocabulary> Deserialize<'de> for Word<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(WordVisitor(PhantomData))
    }
}

struct WordVisitor<V>(PhantomData<V>);

impl<V: Vocabulary> serde::de::Visitor<'_> for WordVisitor<V> {
    type Value = Word<V>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let article = if V::NAME.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
        write!(f, "{article} {} as text", V::NAME)
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Word<V>, E> {
        Ok(Word::new(text))
    }
}

/// Declares a closed enum of wire words and its [`Vocabulary`](crate::word::Vocabulary). Serde reads and writes the
/// word.
///
/// ```
/// use runstate::word::{Vocabulary, Word};
///
/// runstate::vocabulary! {
///     /// The colour of a traffic light.
///     pub enum Light ("traffic light") {
///         /// Halt.
///         Red = "red",
///         /// Go.
///         Green = "green",
///     }
/// }
/// assert_eq!(Light::from_word("green"), Some(Light::Green));
/// assert_eq!(Word::<Light>::new("blue").known(), None);
/// ```
#[macro_export]
macro_rules! vocabulary {
    (
        $(#[$meta:meta])*
        $vis:vis enum $name:ident ($what:literal) {
            $( $(#[$word_meta:meta])* $word:ident = $text:literal ),+ $(,)?
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
        $vis enum $name {
            $( $(#[$word_meta])* #[serde(rename = $text)] $word ),+
        }

        impl $crate::word::Vocabulary for $name {
            const NAME: &'static str = $what;
            const ALL: &'static [Self] = &[ $( Self::$word ),+ ];
            const WORDS: &'static [&'static str] = &[ $( $text ),+ ];

            fn as_str(self) -> &'static str {
                match self {
                    $( Self::$word => $text ),+
                }
            }
        }
    };
}
