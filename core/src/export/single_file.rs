//! Checks the single file that becomes an exported page. In an exported page it is read back from the page itself, which somebody
//! may have changed.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};

use crate::ingest::exported_page::OPEN;
use crate::text::concat;

/// The places that a build fills in the template, in their order.
const PLACES: [&str; 5] =
    ["<!-- content policy -->", "/* styles */", "<!-- licences -->", "<!-- wasm -->", "/* glue */"];

/// Whether a single file has exactly the elements of `template`, and a content policy that allows its own scripts and styles by their
/// hashes and nothing else. The document inside does not matter.
pub(super) fn is_from(template: &str, single_file: &str) -> bool {
    parts(template, single_file).is_some_and(|(empty, parts)| {
        let [policy, styles, licences, wasm, glue] = parts.map(str::to_ascii_lowercase);
        let is_closed =
            [&styles, &licences, &glue].iter().all(|part| !part.contains("</s") && !part.contains("<!--"));
        let is_base64 = wasm.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte));
        !policy.is_empty() && is_closed && is_base64 && parts[0] == policy_of(&empty)
    })
}

/// The single file without its document, and what is in the places of the template.
fn parts<'a>(template: &str, single_file: &'a str) -> Option<(String, [&'a str; 5])> {
    let (before, rest) = single_file.split_once(OPEN)?;
    let (template_before, template_rest) = template.split_once(OPEN)?;
    let after = rest.get(rest.find("</script>")?..)?;
    // The document is between the second and the third place.
    let [policy, styles] = between(template_before, before, [PLACES[0], PLACES[1]])?;
    let [licences, wasm, glue] = between(template_rest, after, [PLACES[2], PLACES[3], PLACES[4]])?;
    Some((concat(&[before, OPEN, after]), [policy, styles, licences, wasm, glue]))
}

/// What a text has in the places of a template; `None` if it differs from it elsewhere.
fn between<'a, const N: usize>(template: &str, text: &'a str, places: [&str; N]) -> Option<[&'a str; N]> {
    let (mut template, mut text, mut found) = (template, text, [""; N]);
    for (at, place) in places.iter().enumerate() {
        let (literal, rest) = template.split_once(place)?;
        let rest_of_text = text.strip_prefix(literal)?;
        let next = places.get(at + 1).and_then(|place| Some(rest.split_once(place)?.0)).unwrap_or(rest);
        let (part, _) = rest_of_text.split_once(next)?;
        (found[at], template, text) = (part, rest, rest_of_text.get(part.len()..)?);
    }
    (text == template).then_some(found)
}

/// The element with the policy that a build writes.
fn policy_of(page: &str) -> String {
    let hashes = |tag| inline(page, tag).map(hash).collect::<Vec<_>>().join(" ");
    concat(&[
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src ",
        &hashes("script"),
        " 'wasm-unsafe-eval'; style-src ",
        &hashes("style"),
        "; worker-src blob:; img-src data:; connect-src ws: wss: http: https:; base-uri 'none'; form-action 'none'\" data-part>",
    ])
}

/// The content of the elements with this tag, except data blocks.
fn inline<'a>(page: &'a str, tag: &str) -> impl Iterator<Item = &'a str> {
    let (open, close) = (concat(&["<", tag]), concat(&["</", tag, ">"]));
    let elements: Vec<_> =
        page.split(open.as_str()).skip(1).filter_map(|rest| rest.split_once('>')).collect();
    let code = elements.into_iter().filter(|(attributes, _)| !attributes.contains("type="));
    code.filter_map(move |(_, rest)| Some(rest.split_once(close.as_str())?.0))
}

fn hash(code: &str) -> String {
    concat(&["'sha256-", &STANDARD.encode(Sha256::digest(code)), "'"])
}

#[cfg(test)]
pub(super) mod tests {
    use super::{PLACES, is_from, policy_of};

    pub(crate) const TEMPLATE: &str = include_str!("../../../www/single-file.html");

    /// The template, filled as a build fills it.
    pub(crate) fn single_file() -> String {
        let page =
            TEMPLATE.replace(PLACES[1], "a { }").replace(PLACES[2], "MIT").replace(PLACES[3], "AAAA==");
        let page = page.replace(PLACES[4], "let wasm_bindgen;");
        page.replace(PLACES[0], &policy_of(&page))
    }

    #[test]
    fn a_build_of_the_template_is_accepted_with_any_document() {
        let built = single_file();
        assert!(is_from(TEMPLATE, &built));
        assert!(is_from(
            TEMPLATE,
            &built.replace("id=\"document\" data-part>", "id=\"document\" data-part>{\"a\":1}")
        ));
    }

    #[test]
    fn a_changed_page_is_refused() {
        let built = single_file();
        let policy = policy_of(&built);
        let script = "<script data-part>evil()</script>";
        let listed = |page: &str| page.replace(&policy, &policy_of(page));
        let in_body = built.replace("  </body>", &format!("    {script}\n  </body>"));
        for (what, changed) in [
            ("no policy", built.replace(&policy, "")),
            ("a weaker policy", built.replace("default-src 'none'", "default-src *")),
            ("another script", in_body.clone()),
            ("another script that the policy lists", listed(&in_body)),
            ("no policy and another script", in_body.replace(&policy, "")),
            ("a script in the licences", built.replace("MIT", &format!("</script>{script}"))),
            ("a script in the styles", built.replace("a { }", &format!("</style>{script}<style>"))),
            ("a script after the module", built.replace("AAAA==", &format!("AAAA</script>{script}"))),
            ("other glue", built.replace("let wasm_bindgen;", "evil();")),
            ("another loader", listed(&built.replace("start().catch(fail);", "evil(); start().catch(fail);"))),
            ("another style", built.replace("a { }", "b { }")),
            ("a redirect", built.replace("    <title", "    <meta http-equiv=\"refresh\" content=\"0;url=//x\" data-part>\n    <title")),
            ("an attribute", built.replace("<body data-runstate>", "<body data-runstate onload=\"evil()\">")),
            ("two documents", built.replace("    <script type=\"text/plain\"", "    <script type=\"application/json\" id=\"document\" data-part></script>\n    <script type=\"text/plain\"")),
            ("nothing", String::new()),
            ("another file", "<!doctype html><p>".to_owned()),
        ] {
            assert_ne!(changed, built, "{what}");
            assert!(!is_from(TEMPLATE, &changed), "{what}");
        }
    }
}
