//! The source that is being opened.

/// The progress of opening a source, which decides whether the screen stays blank. `name` is the name of a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Opening {
    /// No source is being opened.
    #[default]
    Nothing,
    /// The page opens a source automatically. The screen stays blank.
    Automatic { name: Option<String> },
    /// The person or the host page requested a source. The screen stays unchanged.
    Requested { name: Option<String> },
    /// The session was accepted, and its first status follows. The screen stays blank.
    Accepted,
}

impl Opening {
    /// The progress once a source with this name is being opened.
    pub(super) fn next(&self, name: Option<String>) -> Self {
        match self {
            Self::Automatic { .. } => Self::Automatic { name },
            Self::Nothing | Self::Requested { .. } | Self::Accepted => Self::Requested { name },
        }
    }

    /// Whether the screen stays blank until the content arrives.
    pub(super) fn is_blank(&self) -> bool {
        match self {
            Self::Automatic { .. } | Self::Accepted => true,
            Self::Nothing | Self::Requested { .. } => false,
        }
    }

    /// The name of the document that is being opened.
    pub(super) fn name(&self) -> Option<&String> {
        match self {
            Self::Automatic { name } | Self::Requested { name } => name.as_ref(),
            Self::Nothing | Self::Accepted => None,
        }
    }
}
