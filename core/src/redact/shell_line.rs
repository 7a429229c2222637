//! Which commands with a password in an option a line of a shell names, or a list of arguments.

use super::scanner::{Scanner, is_name};

/// The sets of commands, each a bit.
pub(super) const MYSQL: u32 = 1;
pub(super) const MONGO: u32 = 1 << 1;
pub(super) const LOGIN: u32 = 1 << 2;
pub(super) const SSHPASS: u32 = 1 << 3;
pub(super) const REDIS: u32 = 1 << 4;
pub(super) const SQLCMD: u32 = 1 << 5;
pub(super) const LDAP: u32 = 1 << 6;
pub(super) const KEYTOOL: u32 = 1 << 7;
pub(super) const SEVEN_ZIP: u32 = 1 << 8;
pub(super) const CURL: u32 = 1 << 9;
pub(super) const SMB: u32 = 1 << 10;
pub(super) const HTTPIE: u32 = 1 << 11;
pub(super) const OPENSSL: u32 = 1 << 13;
pub(super) const PUTTY: u32 = 1 << 14;
pub(super) const SNMP: u32 = 1 << 15;
/// Commands with `-p` and a password.
pub(super) const UPLOAD: u32 = 1 << 16;
pub(super) const SSH_KEYGEN: u32 = 1 << 17;
/// `gh secret`.
pub(super) const GH_SECRET: u32 = 1 << 18;
/// A command whose `login` is one of [`LOGIN`].
const REGISTRY: u32 = 1 << 12;
const GH: u32 = 1 << 19;
/// Commands with a user and a password, `user/password`.
pub(super) const ORACLE: u32 = 1 << 20;

const COMMANDS: [(u32, &[&str]); 19] = [
    (MYSQL, &["mysql", "mariadb", "mysqldump", "mysqladmin", "mysqlimport", "mariadb-dump"]),
    (MONGO, &["mongo", "mongosh", "mongodump", "mongorestore", "mongoexport", "mongoimport"]),
    (REGISTRY, &["docker", "podman", "helm", "az", "oras"]),
    (SSHPASS, &["sshpass", "cqlsh"]),
    (REDIS, &["redis-cli"]),
    (
        SQLCMD,
        &["sqlcmd", "bcp", "osql", "isql", "zip", "unzip", "mosquitto_pub", "mosquitto_sub", "ipmitool"],
    ),
    (LDAP, &["ldapsearch", "ldapmodify", "ldapadd", "ldapdelete", "ldapwhoami", "ldappasswd", "ldapcompare"]),
    (KEYTOOL, &["keytool", "jarsigner"]),
    (SEVEN_ZIP, &["7z", "7za"]),
    (CURL, &["curl", "etcdctl"]),
    (SMB, &["smbclient", "rpcclient"]),
    (HTTPIE, &["http", "https", "httpie", "xh"]),
    (OPENSSL, &["openssl"]),
    (PUTTY, &["plink", "pscp", "psftp"]),
    (SNMP, &["snmpget", "snmpset", "snmpwalk"]),
    (UPLOAD, &["twine", "psexec", "beeline", "useradd", "usermod"]),
    (SSH_KEYGEN, &["ssh-keygen"]),
    (GH, &["gh"]),
    (ORACLE, &["sqlplus", "sqlldr", "sqlcl", "expdp", "impdp", "rman"]),
];

/// Signs before and after a command.
const BEFORE: &[u8] = b" \t/\\\"'`[($|;&\n\r";
const AFTER: &[u8] = b" \t\\\"'`,.\n\r";

/// The sets of the commands that were named.
#[derive(Clone, Copy, Default)]
pub(super) struct Commands(u32);

impl Commands {
    pub(super) fn has(self, set: u32) -> bool {
        self.0 & set != 0
    }

    /// Enters an argument, which can be a command with its directory.
    pub(super) fn add_argument(&mut self, text: &str) {
        let name = text.rsplit(['/', '\\']).next().unwrap_or_default();
        self.add(name.strip_suffix(".exe").unwrap_or(name));
    }

    fn add(&mut self, word: &str) {
        if word == "login" && self.has(REGISTRY) {
            self.0 |= LOGIN;
        }
        if word == "secret" && self.has(GH) {
            self.0 |= GH_SECRET;
        }
        let named = COMMANDS.iter().find(|(_, names)| names.contains(&word));
        self.0 |= named.map_or(0, |(set, _)| *set);
    }
}

/// The commands of the line that is read. Each byte is read once.
#[derive(Clone, Copy, Default)]
pub(super) struct ShellLine {
    at: usize,
    quote: Option<u8>,
    commands: Commands,
}

impl ShellLine {
    /// The commands before `place` in its line, after an earlier command's end.
    pub(super) fn commands_before(&mut self, scanner: Scanner<'_>, place: usize) -> Commands {
        let before = |at: usize| at.checked_sub(1).and_then(|at| scanner.byte(at));
        while let Some(byte) = scanner.byte(self.at).filter(|_| self.at < place) {
            let begin = self.at;
            self.at += 1;
            match byte {
                b'"' | b'\'' if self.quote == Some(byte) => self.quote = None,
                // Inside a word it is an apostrophe.
                b'"' | b'\'' if !before(begin).is_some_and(|byte| byte.is_ascii_alphanumeric()) => {
                    self.quote = self.quote.or(Some(byte));
                }
                // A line that ends with a backslash continues.
                b'\n' | b'\r' if before(begin) != Some(b'\\') && before(begin) != Some(b'\r') => {
                    *self = Self { at: self.at, ..Self::default() };
                }
                b';' | b'&' | b'|' if self.quote.is_none() => self.commands = Commands::default(),
                _ if is_name(byte) => {
                    self.at = scanner.within(begin, place - begin, is_name);
                    let is_alone = before(begin).is_none_or(|byte| BEFORE.contains(&byte))
                        && (self.at == place
                            || scanner.byte(self.at).is_some_and(|byte| AFTER.contains(&byte)));
                    if is_alone {
                        self.commands.add(scanner.slice(begin, self.at));
                    }
                }
                _ => {}
            }
        }
        self.commands
    }
}
