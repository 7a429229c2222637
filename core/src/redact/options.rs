//! Passwords in options of commands, which only the command makes one: `mysql -pPASSWORD`, `curl -u USER:PASSWORD`. In a line of
//! a shell, and in a list of arguments.

use super::scanner::{MAX_WORD, Scanner, is_quote, is_unquoted};
use super::values::is_placeholder;

/// Maximum distance between a command and its option, bytes.
const COMMAND: usize = 200;

/// Maximum number of backslashes before the quotation mark of an argument in a list that is itself in a text in quotes.
const MAX_SLASHES: usize = 7;

/// Words after an option in a sentence about it.
const PROSE: [&str; 14] =
    ["a", "and", "as", "flag", "for", "in", "is", "of", "on", "option", "or", "the", "to", "with"];

/// Where the password of an option is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// In the next argument.
    Next,
    /// In the next argument, or directly after the option.
    NextOrJoined,
    /// Directly after the option. The next argument is none.
    Joined,
    /// After the user and this sign, in the next argument or directly after the option.
    AfterUser(char),
}

/// Commands, their options with a password, and where that is.
const OPTIONS: [(&[&str], &[&str], Place); 11] = [
    (&["mysql", "mariadb", "mysqldump", "mysqladmin", "mysqlimport", "mariadb-dump"], &["-p"], Place::Joined),
    (&["mongo", "mongosh", "mongodump", "mongorestore", "mongoexport", "mongoimport"], &["-p"], Place::Next),
    (
        &["docker login", "podman login", "helm registry login", "az login", "oras login"],
        &["-p"],
        Place::Next,
    ),
    (&["sshpass", "cqlsh"], &["-p"], Place::NextOrJoined),
    (&["redis-cli"], &["-a", "--pass"], Place::Next),
    (
        &["sqlcmd", "bcp", "osql", "isql", "zip", "unzip", "mosquitto_pub", "mosquitto_sub"],
        &["-P"],
        Place::NextOrJoined,
    ),
    (
        &["ldapsearch", "ldapmodify", "ldapadd", "ldapdelete", "ldapwhoami", "ldappasswd", "ldapcompare"],
        &["-w"],
        Place::NextOrJoined,
    ),
    (&["keytool", "jarsigner"], &["-storepass", "-keypass"], Place::Next),
    (&["7z", "7za"], &["-p"], Place::Joined),
    (&["curl"], &["-u", "-U", "--user", "--proxy-user"], Place::AfterUser(':')),
    (&["smbclient", "rpcclient"], &["-U", "--user"], Place::AfterUser('%')),
];

/// The password in the argument after the blank or comma at `place`.
pub(super) fn option_password(scanner: Scanner<'_>, place: usize) -> Option<(usize, usize)> {
    let is_list = scanner.byte(place) == Some(b',');
    let is_slash = |byte| byte == b'\\';
    let quoted = if is_list { scanner.within_back(place, 1, is_quote) } else { place };
    let before = if is_list { scanner.within_back(quoted, MAX_SLASHES, is_slash) } else { place };
    let begin = scanner.skip_blanks(place + usize::from(is_list));
    let begin = if is_list { scanner.within(begin, MAX_SLASHES, is_slash) } else { begin };
    let quote = scanner.byte(begin).filter(|byte| matches!(byte, b'"' | b'\''));
    let begin = begin + usize::from(quote.is_some());
    let is_escaped = before < quoted;
    if is_list && (quoted == place || quote.is_none()) {
        return None;
    }
    let option = argument_before(scanner, before);
    if scanner.byte(begin) != Some(b'-') && !option.starts_with('-') {
        return None;
    }
    let is_inside = |byte| match quote {
        Some(quote) => byte != quote && byte != b'\n' && !(is_escaped && byte == b'\\'),
        None => is_unquoted(byte),
    };
    let end = scanner.text.floor_char_boundary(scanner.within(begin, MAX_WORD, is_inside));
    let argument = scanner.slice(begin, end);
    let line = scanner.slice(line_start(scanner.text, before), before);
    let from = begin + password_in(line, option, argument)?;
    Some((from, scanner.skip_while(from, is_inside)))
}

/// The beginning of the password in an argument after `option`; `line` is what is before the argument.
pub(super) fn password_in(line: &str, option: &str, argument: &str) -> Option<usize> {
    OPTIONS.iter().find_map(|(commands, options, place)| {
        let joined = options.iter().find(|of| argument.starts_with(**of)).map_or(0, |of| of.len());
        let is_next = options.contains(&option) && !argument.starts_with('-');
        let begin = match place {
            Place::Next | Place::NextOrJoined if is_next => 0,
            Place::Joined | Place::NextOrJoined if joined > 0 => joined,
            Place::AfterUser(sign) if is_next || joined > 0 => {
                let rest = argument.get(joined..)?;
                joined + rest.find(*sign).filter(|at| *at > 0 && !rest[*at..].starts_with("://"))? + 1
            }
            Place::Next | Place::NextOrJoined | Place::Joined | Place::AfterUser(_) => return None,
        };
        let password = argument.get(begin..).filter(|password| !password.is_empty())?;
        let is_word = PROSE.contains(&password) || is_placeholder(password);
        let is_secret = !is_word && commands.iter().any(|command| is_command(line, command));
        is_secret.then_some(begin)
    })
}

/// Whether a line has this command as words of their own.
fn is_command(line: &str, command: &str) -> bool {
    line.match_indices(command).any(|(at, _)| {
        let is_before = line[..at].ends_with(|sign: char| " \t/\\\"'`[($|;&".contains(sign)) || at == 0;
        let rest = &line[at + command.len()..];
        is_before && (rest.is_empty() || rest.starts_with(|sign: char| " \t\\\"'`,.".contains(sign)))
    })
}

/// The argument that ends at `end`.
fn argument_before(scanner: Scanner<'_>, end: usize) -> &str {
    scanner.slice(scanner.within_back(end, 16, |byte| byte == b'-' || byte.is_ascii_alphanumeric()), end)
}

/// The start of the command that `place` is in: after the one before it, or after the line before it. Earlier secrets belong to
/// it, also what is in quotes.
fn line_start(text: &str, place: usize) -> usize {
    let least = text.floor_char_boundary(place.saturating_sub(COMMAND));
    let mut quote = None;
    let before = text.as_bytes().get(least..place).unwrap_or_default();
    let end = before.iter().rposition(|byte| {
        if matches!(byte, b'"' | b'\'') {
            quote = if quote.is_none() { Some(byte) } else { quote.filter(|of| *of != byte) };
        }
        quote.is_none() && matches!(byte, b'\n' | b'\r' | b';' | b'&' | b'|')
    });
    end.map_or(least, |end| least + end + 1)
}

#[cfg(test)]
mod tests {
    use crate::redact::patterns::tests::secrets;

    #[test]
    fn passwords_in_options_of_commands_are_secrets() {
        for (text, expected) in [
            ("curl -s -u bob:pw https://x", vec!["pw"]),
            ("curl --user 'bob:p w' https://x", vec!["p w"]),
            ("curl --user bob:[redacted] https://x", vec!["[redacted]"]),
            ("curl -ubob:pw x; curl --user=bob:pw2 x", vec!["pw", "pw2"]),
            ("mysql -h db -uroot -phunter app", vec!["hunter"]),
            ("/usr/bin/mysqldump '-phun ter' app", vec!["hun ter"]),
            ("mongo db -u ann -p hunter --quiet", vec!["hunter"]),
            ("mongosh \"mongodb://h\" -u ann -p \"hun ter\"", vec!["hun ter"]),
            ("sqlcmd -S h -U sa -P hunter -Q x", vec!["hunter"]),
            ("sqlcmd -Phunter", vec!["hunter"]),
            ("ldapsearch -x -D cn=a -w hunter -b dc=b", vec!["hunter"]),
            ("sshpass -p hunter ssh a@b", vec!["hunter"]),
            ("sshpass -phunter ssh a@b", vec!["hunter"]),
            ("docker login -u a -p 'hunter' h", vec!["hunter"]),
            ("smbclient //h/s -U ann%hunter", vec!["hunter"]),
            ("unzip -P hunter a.zip && 7z x -phunter2 a", vec!["hunter", "hunter2"]),
            ("keytool -storepass hunter -keypass hunter2", vec!["hunter", "hunter2"]),
            ("redis-cli -a hunter ping", vec!["hunter"]),
            ("['mysql', '-u', 'root', '-phunter']", vec!["hunter"]),
            (r#"{"a":"[\"mysql\",\"-u\",\"root\",\"-phunter\"]"#, vec!["hunter"]),
            ("run [\"ldapsearch\", \"-w\", \"hun ter\"]", vec!["hun ter"]),
        ] {
            assert_eq!(secrets(text), expected, "{text}");
        }
        for text in [
            "docker run -u 1000:1000 image",
            "docker run -p 80:80 x",
            "curl -u bob https://x",
            "curl -u https://x",
            "use curl -u to log in",
            "curl -u: a user",
            "mkdir -p build and mysql -p",
            "mysql is down; mkdir -pv build",
            "mysql -p app",
            "mysqlx -pa",
            "mongo -p, mongo -p --host h",
            "mongo -p",
            "ldapsearch -w is one",
            "ldapsearch | grep -w word",
            "sqlcmd -P $PASSWORD",
            "ssh -P 22",
            "sshpass -p \"$PASSWORD\"",
            "docker login --password-stdin",
            "my-curl -u a:b",
            "curly -u a:b",
            "cp -p a b",
            "tar -w x",
        ] {
            assert_eq!(secrets(text), Vec::<&str>::new(), "{text}");
        }
    }
}
