//! The process id in an owner's name (protocol section 4).

use crate::number::read;

use super::meta::js_trim;

/// The process id in an owner's name: `pid:N`, `pid:N:anything`, or a number.
///
/// Anything else, and process 0, is `None`: the process cannot be probed.
pub(crate) fn owner_pid(owner: &str) -> Option<f64> {
    let trimmed = js_trim(owner);
    let digits = match trimmed.get(..4) {
        Some(prefix) if prefix.eq_ignore_ascii_case("pid:") => {
            let rest = trimmed.get(4..).unwrap_or_default();
            let (digits, tail) = rest.split_once(':').unwrap_or((rest, ""));
            // The tail is one line of any text, as the released pattern has it.
            if tail.contains(['\n', '\r', '\u{2028}', '\u{2029}']) {
                return None;
            }
            digits
        }
        Some(_) | None => trimmed,
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    read(digits).filter(|pid| pid.is_finite() && *pid > 0.0)
}

#[cfg(test)]
mod tests {
    use super::owner_pid;

    #[test]
    fn a_process_id_is_read() {
        for (owner, pid) in [
            ("pid:123", 123.0),
            ("PID:123:6b1f:x", 123.0),
            ("\tpid:77", 77.0),
            ("pid:123:", 123.0),
            (" 123\n", 123.0),
            ("0123", 123.0),
            ("99999999999999999999", 1e20),
            ("\u{feff}pid:5\u{a0}", 5.0),
        ] {
            assert_eq!(owner_pid(owner), Some(pid), "{owner:?}");
        }
    }

    #[test]
    fn anything_else_names_no_process() {
        let endless = "9".repeat(400);
        for owner in [
            "",
            " ",
            "pid:",
            "pid: 123",
            "pid:0",
            "0",
            "pid:-5",
            "pid:12.5",
            "1e3",
            "0x10",
            "supervisor",
            "host-7/worker-3",
            "１２３",
            "pid:abc",
            "pid:1:a\nb",
            "xpid:1",
            "pid:1 2",
            "\u{85}5",
            &endless,
        ] {
            assert_eq!(owner_pid(owner), None, "{owner:?}");
        }
    }

    #[test]
    fn an_owner_may_name_its_process() {
        assert_eq!(owner_pid("pid:4711:host-7"), Some(4711.0));
        assert_eq!(owner_pid("host-7/worker-3"), None);
    }
}
