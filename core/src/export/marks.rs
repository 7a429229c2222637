//! Secrets in running text: where the next one begins and ends.

/// What stands in front of a secret, in lower case.
const MARKS: [&str; 9] = [
    "bearer ",
    "authorization: basic ",
    "x-api-key: ",
    "x-smithers-key: ",
    "token=",
    "secret=",
    "password=",
    "api_key=",
    "apikey=",
];

/// What ends a secret besides white space.
const ENDS: &[char] = &['"', '\'', '&', ',', ';', '<', '>', ')'];

/// What ends the name of a home directory besides white space.
const NAME_ENDS: &[char] =
    &['/', '\\', '"', '\'', '`', ':', ';', ',', '(', ')', '<', '>', '{', '}', '&', '?', '#', '|', '*'];

/// Where home directories stand on Linux, macOS, BSD and in Linux inside Windows.
const HOMES: [&str; 7] = [
    "/home/",
    "/Users/",
    "/var/home/",
    "/usr/home/",
    "/export/home/",
    "/mnt/c/Users/",
    "/Volumes/Data/Users/",
];

/// Where they stand on Windows, after the letter of the drive and in lower case; some writers double the separators.
const WINDOWS: [&str; 3] = [":\\users\\", ":\\\\users\\\\", ":/users/"];

/// Whether a text, in lower case, may have a secret at all: most have none.
pub(super) fn may_have_secrets(lower: &str) -> bool {
    lower.contains("home/")
        || lower.contains("users")
        || lower.contains("://")
        || MARKS.iter().any(|mark| lower.contains(mark))
}

/// Where the next secret at or after `from` is. `lower` is the text in lower case.
///
/// A secret is what follows a mark such as `Bearer `, the name in a home directory, and the password in an address.
pub(super) fn next_secret(text: &str, lower: &str, from: usize) -> Option<(usize, usize)> {
    [marked(lower, from), home(text, from), windows(text, lower, from), password(text, from)]
        .into_iter()
        .flatten()
        .min()
}

fn marked(lower: &str, from: usize) -> Option<(usize, usize)> {
    let rest = lower.get(from..)?;
    MARKS
        .iter()
        .filter_map(|mark| {
            let mut at = 0;
            loop {
                let begin = at + rest.get(at..)?.find(mark)? + mark.len();
                let end = begin + until(rest.get(begin..)?, ENDS);
                if end > begin {
                    return Some((from + begin, from + end));
                }
                at = begin;
            }
        })
        .min()
}

/// The name in `/home/NAME`. A path begins where no word goes on: `https://a.example/home/page` is none.
fn home(text: &str, from: usize) -> Option<(usize, usize)> {
    HOMES
        .iter()
        .filter_map(|mark| {
            let mut at = from;
            loop {
                let start = at + text.get(at..)?.find(mark)?;
                let begin = start + mark.len();
                let end = begin + until(text.get(begin..)?, NAME_ENDS);
                if end > begin && begins_path(text.get(..start)?) {
                    return Some((begin, end));
                }
                at = begin;
            }
        })
        .min()
}

fn begins_path(before: &str) -> bool {
    match before.chars().next_back() {
        None => true,
        Some('/') => before.ends_with("file://"),
        Some(letter) => {
            !letter.is_alphanumeric() && !matches!(letter, '.' | '_' | '-' | '~' | '%' | ']' | '}')
        }
    }
}

/// The name in `C:\Users\NAME`, which may have spaces where the path goes on behind it.
fn windows(text: &str, lower: &str, from: usize) -> Option<(usize, usize)> {
    WINDOWS
        .iter()
        .filter_map(|mark| {
            let mut at = from;
            loop {
                let start = at + lower.get(at..)?.find(mark)?;
                let begin = start + mark.len();
                let rest = text.get(begin..)?;
                let drive =
                    text.get(..start)?.chars().next_back().is_some_and(|letter| letter.is_ascii_alphabetic());
                let stop = |letter: char| letter == '\n' || (letter != ' ' && NAME_ENDS.contains(&letter));
                let spaced = rest
                    .find(stop)
                    .filter(|end| rest.get(*end..).is_some_and(|at| at.starts_with(['\\', '/'])));
                let end = begin + spaced.unwrap_or_else(|| until(rest, NAME_ENDS));
                if drive && end > begin {
                    return Some((begin, end));
                }
                at = begin;
            }
        })
        .min()
}

/// The password in `scheme://user:password@host`.
fn password(text: &str, from: usize) -> Option<(usize, usize)> {
    let mut at = from;
    loop {
        let begin = at + text.get(at..)?.find("://")? + 3;
        let rest = text.get(begin..)?;
        let authority = rest.get(..until(rest, &['/', '?', '#', '"', '\'', '<', '>', ')', '\\']))?;
        if let Some((user, _)) = authority.rsplit_once('@')
            && let Some(colon) = user.find(':')
            && colon + 1 < user.len()
        {
            return Some((begin + colon + 1, begin + user.len()));
        }
        at = begin;
    }
}

fn until(text: &str, ends: &[char]) -> usize {
    text.find(|letter: char| letter.is_whitespace() || ends.contains(&letter)).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::{may_have_secrets, next_secret};

    /// The secrets of a text.
    fn secrets(text: &str) -> Vec<&str> {
        let lower = text.to_ascii_lowercase();
        let (mut found, mut at) = (Vec::new(), 0);
        while let Some((begin, end)) = next_secret(text, &lower, at) {
            assert!(begin >= at && end > begin, "{text}");
            found.push(&text[begin..end]);
            at = end;
        }
        assert!(found.is_empty() || may_have_secrets(&lower), "{text}");
        found
    }

    #[test]
    fn names_in_home_directories_are_secrets() {
        for (text, expected) in [
            ("/home/mira/project/run.py", vec!["mira"]),
            ("File \"/Users/mira.k/x.py\", line 3", vec!["mira.k"]),
            ("at load (file:///home/mira/a.mjs:3:1)", vec!["mira"]),
            ("backup:/home/mira /home/jo/b", vec!["mira", "jo"]),
            ("/var/home/mira/x:/mnt/c/Users/mira/y", vec!["mira", "mira"]),
            ("C:\\Users\\Mira K\\x.py and d:\\users\\jo", vec!["Mira K", "jo"]),
            ("'C:\\\\Users\\\\mira\\\\x.py'", vec!["mira"]),
            ("c:/Users/mira/x", vec!["mira"]),
            ("PATH=/home/mira", vec!["mira"]),
            ("/home/日本/x", vec!["日本"]),
        ] {
            assert_eq!(secrets(text), expected, "{text}");
        }
    }

    #[test]
    fn other_paths_and_addresses_are_none() {
        for text in [
            "https://example.org/home/page",
            "GET /users/42",
            "https://api.example.org/Users/42",
            "a/home/b",
            "~/home/x",
            "/home/",
            "/home",
            "at /home/ and /home/*",
            "/opt/homes/x",
            "node:\\users",
            "http://example.org:80/a@b:c",
            "https://user@example.org",
            "urn://:@x",
            "the homeowner's users",
        ] {
            assert_eq!(secrets(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn what_follows_a_mark_is_a_secret() {
        for (text, expected) in [
            ("Bearer abc.def, BEARER x", vec!["abc.def", "x"]),
            ("authorization: Basic dXNlcg==", vec!["dXNlcg=="]),
            ("x-api-key: k1\nX-Smithers-Key: k2", vec!["k1", "k2"]),
            ("?token=a&password=b&client_secret=c&api_key=d#e", vec!["a", "b", "c", "d#e"]),
            ("postgres://mira:p%40ss@db:5432/x", vec!["p%40ss"]),
            ("redis://:pw@h", vec!["pw"]),
        ] {
            assert_eq!(secrets(text), expected, "{text}");
        }
        for text in ["token = b", "bearer", "basic training", "password: unset", "token=", "Bearer , x"] {
            assert_eq!(secrets(text), Vec::<&str>::new(), "{text}");
        }
    }
}
