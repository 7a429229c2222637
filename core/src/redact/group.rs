//! Objects and lists whose texts are secrets, or some of them, because of their key.

use super::values::{is_group_secret, is_placeholder, is_random};

/// Keys whose objects have secrets under any key.
const SECRET_GROUPS: [&str; 6] = ["accesstokens", "apikeys", "credentials", "passwords", "secrets", "tokens"];

/// What the values under a key are, whatever their own keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Group {
    #[default]
    Other,
    Secrets,
    /// Secrets alone, whatever they look like: the data of a secret of Kubernetes.
    Every,
    /// Variables of a process, of which some are secrets.
    Environment,
}

impl Group {
    /// Whether a text in this group is a secret.
    pub(super) fn has_secret(self, text: &str) -> bool {
        match self {
            Self::Secrets => is_group_secret(text),
            Self::Every => !is_placeholder(text),
            Self::Environment => is_random(text),
            Self::Other => false,
        }
    }

    /// The group of the values under a normalised key.
    pub(super) fn from_key(key: &str) -> Self {
        match key {
            _ if SECRET_GROUPS.contains(&key) => Self::Secrets,
            "env" | "environ" | "environment" => Self::Environment,
            _ => Self::Other,
        }
    }
}
