//! Pages as rustdoc writes them, cut down.

use super::*;

const CODE: &str = "tree.<span>len</span>();";

fn example() -> String {
    format!("{EXAMPLE}<code>{CODE}</code></pre></div>")
}

fn top(doc: &str) -> String {
    format!(
        r#"id="main-content"><details class="toggle top-doc" open><div class="docblock">{doc}</div></details>"#
    )
}

fn member(id: &str, class: &str, doc: &str) -> String {
    format!(
        r#"<details><summary><section id="{id}" class="{class}"></section></summary><div class="docblock">{doc}</div></details>"#
    )
}

fn pages(tree: &str) -> Pages {
    let index = Page::read("mod".into(), &top(&example()));
    let tree = Page::read("struct".into(), tree);
    Pages(BTreeMap::from([("index.html".into(), index), ("tree/struct.Tree.html".into(), tree)]))
}

fn see(href: &str) -> String {
    format!(r#"<p>See <a href="{href}" title="x"><code>Tree</code></a> for an example.</p>"#)
}

#[test]
fn an_item_with_an_example_passes() {
    let tree = top(&example()) + &member("method.new", "method", &example());
    assert_eq!(pages(&tree).without_example(), Vec::<String>::new());
    assert_eq!(pages(&tree).count(), 3);
}

#[test]
fn an_item_without_one_is_named() {
    let tree = top("<p>The nodes.</p>") + &member("method.new", "method", "<p>Makes one.</p>");
    let without = ["tree/struct.Tree.html", "tree/struct.Tree.html#method.new"];
    assert_eq!(pages(&tree).without_example(), without);
}

#[test]
fn a_link_counts_where_the_example_names_the_item() {
    for href in ["struct.Tree.html", "../tree/struct.Tree.html"] {
        let linked = |id| pages(&(top(&example()) + &member(id, "method", &see(href)))).without_example();
        assert_eq!(linked("method.len"), Vec::<String>::new());
        assert_eq!(linked("method.le"), ["tree/struct.Tree.html#method.le"], "half a word is no name");
        assert_eq!(linked("method.find"), ["tree/struct.Tree.html#method.find"]);
    }
}

#[test]
fn a_link_leads_to_a_member_or_to_a_module() {
    let linked = |href| {
        let tree = top(&see("../index.html")) + &member("method.len", "method", &example());
        pages(&(tree + &member("tymethod.len", "method", &see(href)))).without_example()
    };
    assert_eq!(linked("#method.len"), Vec::<String>::new());
    for nowhere in ["#method.find", "struct.Gone.html", "#tymethod.len"] {
        assert_eq!(linked(nowhere), ["tree/struct.Tree.html#tymethod.len"], "{nowhere}");
    }
}

#[test]
fn an_example_that_does_not_run_is_none() {
    for class in ["example-wrap ignore", "example-wrap compile_fail"] {
        let idle = format!(r#"<div class="{class}"><pre class="rust rust-example-rendered"></pre></div>"#);
        assert_eq!(pages(&top(&idle)).without_example(), ["tree/struct.Tree.html"]);
    }
}

#[test]
fn members_of_traits_are_described_elsewhere() {
    let tree = top(&example()) + &member("method.clone", "method trait-impl", "<p>Clones.</p>");
    assert_eq!(pages(&tree).without_example(), Vec::<String>::new());
}

#[test]
fn pages_are_found_by_the_tables_of_the_modules() {
    let table = r#"<dl class="item-table"><dt><a class="mod" href="tree/index.html" title="t">tree</a></dt><dd>See
        <a class="struct" href="struct.Other.html">Other</a></dd><dt><a class="fn" href="fn.open.html">open</a></dt></dl>"#;
    assert_eq!(items(table).collect::<Vec<_>>(), [("mod", "tree/index.html"), ("fn", "fn.open.html")]);
    assert!(Pages::read(Path::new("no/such/folder")).is_err());
}

#[test]
fn a_link_may_stand_at_the_end_of_a_line() {
    let doc = see("#method.len").replace("for an", "for an\n").replace("\n example", "\nexample");
    let tree = top(&doc) + &member("method.len", "method", &example());
    assert!(doc.contains("for an\nexample"));
    assert_eq!(pages(&tree).without_example(), Vec::<String>::new());
}
