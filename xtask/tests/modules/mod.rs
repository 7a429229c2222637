//! The modules of a crate, and the modules that each of them uses.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// The names of a module or an item, from the crate's root; the root itself is empty.
pub(crate) type ModulePath = Vec<String>;

/// The code of a crate without its tests.
#[derive(Default)]
pub(crate) struct Modules {
    /// The paths that each module names, as written.
    paths: BTreeMap<ModulePath, Vec<Named>>,
}

/// A path in the code.
struct Named {
    segments: Vec<String>,
    /// The name by which the module and its children call it, if it is in a `use`.
    imported_as: Option<String>,
}

impl Modules {
    /// Reads the Rust files below a folder.
    pub(crate) fn read(folder: &Path) -> Self {
        let mut modules = Self::default();
        modules.add_folder(folder, &[]);
        modules
    }

    fn add_folder(&mut self, folder: &Path, path: &[String]) {
        for entry in fs::read_dir(folder).unwrap() {
            let file = entry.unwrap().path();
            let stem = file.file_stem().unwrap().to_str().unwrap().to_owned();
            let below: ModulePath = path.iter().cloned().chain([stem.clone()]).collect();
            if stem == "tests" {
                continue;
            }
            if file.is_dir() {
                self.add_folder(&file, &below);
            } else if file.extension().is_some_and(|extension| extension == "rs") {
                let is_folder = ["lib", "main", "mod"].contains(&stem.as_str());
                self.add(if is_folder { path.to_vec() } else { below }, &fs::read_to_string(&file).unwrap());
            }
        }
    }

    /// Adds the code of a module.
    pub(crate) fn add(&mut self, module: ModulePath, code: &str) {
        let tokens = code.parse().unwrap_or_else(|error| panic!("{}: {error}", module.join("::")));
        find_paths(tokens, self.paths.entry(module).or_default());
    }

    /// The modules, each with those that it uses. A name that a `use` brings into a module counts as the module that
    /// defines it.
    pub(crate) fn uses(&self) -> BTreeMap<ModulePath, BTreeSet<ModulePath>> {
        let mut imports = BTreeMap::new();
        for (module, named) in self.all_paths() {
            if let (Some(name), Some(path)) = (&named.imported_as, self.absolute(module, &named.segments)) {
                let import: ModulePath = module.iter().cloned().chain([name.clone()]).collect();
                if import != path {
                    imports.insert(import, path);
                }
            }
        }
        let mut all = BTreeMap::<_, BTreeSet<_>>::new();
        for (module, named) in self.all_paths() {
            let used: &mut BTreeSet<_> = all.entry(module.clone()).or_default();
            let path = self.absolute(module, &named.segments);
            used.extend(path.map(|path| self.defining_module(path, &imports)).filter(|path| path != module));
        }
        all
    }

    fn all_paths(&self) -> impl Iterator<Item = (&ModulePath, &Named)> {
        self.paths.iter().flat_map(|(module, paths)| paths.iter().map(move |path| (module, path)))
    }

    /// A path of `module` from the crate's root; `None` for a path into another crate.
    fn absolute(&self, module: &[String], segments: &[String]) -> Option<ModulePath> {
        let first = segments.first()?.as_str();
        let child: ModulePath = module.iter().cloned().chain([first.to_owned()]).collect();
        let supers = segments.iter().take_while(|segment| *segment == "super").count();
        let (begin, rest) = match first {
            "crate" => (&[][..], &segments[1..]),
            "self" => (module, &segments[1..]),
            "super" => (module.get(..module.len() - supers)?, &segments[supers..]),
            _ if self.paths.contains_key(&child) => (module, segments),
            _ => return None,
        };
        Some([begin, rest].concat())
    }

    /// The module that defines the item at a path.
    fn defining_module(
        &self,
        mut path: ModulePath,
        imports: &BTreeMap<ModulePath, ModulePath>,
    ) -> ModulePath {
        // More steps would be a cycle of imports, which the compiler refuses.
        for _ in 0..16 {
            let depth = (1..=path.len()).take_while(|depth| self.paths.contains_key(&path[..*depth])).count();
            match path.get(..=depth).and_then(|item| imports.get(item)) {
                Some(target) => path = [target, &path[depth + 1..]].concat(),
                None => return path[..depth].to_vec(),
            }
        }
        panic!("{} imports itself", path.join("::"));
    }
}

/// Finds the paths in some code, without those in tests.
fn find_paths(code: TokenStream, found: &mut Vec<Named>) {
    let tokens: Vec<TokenTree> = code.into_iter().collect();
    let mut rest = &tokens[..];
    while let [first, after @ ..] = rest {
        rest = after;
        match first {
            TokenTree::Punct(mark) if mark.as_char() == '#' && is_test_attribute(after) => {
                rest = after_item(after);
            }
            TokenTree::Ident(word) if word == "use" && !is_mark(after.first(), '<') => {
                let end = after.iter().position(|token| is_mark(Some(token), ';')).unwrap_or(after.len());
                find_imports(&[], &after[..end], found);
                rest = &after[end..];
            }
            TokenTree::Ident(word) => {
                let mut segments = vec![word.to_string()];
                while let [a, b, TokenTree::Ident(next), after @ ..] = rest {
                    if !(is_mark(Some(a), ':') && is_mark(Some(b), ':')) {
                        break;
                    }
                    segments.push(next.to_string());
                    rest = after;
                }
                if segments.len() > 1 {
                    found.push(Named { segments, imported_as: None });
                }
            }
            TokenTree::Group(group) => find_paths(group.stream(), found),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

/// Finds the paths of a `use`, or of one part of its braces.
fn find_imports(prefix: &[String], tree: &[TokenTree], found: &mut Vec<Named>) {
    let mut segments = prefix.to_vec();
    let mut name = None;
    let mut tokens = tree.iter();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Ident(word) if word == "as" => name = tokens.next().map(ToString::to_string),
            TokenTree::Ident(word) => segments.push(word.to_string()),
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                let parts: Vec<TokenTree> = group.stream().into_iter().collect();
                let parts = parts.split(|token| is_mark(Some(token), ','));
                parts.filter(|part| !part.is_empty()).for_each(|part| find_imports(&segments, part, found));
                return;
            }
            TokenTree::Group(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
    if segments.len() > 1 && segments.last().is_some_and(|last| last == "self") {
        segments.pop();
    }
    let imported_as = name.or_else(|| segments.last().cloned());
    found.push(Named { segments, imported_as });
}

fn is_mark(token: Option<&TokenTree>, mark: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == mark)
}

/// Whether the tokens after a `#` are `[cfg(test)]`.
fn is_test_attribute(tokens: &[TokenTree]) -> bool {
    tokens.first().is_some_and(|attribute| attribute.to_string().replace(' ', "") == "[cfg(test)]")
}

/// The tokens after the next item, which ends with a block or a semicolon.
fn after_item(tokens: &[TokenTree]) -> &[TokenTree] {
    let is_end = |token: &TokenTree| match token {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        TokenTree::Punct(punct) => punct.as_char() == ';',
        TokenTree::Ident(_) | TokenTree::Literal(_) => false,
    };
    tokens.iter().position(is_end).map_or(&[], |end| &tokens[end + 1..])
}
