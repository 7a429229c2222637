//! Short names between a WebAssembly module and its glue: wasm-bindgen gives each a hash, and hashes do not pack.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use super::order;
use crate::house::House;
use crate::process::output;
use crate::tools::WasmTools;

/// Renames what a module and its glue import from each other, in both files, and puts the module's functions in the
/// order that packs best.
pub(super) fn shorten(house: &House, tools: &WasmTools, wasm: &Path, glue: &Path) -> Result<()> {
    let text = fs::read_to_string(glue).with_context(|| format!("reading {}", glue.display()))?;
    let mut wasm_opt = house.command(&tools.wasm_opt);
    // Without the names of functions the locals are shared out a little better once more.
    wasm_opt.args(["--precompute", "--coalesce-locals", "--dealign", "--reorder-locals"]);
    let map = output(wasm_opt.arg("--minify-imports-and-exports-and-modules").arg(wasm).arg("-o").arg(wasm))?;
    order::apply(house, tools, wasm, &["--strip-target-features"])?;
    let map: Map = serde_json::from_str(&map).context("reading the names that wasm-opt gave")?;
    fs::write(glue, map.rename(&text)?).with_context(|| format!("writing {}", glue.display()))
}

/// What wasm-opt says it renamed.
#[derive(Deserialize)]
struct Map {
    /// The module's name, the import's, and its new one. All are of one module, which is called `a` then.
    imports: Vec<[String; 3]>,
    /// The export's name and its new one.
    exports: Vec<[String; 2]>,
}

impl Map {
    /// The glue with the new names; the old module would no longer fit, so an import that it does not hand over is an error.
    fn rename(&self, glue: &str) -> Result<String> {
        let imports: HashMap<&str, &str> =
            self.imports.iter().map(|[_, old, new]| (&**old, &**new)).collect();
        let exports: HashMap<&str, &str> = self.exports.iter().map(|[old, new]| (&**old, &**new)).collect();
        let mut out = String::with_capacity(glue.len());
        let mut handed = 0;
        for word in words(glue) {
            if let Some(new) = imports.get(word) {
                handed += 1;
                out.push_str(new);
            } else if let Some(new) = exports.get(word).filter(|_| out.ends_with("wasm.")) {
                out.push_str(new);
            } else {
                out.push_str(word);
            }
        }
        if handed != imports.len() {
            bail!("the glue hands over {handed} imports, and the module takes {}", imports.len());
        }
        let Some([module, ..]) = self.imports.first() else { return Ok(out) };
        let named = format!("\"{module}\": ");
        if out.matches(&named).count() != 1 {
            bail!("the glue should name {module} once, where it hands the imports over");
        }
        Ok(out.replacen(&named, "\"a\": ", 1))
    }
}

/// The text in pieces, each either a whole identifier or what stands between two.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let part_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_$".contains(byte);
    text.as_bytes().chunk_by(move |left, right| part_of_name(left) == part_of_name(right)).scan(
        0,
        move |at, piece| {
            let start = *at;
            *at += piece.len();
            // Both kinds end before or after an ASCII letter, so never inside another one.
            text.get(start..*at)
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map() -> Map {
        serde_json::from_str(
            r#"{"imports": [["./x_bg.js", "__wbg_log_1", "a"], ["./x_bg.js", "__wbg_log_12", "b"]],
                "exports": [["memory", "c"], ["connect", "d"]]}"#,
        )
        .unwrap()
    }

    #[test]
    fn names_change_on_both_sides_and_nothing_else_does() {
        let glue = "export function connect() { wasm.connect(wasm.memory); } // memory – é\nconst i = { __wbg_log_1: f, __wbg_log_12: g };\nreturn { \"./x_bg.js\": i };";
        let short = "export function connect() { wasm.d(wasm.c); } // memory – é\nconst i = { a: f, b: g };\nreturn { \"a\": i };";
        assert_eq!(map().rename(glue).unwrap(), short);
    }

    #[test]
    fn glue_that_does_not_fit_is_refused() {
        for glue in [
            "const i = { __wbg_log_1: f }; return { \"./x_bg.js\": i };",
            "const i = { __wbg_log_1: f, __wbg_log_12: g }; return { \"./y_bg.js\": i };",
        ] {
            assert!(map().rename(glue).is_err(), "{glue}");
        }
    }
}
