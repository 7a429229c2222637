//! Absolute paths in running text, and the parts of them that identify a machine or a person.
//!
//! In the path of a home directory, the name is redacted; in other paths, the directories between a well-known root and the
//! last segment, or that segment if there are no directories.

use super::replacement::REDACTED;
use super::scanner::Scanner;

/// Home directories on Linux, macOS, BSD, and in Linux inside Windows.
const HOMES: [&str; 7] = [
    "/home/",
    "/Users/",
    "/var/home/",
    "/usr/home/",
    "/export/home/",
    "/mnt/c/Users/",
    "/Volumes/Data/Users/",
];

/// Directories of servers and containers. `/usr` and the like are the same on every machine.
const ROOTS: [&str; 14] = [
    "/app/",
    "/data/",
    "/etc/",
    "/mnt/",
    "/opt/",
    "/private/",
    "/project/",
    "/repo/",
    "/root/",
    "/srv/",
    "/tmp/",
    "/var/",
    "/workspace/",
    "/workspaces/",
];

/// Maximum number of slashes after the colon of an address.
const MAX_SLASHES: usize = 4;

/// HTTP methods: the path after them belongs to a service and is not a file.
const METHODS: [&str; 7] = ["GET ", "HEAD ", "POST ", "PUT ", "PATCH ", "DELETE ", "OPTIONS "];

/// What is redacted of paths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum PathRule {
    /// Names of home directories, and the directories of the machine.
    #[default]
    Redact,
    /// Only names of home directories: of ids, so that two ids stay different.
    Names,
    /// Nothing.
    Keep,
}

/// Whether a path is absolute. A redacted one counts as absolute.
pub(super) fn is_absolute(path: &str) -> bool {
    match path.as_bytes() {
        [b'/' | b'~' | b'\\', ..] => true,
        [drive, b':', b'/' | b'\\', ..] => drive.is_ascii_alphabetic(),
        _ => path.starts_with("file:") || path.starts_with(REDACTED),
    }
}

/// The end of the path that was looked at last, so that a path with many beginnings is read once.
#[derive(Default)]
pub(super) struct PathEnd {
    begin: usize,
    end: usize,
}

impl PathEnd {
    /// The end of the path that contains `place`.
    fn at(&mut self, scanner: Scanner<'_>, place: usize) -> usize {
        if place < self.begin || place >= self.end {
            let end = scanner.skip_while(place, |byte| byte == b'/' || is_segment(byte));
            *self = Self { begin: place, end };
        }
        self.end
    }
}

/// The part to redact of a path with a `/` at `place`: the name in `/home/NAME`, and by rule the directories in
/// `/srv/DIRECTORY/file`, `file:///DIRECTORY/file` and `file://HOST/DIRECTORY/file`.
///
/// Paths of other URLs and in their queries are not redacted.
pub(super) fn path_at_slash(
    scanner: Scanner<'_>,
    place: usize,
    rule: PathRule,
    in_address: bool,
    path_end: &mut PathEnd,
) -> Option<(usize, usize)> {
    if rule == PathRule::Keep {
        return None;
    }
    let has_file_scheme = scanner.is_preceded_by(place, "file:/") && scanner.byte(place + 1) != Some(b'/');
    let begins = begins_path(scanner, place);
    if !begins && !has_file_scheme {
        return None;
    }
    let rest = scanner.rest(place);
    let root =
        |roots: &[&'static str]| roots.iter().find(|root| rest.starts_with(**root)).map(|root| root.len());
    if let Some(root) = root(&HOMES).filter(|_| begins) {
        let (begin, end) = (place + root, scanner.skip_while(place + root, is_segment));
        if end > begin {
            return Some((begin, end));
        }
    }
    let (begin, alone) = match root(&ROOTS) {
        Some(root) => (place + root, true),
        None if has_file_scheme
            || scanner.is_preceded_by(place, "file://")
            || is_source_location(scanner, place, path_end) =>
        {
            (place + 1, false)
        }
        None => return None,
    };
    // An address without a host names a file: `sqlite:///srv/a.db`.
    let is_file = scanner.is_preceded_by(place, "/")
        || !in_address && !METHODS.iter().any(|method| scanner.is_preceded_by(place, method));
    // A path with a drive is found at its colon.
    let has_drive = !alone && scanner.byte(begin + 1) == Some(b':');
    if rule != PathRule::Redact || !is_file || has_drive {
        return None;
    }
    let end = path_end.at(scanner, place).max(begin);
    let end = scanner.skip_back_to(begin, end, |byte| byte == b'/');
    let last = scanner.skip_back_to(begin, end, |byte| byte != b'/');
    if last > begin + 1 {
        return Some((begin, last - 1));
    }
    alone.then_some((begin, end))
}

/// Whether a path with directories is followed by a line number, as in a stack trace: `/jobs/app/x.ts:13:17`. Paths below
/// `/usr` are the same on every machine.
fn is_source_location(scanner: Scanner<'_>, place: usize, path_end: &mut PathEnd) -> bool {
    let end = path_end.at(scanner, place);
    let has_line =
        scanner.byte(end) == Some(b':') && scanner.byte(end + 1).is_some_and(|byte| byte.is_ascii_digit());
    let is_shared = || ["//", "/usr/"].iter().any(|start| scanner.rest(place).starts_with(start));
    // A line number: the path is redacted, or has no directory.
    has_line && !is_shared() && scanner.slice(place + 1, end).contains('/')
}

/// Whether a path can begin at this position: not inside a word or a URL such as `https://a.example/home/page`.
fn begins_path(scanner: Scanner<'_>, place: usize) -> bool {
    match scanner.byte_before(place) {
        Some(b'/') => {
            let colon = scanner.within_back(place, MAX_SLASHES, |byte| byte == b'/');
            place - colon > 1 && scanner.byte_before(colon) == Some(b':')
        }
        // The end of an escaped line.
        Some(b'n' | b'r' | b't') if scanner.byte_before(place - 1) == Some(b'\\') => true,
        Some(byte) => !continues_word(byte),
        None => scanner.start == 0,
    }
}

/// Whether a word or a path continues after this byte. Some languages have no space before a path.
fn continues_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"._-~%]}".contains(&byte)
}

/// The part to redact of a path with the `:` of a drive at `place`: the name in `C:\Users\NAME`, else by rule the directories in
/// `C:\DIRECTORY\file`.
pub(super) fn path_at_drive(scanner: Scanner<'_>, place: usize, rule: PathRule) -> Option<(usize, usize)> {
    if rule == PathRule::Keep {
        return None;
    }
    let letter = scanner.byte_before(place).is_some_and(|byte| byte.is_ascii_alphabetic());
    // The separators may be doubled.
    let begin = scanner.skip_while(place + 1, is_separator);
    if !letter || begin == place + 1 || scanner.rest(place).starts_with("://") {
        return None;
    }
    let users = scanner.text.as_bytes().get(begin..begin + 5);
    let name = scanner.skip_while(begin + 5, is_separator);
    if name > begin + 5 && users.is_some_and(|users| users.eq_ignore_ascii_case(b"users")) {
        return Some((name, segment_end(scanner, name)));
    }
    // `/srv/b:/srv/c` are two paths.
    let alone = match scanner.byte_before(place - 1) {
        None => true,
        Some(b'/') => scanner.is_preceded_by(place - 1, ":///"),
        Some(byte) => !continues_word(byte),
    };
    if !alone || rule != PathRule::Redact {
        return None;
    }
    // The end of the segment before the last one.
    let (mut hidden, mut before, mut at) = (begin, begin, begin);
    loop {
        let end = segment_end(scanner, at);
        if end == at {
            break;
        }
        (hidden, before) = (before, end);
        at = scanner.skip_while(end, is_separator);
        if at == end {
            break;
        }
    }
    Some((begin, hidden)).filter(|_| hidden > begin)
}

fn is_separator(byte: u8) -> bool {
    matches!(byte, b'/' | b'\\')
}

fn is_segment(byte: u8) -> bool {
    !byte.is_ascii_whitespace() && !b"/\\\"'`:;,(){}<>&?#|*".contains(&byte)
}

/// The end of the segment that begins at `at`. It may contain spaces if another segment follows.
fn segment_end(scanner: Scanner<'_>, at: usize) -> usize {
    let spaced = scanner.skip_while(at, |byte| byte == b' ' || is_segment(byte));
    if scanner.byte(spaced).is_some_and(is_separator) { spaced } else { scanner.skip_while(at, is_segment) }
}

#[cfg(test)]
mod tests {
    use super::{PathRule, is_absolute};
    use crate::redact::keys::Keys;
    use crate::redact::patterns::tests::{all, secrets};

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
            ("ファイル/home/mira/x “/home/jo/x”", vec!["mira", "jo"]),
            ("/home/a=/home/b", vec!["a="]),
        ] {
            assert_eq!(secrets(text), expected, "{text}");
        }
    }

    #[test]
    fn directories_of_servers_are_secrets() {
        for (text, expected) in [
            ("unable to open /srv/app/x.db", vec!["app"]),
            ("/srv/acme/eu/x.db: no such file", vec!["acme/eu"]),
            ("cwd is /workspace/acme.", vec!["acme."]),
            ("mkdir '/srv/acme/'", vec!["acme"]),
            ("/srv//acme/x", vec!["/acme"]),
            ("File \"/opt/app/x.py\", line 3\\n/tmp/a/b", vec!["app", "a"]),
            ("PATH=/etc/a/b:/root/c/d", vec!["a", "c"]),
            ("/srv/a/b.z:/srv/c/d", vec!["a", "c"]),
            ("cannot open C:\\app\\x", vec!["app"]),
            ("'D:\\\\srv\\\\acme\\\\x.db'", vec!["srv\\\\acme"]),
            ("C:\\Program Files\\Acme\\x.exe failed", vec!["Program Files\\Acme"]),
            ("c:/app/lib/x.js:3:1", vec!["app/lib"]),
            ("at file:///srv/acme/x.mjs:3:1", vec!["acme"]),
            ("at file:///acme/lib/x.mjs:3:1", vec!["acme/lib"]),
            ("at file:///C:/acme/x.mjs", vec!["acme"]),
            ("file://host/share/x", vec!["host/share"]),
            ("sqlite:///srv/acme/x.db sqlite:////data/acme/x.db", vec!["acme", "acme"]),
            ("https://h/x, then /srv/acme/y", vec!["acme"]),
            ("at run (/jobs/acme/x.tsx:13:17)", vec!["jobs/acme"]),
            ("/build/x.rs:7: panicked", vec!["build"]),
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
            "/opt",
            "/srv/ and /data/:id and /tmp/*",
            "node:\\users",
            "the homeowner's users",
            "/review/step and /plan/data/x",
            "https://example.org/srv/app/x?next=/app/a/b&of=/data/c/d",
            "https://example.org:80/data/a/b",
            "GET /app/users/42 HTTP/1.1",
            "src/var/a/b ./tmp/a/b ../opt/a/b ${ROOT}/srv/a/b",
            "/usr/lib/python3/site.py",
            "at /usr/lib/python3/site.py:3",
            "/x.rs:7 and /review/step: 3 and GET /users/42:7",
            "/dev/null /appendix/a/b",
            "C:\\x C: a:\\n",
            "http://a/b/c x:/",
            "file:///x.db",
        ] {
            assert_eq!(secrets(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn of_an_id_only_a_name_is_a_secret() {
        for (text, expected) in [
            ("/srv/acme/x", 0),
            ("C:\\acme\\x", 0),
            ("/home/mira/x", 1),
            ("C:\\Users\\mira", 1),
            ("token=x", 1),
        ] {
            assert_eq!(all(text, &Keys::new(&[]), PathRule::Names).len(), expected, "{text}");
        }
    }

    #[test]
    fn absolute_paths_are_distinguished_from_others() {
        for path in ["/a", "~/a", "\\\\h\\a", "C:\\a", "c:/a", "file:///a", "file:/a", "[redacted]"] {
            assert!(is_absolute(path), "{path}");
        }
        for path in ["", ".", "a/b", "..\\a", "C:a", "files/a", "7:/a"] {
            assert!(!is_absolute(path), "{path}");
        }
    }
}
