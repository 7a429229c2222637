//! Passwords in options of commands, which only the command makes one: `mysql -pPASSWORD`, `curl -u USER:PASSWORD`. In a line of
//! a shell, and in a list of arguments.

use super::scanner::{MAX_WORD, Scanner, is_quote, is_unquoted};
use super::shell_line::{
    CURL, Commands, GH_SECRET, HTTPIE, KEYTOOL, LDAP, LOGIN, MONGO, MYSQL, OPENSSL, PUTTY, REDIS, SEVEN_ZIP,
    SMB, SNMP, SQLCMD, SSH_KEYGEN, SSHPASS, ShellLine, UPLOAD,
};
use super::values::is_placeholder;

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
    /// After this text, in the next argument.
    AfterText(&'static str),
}

/// Sets of commands, their options with a password, and where that is.
const OPTIONS: [(u32, &[&str], Place); 21] = [
    (MYSQL, &["-p"], Place::Joined),
    (MONGO, &["-p"], Place::Next),
    (LOGIN, &["-p"], Place::NextOrJoined),
    (SSHPASS, &["-p"], Place::NextOrJoined),
    (REDIS, &["-a", "--pass"], Place::Next),
    (SQLCMD, &["-P"], Place::NextOrJoined),
    (LDAP, &["-w"], Place::NextOrJoined),
    (KEYTOOL, &["-storepass", "-keypass"], Place::Next),
    (SEVEN_ZIP, &["-p"], Place::Joined),
    (CURL, &["-u", "-U", "--user", "--proxy-user"], Place::AfterUser(':')),
    // A cookie; without `=` the name of a file.
    (CURL, &["-b", "--cookie"], Place::AfterUser('=')),
    (SMB, &["-U", "--user"], Place::AfterUser('%')),
    (HTTPIE, &["-a", "--auth"], Place::AfterUser(':')),
    (CURL, &["--oauth2-bearer"], Place::Next),
    (OPENSSL, &["-passin", "-passout", "-pass", "-password"], Place::AfterText("pass:")),
    (OPENSSL, &["-k"], Place::Next),
    (PUTTY, &["-pw"], Place::Next),
    (SNMP, &["-A", "-X"], Place::Next),
    (UPLOAD, &["-p"], Place::Next),
    (SSH_KEYGEN, &["-N", "-P"], Place::Next),
    (GH_SECRET, &["-b", "--body"], Place::Next),
];

/// The password in the argument after the blank or comma at `place`.
pub(super) fn option_password(
    scanner: Scanner<'_>,
    place: usize,
    line: &mut ShellLine,
) -> Option<(usize, usize)> {
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
    let from = begin + password_in(|| line.commands_before(scanner, before), option, argument)?;
    Some((from, scanner.skip_while(from, is_inside)))
}

/// The beginning of the password in an argument after `option`; `commands` are those before the argument.
pub(super) fn password_in(
    mut commands: impl FnMut() -> Commands,
    option: &str,
    argument: &str,
) -> Option<usize> {
    OPTIONS.iter().find_map(|(set, options, place)| {
        let joined = options.iter().find(|of| argument.starts_with(**of)).map_or(0, |of| of.len());
        let is_next = options.contains(&option) && !argument.starts_with('-');
        let begin = match place {
            Place::Next | Place::NextOrJoined if is_next => 0,
            Place::Joined | Place::NextOrJoined if joined > 0 => joined,
            Place::AfterUser(sign) if is_next || joined > 0 => {
                let rest = argument.get(joined..)?;
                joined + rest.find(*sign).filter(|at| *at > 0 && !rest[*at..].starts_with("://"))? + 1
            }
            Place::AfterText(text) if is_next && argument.starts_with(text) => text.len(),
            Place::Next | Place::NextOrJoined | Place::Joined | Place::AfterUser(_) | Place::AfterText(_) => {
                return None;
            }
        };
        let password = argument.get(begin..).filter(|password| !password.is_empty())?;
        let is_word = PROSE.contains(&password) || is_placeholder(password);
        (!is_word && commands().has(*set)).then_some(begin)
    })
}

/// The argument that ends at `end`.
fn argument_before(scanner: Scanner<'_>, end: usize) -> &str {
    scanner.slice(scanner.within_back(end, 16, |byte| byte == b'-' || byte.is_ascii_alphanumeric()), end)
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
            ("sudo useradd -m -p hunter mira", vec!["hunter"]),
            ("ldapsearch -x -D cn=a -w hunter -b dc=b", vec!["hunter"]),
            ("sshpass -p hunter ssh a@b", vec!["hunter"]),
            ("sshpass -phunter ssh a@b", vec!["hunter"]),
            ("docker login -u a -p 'hunter' h", vec!["hunter"]),
            ("docker login -u a -phunter h", vec!["hunter"]),
            ("smbclient //h/s -U ann%hunter", vec!["hunter"]),
            ("unzip -P hunter a.zip && 7z x -phunter2 a", vec!["hunter", "hunter2"]),
            ("keytool -storepass hunter -keypass hunter2", vec!["hunter", "hunter2"]),
            ("redis-cli -a hunter ping", vec!["hunter"]),
            ("['mysql', '-u', 'root', '-phunter']", vec!["hunter"]),
            (r#"{"a":"[\"mysql\",\"-u\",\"root\",\"-phunter\"]"#, vec!["hunter"]),
            ("run [\"ldapsearch\", \"-w\", \"hun ter\"]", vec!["hun ter"]),
            ("curl -b 'sid=a; b=c' h; curl --cookie sid=d h", vec!["a; b=c", "d"]),
            ("https -a bob:pw h.example", vec!["pw"]),
            (
                "openssl rsa -in a -passin pass:hunter; openssl enc -k hunter2 -in a",
                vec!["hunter", "hunter2"],
            ),
            ("plink -pw hunter a@h", vec!["hunter"]),
            ("snmpwalk -v3 -A hunter -X hunter2 h", vec!["hunter", "hunter2"]),
            ("ipmitool -H h -U a -P hunter x", vec!["hunter"]),
            ("twine upload -u a -p hunter x; curl --oauth2-bearer abcdef h", vec!["hunter", "abcdef"]),
            ("mysql \\\n  -u root \\\n  -phunter app", vec!["hunter"]),
            ("don't stop: mysql -phunter", vec!["hunter"]),
            ("etcdctl --user root:hunter get a", vec!["hunter"]),
            ("openssl pkcs12 -in a -password pass:hunter", vec!["hunter"]),
            ("ssh-keygen -t rsa -N 'hunter two' -f k", vec!["hunter two"]),
            ("gh secret set API_TOKEN --body hunter", vec!["hunter"]),
            ("/srv/app/bin/mysql -phunter; cp -p a b", vec!["app/bin", "hunter"]),
        ] {
            assert_eq!(secrets(text), expected, "{text}");
        }
        for distance in [185, 2_000, 100_000] {
            let text = format!("mysql --comment '{}' -phunter app", "a b".repeat(distance / 3));
            assert_eq!(secrets(&text), ["hunter"], "{distance}");
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
            "curl -b cookies.txt --cookie-jar a=b h",
            "don't use mysql; mkdir -pv build",
            "mysql is here\nmkdir -pv build",
            "http is a protocol; -a option:x",
            "docker run -p a1:b2; login -p x",
            "ssh-keygen -t rsa -N '' -f k",
            "gh pr create --body hunter",
            "openssl rsa -passin env:KEY_PASSWORD -passout file:a",
        ] {
            assert_eq!(secrets(text), Vec::<&str>::new(), "{text}");
        }
    }
}
