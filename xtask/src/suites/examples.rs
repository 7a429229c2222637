//! Whether each public item of the core shows an example, by the pages that rustdoc wrote.
//!
//! An item has an example of its own, or says "See `X` for an example." where X has one. What is called, a function or a constant,
//! must be named in that example, so that no link outlives what it points at. The examples themselves run as doctests.
//!
//! The pages are read, not the sources: they hold what macros make, and no item that nobody can reach.

use std::collections::{BTreeMap, VecDeque};
use std::fs;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result, bail};

/// How rustdoc writes an example that is compiled and run.
const EXAMPLE: &str = r#"<div class="example-wrap"><pre class="rust rust-example-rendered">"#;

/// The items that show none, as `page#member`, each with its reason.
const EXCEPTIONS: [(&str, &str); 0] = [];

/// Fails where an item shows no example, or an exception is no longer one. `docs` is the folder of the crate's pages.
pub(super) fn check(docs: &Path) -> Result<()> {
    let pages = Pages::read(docs)?;
    let without = pages.without_example();
    let is_exception = |item: &str| EXCEPTIONS.iter().any(|(name, _)| *name == item);
    let lacking: Vec<&String> = without.iter().filter(|item| !is_exception(item)).collect();
    let idle = EXCEPTIONS.iter().find(|(name, _)| !without.iter().any(|item| item == name));
    if let Some((name, _)) = idle {
        bail!("{name} has an example and is still among the exceptions");
    }
    if !lacking.is_empty() {
        let lines: Vec<String> = lacking.iter().map(|item| format!("  {item}")).collect();
        bail!("{} public items show no example:\n{}", lacking.len(), lines.join("\n"));
    }
    println!("{} public items, each with an example", pages.count());
    Ok(())
}

/// The pages of all public items, by their place in the folder.
struct Pages(BTreeMap<PathBuf, Page>);

/// The page of one item.
struct Page {
    kind: String,
    /// What is said of the item.
    doc: String,
    /// Its own methods, constants and types, by their ids: `method.new`.
    members: Vec<(String, String)>,
}

impl Pages {
    /// Follows the tables of the modules: a page that nothing leads to is left from an earlier build.
    fn read(docs: &Path) -> Result<Self> {
        let mut found = BTreeMap::new();
        let mut open = VecDeque::from([("mod".to_owned(), PathBuf::from("index.html"))]);
        while let Some((kind, place)) = open.pop_front() {
            if found.contains_key(&place) {
                continue;
            }
            let text = fs::read_to_string(docs.join(&place))
                .with_context(|| format!("expected the page {}", place.display()))?;
            if kind == "mod" {
                open.extend(items(&text).map(|(kind, href)| (kind.to_owned(), beside(&place, href))));
            }
            found.insert(place, Page::read(kind, &text));
        }
        if found.len() < 2 {
            bail!("expected the pages of a crate in {}", docs.display());
        }
        Ok(Self(found))
    }

    fn count(&self) -> usize {
        self.0.values().map(|page| 1 + page.members.len()).sum()
    }

    fn without_example(&self) -> Vec<String> {
        let mut without = Vec::new();
        for (place, page) in &self.0 {
            let called = matches!(&*page.kind, "fn" | "constant" | "macro");
            let name = file_name(place).split('.').nth(1).unwrap_or_default();
            if !self.has_example(place, &page.doc, called.then_some(name)) {
                without.push(place.display().to_string());
            }
            for (id, doc) in &page.members {
                let name = id.rsplit('.').next().unwrap_or_default();
                if !self.has_example(place, doc, Some(name)) {
                    without.push(format!("{}#{id}", place.display()));
                }
            }
        }
        without
    }

    /// Whether the text has an example or leads to one, which must name `called`.
    fn has_example(&self, place: &Path, doc: &str, called: Option<&str>) -> bool {
        if doc.contains(EXAMPLE) {
            return true;
        }
        let line = doc.replace('\n', " ");
        let Some(href) = example_link(&line) else { return false };
        let (file, id) = href.split_once('#').map_or((href, None), |(file, id)| (file, Some(id)));
        let target = if file.is_empty() { place.to_owned() } else { beside(place, file) };
        let Some(page) = self.0.get(&target) else { return false };
        let shown = match id {
            None => Some(&page.doc),
            Some(id) => page.members.iter().find(|(member, _)| member == id).map(|(_, doc)| doc),
        };
        shown
            .is_some_and(|doc| doc.contains(EXAMPLE) && called.is_none_or(|name| names(&examples(doc), name)))
    }
}

impl Page {
    fn read(kind: String, text: &str) -> Self {
        let main = text.split_once(r#"id="main-content""#).map_or(text, |(_, main)| main);
        let doc = main.split_once(r#"<details class="toggle top-doc""#).map_or("", |(_, doc)| doc_block(doc));
        let members = main.split(r#"<section id=""#).skip(1).filter_map(|section| {
            let (id, rest) = section.split_once(r#"" class=""#)?;
            let (class, rest) = rest.split_once('"')?;
            // Those of traits that the item implements are described there.
            let own = matches!(class, "method" | "associatedconstant" | "associatedtype");
            own.then(|| (id.to_owned(), doc_block(rest).to_owned()))
        });
        Self { kind, doc: doc.to_owned(), members: members.collect() }
    }
}

/// The description that begins a text; empty where there is none.
fn doc_block(text: &str) -> &str {
    let doc = text.split_once(r#"<div class="docblock">"#).map_or("", |(_, doc)| doc);
    doc.split_once("</details>").map_or(doc, |(doc, _)| doc)
}

/// Kind and address of each item in a module's tables.
fn items(page: &str) -> impl Iterator<Item = (&str, &str)> {
    page.split(r#"<dt><a class=""#).skip(1).filter_map(|entry| {
        let (kind, rest) = entry.split_once(r#"" href=""#)?;
        Some((kind, rest.split_once('"')?.0))
    })
}

/// Where "See … for an example." leads.
fn example_link(doc: &str) -> Option<&str> {
    let (before, _) = doc.split_once("</a> for an example.")?;
    let (_, link) = before.rsplit_once(r#"See <a href=""#)?;
    Some(link.split_once('"')?.0)
}

/// The text of the examples, without marks.
fn examples(doc: &str) -> String {
    let mut text = String::new();
    for example in doc.split(EXAMPLE).skip(1) {
        let example = example.split_once("</pre>").map_or(example, |(example, _)| example);
        for piece in example.split('<') {
            text.push_str(piece.split_once('>').map_or(piece, |(_, piece)| piece));
        }
        text.push('\n');
    }
    text
}

/// Whether the name occurs in the text as a whole word.
fn names(text: &str, name: &str) -> bool {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').any(|word| word == name)
}

/// An address as it is written on a page.
fn beside(page: &Path, href: &str) -> PathBuf {
    let mut place = page.parent().map_or_else(PathBuf::new, Path::to_owned);
    for part in Path::new(href).components() {
        match part {
            Component::ParentDir => {
                place.pop();
            }
            Component::Normal(name) => place.push(name),
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    place
}

fn file_name(place: &Path) -> &str {
    place.file_name().and_then(|name| name.to_str()).unwrap_or_default()
}

#[cfg(test)]
mod tests;
