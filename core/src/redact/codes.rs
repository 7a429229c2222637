//! Codes that a person types once: of an authenticator, of a card, of a message.

use super::spelling::normalized;

/// The last words of their names, and words that are such a name alone or after a separator.
const ENDINGS: [&str; 10] = [
    "passcode",
    "pincode",
    "otpcode",
    "mfacode",
    "smscode",
    "securitycode",
    "verificationcode",
    "onetimecode",
    "recoverycode",
    "backupcode",
];
const WORDS: [&str; 5] = ["pin", "otp", "totp", "cvv", "cvc"];

/// The last letters of the names.
const LAST_LETTERS: [[u8; 2]; 5] = [*b"de", *b"in", *b"tp", *b"vv", *b"vc"];

/// Whether a name is that of a code.
pub(super) fn names_code(name: &str) -> bool {
    let [.., before, last] = name.as_bytes() else { return false };
    if !LAST_LETTERS.contains(&[before.to_ascii_lowercase(), last.to_ascii_lowercase()]) {
        return false;
    }
    let word = name.rsplit(['_', '-', '.', ' ']).next().unwrap_or_default();
    let ends = || {
        let name: String = normalized(name).collect();
        ENDINGS.iter().any(|ending| name.ends_with(ending))
    };
    WORDS.iter().any(|of| of.eq_ignore_ascii_case(word)) || ends()
}

#[cfg(test)]
mod tests {
    use crate::redact::patterns::tests::secrets;

    #[test]
    fn codes_are_secrets_after_their_names() {
        for (text, expected) in [
            ("OTP: 123456, pin=1234", vec!["123456", "1234"]),
            ("your verification code is 123456.", vec!["123456"]),
            ("log {\"otp\":\"123456\",\"card_pin\":1234}", vec!["123456", "1234"]),
            ("<pin>1234</pin> mfa_code = 123456", vec!["1234", "123456"]),
            ("--otp 123456 passcode: a1b2c3", vec!["123456", "a1b2c3"]),
            ("the one-time code is 123 then 12345678", vec![]),
            ("backup code: abcd1-efgh2", vec!["abcd1-efgh2"]),
        ] {
            assert_eq!(secrets(text), expected, "{text}");
        }
        for text in [
            "pin: 12, pin=high, pin 1234",
            "code: 123456, error code is 404404",
            "spin=1234 begin: 1234 admin: 1234",
            "otp: required, passcode: 6characters",
            "pinned: 123456, pins=1234",
            "log {\"pin\":true,\"otp\":null,\"pin2\":\"x\"}",
            "exit code: 123456, country code: 1234",
        ] {
            assert_eq!(secrets(text), Vec::<&str>::new(), "{text}");
        }
    }
}
