//! Tests values after their names.

use crate::redact::patterns::tests::secrets;

#[test]
fn a_value_after_a_name_is_a_secret_with_every_operator() {
    for (text, expected) in [
        ("AWS_SECRET_ACCESS_KEY=a ssh-private-key=b PASSPHRASE=c", vec!["a", "b", "c"]),
        (
            "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
            vec!["wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"],
        ),
        ("token := \"a1\", token ?= 'b'", vec!["a1", "b"]),
        ("token := abc123", vec!["abc123"]),
        ("$token .= \"a\"; token += `b`", vec!["a", "b"]),
        ("'token' => 'a', \"api_key\" => \"b\"", vec!["a", "b"]),
        ("config[\"token\"] = 'a'", vec!["a"]),
        ("var apiToken string = \"a\"; let token: String = \"b\"", vec!["a", "b"]),
        ("password = hunter\nx", vec!["hunter"]),
        ("Passwort: hunter2, mot de passe : hunter3", vec!["hunter2", "hunter3"]),
        ("  password: hunter", vec!["hunter"]),
        ("token: abc123", vec!["abc123"]),
        ("password:hunter22", vec!["hunter22"]),
        ("token: \"abc123\"", vec!["abc123"]),
        ("data:\n  password: |\n    hunter22\n", vec!["hunter22"]),
        ("Server=h;User Id=u;Pwd=hunter2;", vec!["hunter2"]),
        ("DB_PASS=hunter pass=hunter2", vec!["hunter", "hunter2"]),
        ("AccountName=a;AccountKey=ab12/+==;X", vec!["ab12/+=="]),
        ("password\x1b[0m=\x1b[32mhunter2\x1b[0m x", vec!["hunter2"]),
        ("\x1b[1mpassword\x1b[0m: \x1b[32mhunter2\x1b[0m", vec!["hunter2"]),
        ("password = '''a b''' and secret = \"\"\"c\"\"\"", vec!["a b", "c"]),
        ("password\u{a0}=\u{a0}hunter2, password\u{200b}=hunter3", vec!["hunter2", "hunter3"]),
        ("const TOKEN: &str = \"a\"; static TOKEN: &'static str = \"b\";", vec!["a", "b"]),
        ("API key: abc123, Access Key = abc124", vec!["abc123", "abc124"]),
        ("password1=a dbPassword2: hunter2", vec!["a", "hunter2"]),
        ("- name: TOKEN\n  value: abc123\n- name: A\n  value: abc124", vec!["abc123"]),
        ("name: API_KEY, value: 'a b'", vec!["a b"]),
        ("got {\"name\":\"TOKEN\",\"value\":\"a b\"}", vec!["a b"]),
        ("char password[] = \"a\"; char token[64] = \"b\"; let token: String? = \"c\"", vec!["a", "b", "c"]),
        ("+ db.password: hunter\nexport API_TOKEN := hunter", vec!["hunter", "hunter"]),
        (
            "become_pass: hunter\n[password] => hunter\npassword: hunter!two",
            vec!["hunter", "hunter", "hunter!two"],
        ),
        ("X-Auth-Token: correcthorsebattery\r\n", vec!["correcthorsebattery"]),
        ("{User:mira Password:hunter Port:1} {Secret:hunter}", vec!["hunter", "hunter"]),
        ("cmdkey /user:a /pass:hunter; Connect-X -Password:hunter", vec!["hunter", "hunter"]),
        ("Credentials { token: Some(\"hunter\") }", vec!["hunter"]),
        ("SSHPASS=hunter ssh a; psk=\"hunter\"", vec!["hunter", "hunter"]),
        ("create secret generic a --from-literal=main=hunter", vec!["hunter"]),
        ("document.cookie = \"session=hunter2\"", vec!["session=hunter2"]),
    ] {
        assert_eq!(secrets(text), expected, "{text}");
    }
}

#[test]
fn the_cause_of_a_failure_is_no_secret() {
    for text in [
        "token=undefined",
        "token=null, password=$DB_PASSWORD",
        "token=${TOKEN} and {{secrets.TOKEN}}",
        "password={{ secrets.TOKEN1 }}",
        "apiKey: process.env.API_KEY1",
        "max_token=4096",
        "expected token=EOF",
        "token = b",
        "password: unset",
        "password: required",
        "token: invalid",
        "password = getPassword()",
        "pass=12 fail=3",
        "PWD=/srv",
        "bypass=enabled",
        "tokens=1200",
        "totalTokens=8, tokenizer=bpe",
        "API_TOKEN: present\nGITHUB_TOKEN: configured",
        "pass: everything\ntests_pass: 123456",
        "{Kind:token Value:identifier} {Token:<nil> Password:}",
        "access_token: InvalidClientTokenId",
        "i18n/password:forgot, src/secret:required",
    ] {
        assert_eq!(secrets(text), Vec::<&str>::new(), "{text}");
    }
}
