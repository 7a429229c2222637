//! Components in a real browser: role, name, text and the public `data-*` attributes.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use gloo_timers::future::TimeoutFuture;
use js_sys::{Function, Object, Reflect};
use leptos::mount::{UnmountHandle, mount_to};
use leptos::prelude::*;
use leptos::tachys::view::any_view::AnyViewState;
use runstate::file::File;
use runstate::header::Header;
use runstate::ingest::open;
use runstate::pill::{Taxonomy, pill};
use runstate::summary::AnswerPill;
use runstate::time::Millis;
use runstate::viewer::{ListedRun, TreeRow, Update};
use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::{Element, HtmlElement};

use crate::components::{Announcer, RunItem, SnapshotHeader, StatusPill, TreeItem};
use crate::embed::{Settings, mount};
use crate::store::{Announcements, Store};

/// A view on the page, removed at the end of its test.
struct Rendered {
    root: HtmlElement,
    store: Store,
    _owner: Owner,
    _view: UnmountHandle<AnyViewState>,
}

impl Rendered {
    fn new(view: impl FnOnce() -> AnyView + 'static) -> Self {
        let root = new_root();
        let owner = Owner::new();
        let store = owner.with(Store::new);
        let provided = store.clone();
        let view = mount_to(root.clone(), move || {
            provided.provide();
            view()
        });
        Self { root, store, _owner: owner, _view: view }
    }

    /// The first element that matches.
    fn find(&self, selector: &str) -> Element {
        let found = self.root.query_selector(selector).expect("a valid selector");
        found.unwrap_or_else(|| panic!("nothing matches {selector} in {}", self.root.inner_html()))
    }

    /// The text without the line breaks between the shapes of an icon.
    fn text(&self, selector: &str) -> String {
        self.find(selector).text_content().unwrap_or_default().trim().to_owned()
    }

    fn attribute(&self, selector: &str, name: &str) -> Option<String> {
        self.find(selector).get_attribute(name)
    }
}

impl Drop for Rendered {
    fn drop(&mut self) {
        self.root.remove();
    }
}

fn new_root() -> HtmlElement {
    let root: HtmlElement = document().create_element("div").expect("an element").unchecked_into();
    document().body().expect("a body").append_child(&root).expect("a child");
    root
}

fn header() -> Header {
    let now = Millis::parse_iso("2026-11-21T14:06:10Z").expect("a time");
    let run = br#"{"runId":"run-42","workflowName":"release","status":"waiting-approval","runState":{"runId":"run-42",
        "state":"waiting-approval","computedAt":"2026-11-21T14:06:08.000Z",
        "blocked":{"kind":"approval","nodeId":"gate","requestedAt":"2026-11-21T14:00:00.000Z"}}}"#;
    let document = open(&[File { name: None, bytes: run }], now).expect("a document");
    document.header(None, now).expect("a header")
}

fn tree_row() -> TreeRow {
    from_json(
        r#"{"id":7,"title":"verify","kind":"Parallel","taxonomy":"node","iteration":2,"descendantState":"failed","failedDescendants":3,
        "depth":1,"position":2,"setSize":4,"expandable":true,"expanded":false,"progress":[7,8],
        "hiddenFailed":3,"hiddenWaiting":0,"duration":"1.5 s"}"#,
    )
}

/// A value as the worker sends it.
fn from_json<T: serde::de::DeserializeOwned>(json: &str) -> T {
    let value = js_sys::JSON::parse(json).expect("JSON");
    serde_wasm_bindgen::from_value(value).expect("a value of this type")
}

#[wasm_bindgen_test]
fn a_pill_says_word_and_vocabulary() {
    let rendered = Rendered::new(|| {
        let words = pill(Taxonomy::Run, "waiting-approval");
        view! { <StatusPill taxonomy=Taxonomy::Run value="waiting-approval".to_owned() pill=words prefix=Some("Run state: ") /> }
            .into_any()
    });
    assert_eq!(rendered.text(".pill"), "Run state: Waiting for approval");
    assert_eq!(rendered.attribute(".pill", "data-taxonomy").as_deref(), Some("run"));
    assert_eq!(rendered.attribute(".pill", "data-value").as_deref(), Some("waiting-approval"));
    assert_eq!(rendered.attribute(".pill", "data-tone").as_deref(), Some("review"));
    assert_eq!(rendered.attribute(".pill", "data-known"), None);
    assert_eq!(rendered.attribute(".pill svg", "aria-hidden").as_deref(), Some("true"));
}

#[wasm_bindgen_test]
fn an_old_or_unknown_word_never_has_a_tone() {
    let rendered = Rendered::new(|| {
        let (known, unknown) = (pill(Taxonomy::Run, "failed"), pill(Taxonomy::Run, "hibernating"));
        view! {
            <StatusPill taxonomy=Taxonomy::Run value="failed".to_owned() pill=known as_of=Some("as of 47 s ago".to_owned()) />
            <StatusPill taxonomy=Taxonomy::Run value="hibernating".to_owned() pill=unknown />
        }
        .into_any()
    });
    assert_eq!(rendered.text("[data-as-of]"), "Failed · as of 47 s ago");
    assert_eq!(rendered.attribute("[data-as-of]", "data-tone").as_deref(), Some("neutral"));
    assert_eq!(rendered.text("[data-known=false]"), "“hibernating”");
    assert_eq!(rendered.attribute("[data-known=false]", "data-tone").as_deref(), Some("neutral"));
}

#[wasm_bindgen_test]
async fn the_header_answers_and_follows_its_run() {
    let rendered = Rendered::new(|| view! { <SnapshotHeader /> }.into_any());
    rendered.store.apply(Update::Header(Some(Box::new(header()))));
    TimeoutFuture::new(0).await;
    let name = rendered.attribute("section", "aria-labelledby").expect("a name");
    assert_eq!(rendered.attribute("h1", "id"), Some(name));
    assert_eq!(rendered.text("h1"), "Run snapshot: release");
    assert_eq!(rendered.attribute("section", "data-state").as_deref(), Some("waiting-approval"));
    assert_eq!(rendered.attribute("section", "data-blocked").as_deref(), Some("approval"));
    assert_eq!(rendered.text("[data-field=blocked] .sentence"), "Was waiting for a decision at gate.");
    assert_eq!(rendered.attribute("[data-field=runId]", "data-value").as_deref(), Some("run-42"));
    assert_eq!(rendered.attribute("[data-field=runId] button", "aria-label").as_deref(), Some("Copy run id"));
    assert_eq!(rendered.find(".node-link").tag_name(), "SPAN", "there is no tree to go to");

    let sentence = rendered.find(".sentence");
    let mut failed = header();
    (failed.state, failed.blocked) = (Some("failed".into()), None);
    rendered.store.apply(Update::Header(Some(Box::new(failed))));
    TimeoutFuture::new(0).await;
    assert_eq!(rendered.attribute("section", "data-state").as_deref(), Some("failed"));
    assert_eq!(rendered.attribute("section", "data-blocked"), None);
    assert!(
        rendered.find("[data-field=reason] .sentence").is_same_node(Some(&sentence)),
        "the element stays"
    );
}

#[wasm_bindgen_test]
fn a_row_of_the_list_is_an_option_that_opens_its_run() {
    let opened = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&opened);
    let rendered = Rendered::new(move || {
        let mut row: ListedRun = from_json(
            r#"{"index":3,"id":"run-3","name":"release","taxonomy":"run","pill":{"kind":"absent"},
            "reason":"Failed at deploy-eu after 3 attempts.","age":"1 min ago","isCurrent":true,"nameHits":[],
            "idHits":[{"start":4,"end":5}],"reasonHits":[{"start":10,"end":16},{"start":17,"end":19}]}"#,
        );
        row.pill =
            AnswerPill::Pill { pill: pill(Taxonomy::Run, "failed"), value: "failed".into(), as_of: None };
        let on_open = move || {
            count.fetch_add(1, Ordering::Relaxed);
        };
        view! { <RunItem row position=3usize total=10usize is_active=true element_id="run-7".to_owned() on_open /> }
            .into_any()
    });
    let expected = [
        ("role", "option"),
        ("id", "run-7"),
        ("data-run", "run-3"),
        ("aria-posinset", "4"),
        ("aria-setsize", "10"),
        ("aria-selected", "true"),
        ("aria-current", "true"),
    ];
    for (name, value) in expected {
        assert_eq!(rendered.attribute(".run-row", name).as_deref(), Some(value), "{name}");
    }
    let parts = [".run-name", ".run-age", ".pill", ".run-id", ".run-reason"].map(|part| rendered.text(part));
    let reason = "Failed at deploy-eu after 3 attempts.";
    assert_eq!(parts, ["release", "1 min ago", "Run state: Failed", "run-3", reason]);
    let marks = ["mark", ".run-reason mark", ".run-reason mark:last-of-type"].map(|mark| rendered.text(mark));
    assert_eq!(marks, ["3", "deploy", "eu"], "the words of the search");
    rendered.find(".run-reason").unchecked_into::<HtmlElement>().click();
    assert_eq!(opened.load(Ordering::Relaxed), 1, "a click anywhere in the row");
}

#[wasm_bindgen_test]
fn a_tree_row_exposes_position_and_hidden_count() {
    let rendered = Rendered::new(|| {
        view! { <TreeItem row=tree_row() is_selected=true element_id="node-7".to_owned() /> }.into_any()
    });
    let expected = [
        ("role", "treeitem"),
        ("id", "node-7"),
        ("data-node", "verify"),
        ("data-below", "failed"),
        ("aria-level", "2"),
        ("aria-posinset", "2"),
        ("aria-setsize", "4"),
        ("aria-expanded", "false"),
        ("aria-selected", "true"),
    ];
    for (name, value) in expected {
        assert_eq!(rendered.attribute(".tree-row", name).as_deref(), Some(value), "{name}");
    }
    assert_eq!(
        rendered.attribute(".tree-row", "data-state"),
        None,
        "the state of another node is not its own"
    );
    assert_eq!(rendered.text(".hidden-count"), "3 failed inside");
    assert_eq!(rendered.text(".progress"), "7/8 done");
    assert_eq!(rendered.text(".below"), "3 failed");
    assert_eq!(rendered.attribute(".state-icon", "data-tone").as_deref(), Some("error"));
    assert_eq!(rendered.text(".iteration"), "#2");
}

/// What a page gives a panel that it does not listen to.
fn settings() -> Settings {
    let settings = Object::new();
    Reflect::set(&settings, &"onReport".into(), &Function::new_no_args("")).expect("an object");
    settings.unchecked_into()
}

#[wasm_bindgen_test]
async fn two_panels_share_a_page_and_leave_nothing_behind() {
    let roots = [new_root(), new_root()];
    let panels = roots.clone().map(|root| mount(root, settings()).expect("a panel"));
    TimeoutFuture::new(0).await;
    for root in &roots {
        let screens = root.query_selector_all("section[data-screen=connect]").expect("a valid selector");
        assert_eq!(screens.length(), 1);
    }
    let theme =
        roots[0].query_selector("[data-action=theme]").expect("a valid selector").expect("the button");
    theme.unchecked_into::<HtmlElement>().click();
    let themed = document().query_selector_all("[data-theme]").expect("a valid selector");
    assert_eq!(themed.length(), 1, "the theme of an embedded panel is its own");
    assert!(themed.get(0).is_some_and(|panel| roots[0].contains(Some(&panel))));
    let ids = document().query_selector_all("[id]").expect("a valid selector");
    let ids: Vec<_> = (0..ids.length())
        .filter_map(|index| ids.get(index)?.dyn_into::<Element>().ok())
        .map(|it| it.id())
        .collect();
    for id in &ids {
        assert_eq!(ids.iter().filter(|other| *other == id).count(), 1, "#{id}");
    }
    for panel in panels {
        panel.unmount();
    }
    for root in roots {
        assert_eq!(root.inner_html(), "");
        root.remove();
    }
}

#[wasm_bindgen_test]
fn an_announcement_isolates_words_from_right_to_left() {
    let rendered = Rendered::new(|| {
        expect_context::<Announcements>().announce("Run \u{5e9}\u{5e2}\u{5e8}: failed");
        view! { <Announcer /> }.into_any()
    });
    assert_eq!(rendered.text("[role=status]"), "Run \u{2068}\u{5e9}\u{5e2}\u{5e8}\u{2069}: failed");
}
