//! What a viewer shows, as text for an address.

use form_urlencoded::{Serializer, parse};
use serde::{Deserialize, Serialize};

use super::{Family, LogQuery, NodeFilter, NodeKey, RunQuery, RunSort, TreeQuery};
use crate::ingest::System;
use crate::smithers::wire::EventSeverity;
use crate::word::Vocabulary;

/// The minimum severities that a person can choose for the events.
const LOG_SEVERITIES: [EventSeverity; 2] = [EventSeverity::Error, EventSeverity::Warning];

/// What a viewer shows of its source: the run, its tree or its events, the selected node, and the queries of the tree, the
/// events and the list. It contains no token and no address, so it can be written into an address or given to another person.
///
/// ```
/// use runstate::viewer::{NodeKey, Place};
///
/// let (place, ignored) = Place::parse("run=release-41&node=review&it=3&q=eu+west&token=secret");
/// assert_eq!(place.run.as_deref(), Some("release-41"));
/// assert_eq!(place.node, Some(NodeKey { node_id: "review".into(), iteration: 3 }));
/// assert_eq!(place.query.search, "eu west");
/// assert_eq!(ignored, ["token"]);
/// assert_eq!(place.to_string(), "run=release-41&node=review&it=3&q=eu+west");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Place {
    /// The id of the run; `None` for the list, or for the only run of a document.
    pub run: Option<String>,
    /// The selected node of the run, if it has an id of the author's. Only such an id names the same node in another
    /// session.
    pub node: Option<NodeKey>,
    /// What is shown of the run; `None` for its tree, or for the events of a document that is only an event log.
    #[serde(default)]
    pub view: Option<PlaceView>,
    /// The search and the filters of the tree.
    #[serde(default)]
    pub tree: TreeQuery,
    /// The search and the filters of the events.
    #[serde(default)]
    pub log: LogQuery,
    /// The query of the list of runs. Folded groups are left out: their numbers are those of one session.
    pub query: RunQuery,
}

/// What is shown of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PlaceView {
    /// Its tree.
    Tree,
    /// Its events.
    Events,
}

impl PlaceView {
    const ALL: [Self; 2] = [Self::Tree, Self::Events];

    fn as_str(self) -> &'static str {
        match self {
            Self::Tree => "tree",
            Self::Events => "events",
        }
    }
}

impl Place {
    /// A run without a selection; `None` for the list.
    ///
    /// ```
    /// use runstate::viewer::Place;
    ///
    /// assert_eq!(Place::of_run(Some("r1".to_owned())).to_string(), "run=r1");
    /// assert_eq!(Place::of_run(None), Place::default());
    /// ```
    pub fn of_run(run: Option<String>) -> Self {
        Self { run, ..Self::default() }
    }

    /// Reads what [`ToString::to_string`] writes. Of several values of a part, the first one counts, except for states,
    /// families and filters. Returns also the names of the parts that were ignored: unknown ones, and those with an invalid value.
    pub fn parse(text: &str) -> (Self, Vec<String>) {
        let (place, others) = Self::read(text);
        (place, others.into_iter().map(|(name, _)| name).collect())
    }

    /// Reads the parts of a place; returns also all other parts, by name and value.
    pub(super) fn read(text: &str) -> (Self, Vec<(String, String)>) {
        let (mut place, mut others) = (Self::default(), Vec::new());
        let (mut node_id, mut iteration) = (None, None);
        for (name, value) in parse(text.as_bytes()).filter(|(name, _)| !name.is_empty()) {
            let Self { query, tree, log, view, .. } = &mut place;
            let is_read = match &*name {
                "run" => set_text(&mut place.run, &value),
                "node" => set_text(&mut node_id, &value),
                "it" => set(&mut iteration, value.parse().ok()),
                "view" => set(view, PlaceView::ALL.into_iter().find(|view| view.as_str() == value)),
                "find" if tree.search.is_empty() => {
                    value.trim().clone_into(&mut tree.search);
                    true
                }
                "filter" => NodeFilter::from_word(&value).is_some_and(|filter| {
                    if !tree.filters.contains(&filter) {
                        tree.filters.push(filter);
                    }
                    true
                }),
                "q" if query.search.is_empty() => {
                    query.search = value.clone().into_owned();
                    true
                }
                "state" if !value.is_empty() => {
                    if !query.states.iter().any(|state| *state == value) {
                        query.states.push(value.clone().into_owned());
                    }
                    true
                }
                "system" => set(&mut query.system, System::from_word(&value)),
                "sort" => RunSort::from_word(&value).is_some_and(|sort| {
                    query.sort = sort;
                    true
                }),
                name => read_log_part(log, name, &value),
            };
            if !is_read {
                others.push((name.into_owned(), value.into_owned()));
            }
        }
        place.node = node_id.map(|node_id| NodeKey { node_id, iteration: iteration.unwrap_or_default() });
        (place, others)
    }
}

/// Reads a part of the query of the events. Returns whether it is one that is valid and not set yet.
fn read_log_part(log: &mut LogQuery, name: &str, value: &str) -> bool {
    match name {
        "text" if log.search.is_empty() => {
            value.trim().clone_into(&mut log.search);
            true
        }
        "family" => Family::from_word(value).is_some_and(|family| {
            if !log.families.contains(&family) {
                log.families.push(family);
            }
            true
        }),
        "severity" => {
            let severity = EventSeverity::from_word(value);
            set(&mut log.severity, severity.filter(|severity| LOG_SEVERITIES.contains(severity)))
        }
        "only-node" => set_text(&mut log.node, value),
        "only-attempt" => set(&mut log.attempt, value.parse().ok()),
        "runs" if value == "all" && !log.all_runs => {
            log.all_runs = true;
            true
        }
        _ => false,
    }
}

fn write_log_parts(log: &LogQuery, parts: &mut Serializer<'_, String>) {
    let LogQuery { search, families, severity, node, attempt, all_runs } = log;
    if !search.is_empty() {
        parts.append_pair("text", search);
    }
    for family in families {
        parts.append_pair("family", family.as_str());
    }
    if let Some(severity) = severity {
        parts.append_pair("severity", severity.as_str());
    }
    if let Some(node) = node {
        parts.append_pair("only-node", node);
    }
    if let Some(attempt) = attempt {
        parts.append_pair("only-attempt", &attempt.to_string());
    }
    if *all_runs {
        parts.append_pair("runs", "all");
    }
}

/// Sets a part that is not set yet. Returns whether it was set.
fn set<T>(part: &mut Option<T>, value: Option<T>) -> bool {
    let is_new = part.is_none() && value.is_some();
    if is_new {
        *part = value;
    }
    is_new
}

fn set_text(part: &mut Option<String>, value: &str) -> bool {
    set(part, Some(value.to_owned()).filter(|value| !value.is_empty()))
}

impl std::fmt::Display for Place {
    /// Writes the parts that differ from the default, percent-encoded.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut parts = Serializer::new(String::new());
        if let Some(run) = &self.run {
            parts.append_pair("run", run);
        }
        if let Some(NodeKey { node_id, iteration }) = &self.node {
            parts.append_pair("node", node_id);
            if *iteration > 0 {
                parts.append_pair("it", &iteration.to_string());
            }
        }
        if let Some(view) = self.view {
            parts.append_pair("view", view.as_str());
        }
        if !self.tree.search.is_empty() {
            parts.append_pair("find", &self.tree.search);
        }
        for filter in &self.tree.filters {
            parts.append_pair("filter", filter.as_str());
        }
        write_log_parts(&self.log, &mut parts);
        let RunQuery { search, states, system, sort, folded: _ } = &self.query;
        if !search.is_empty() {
            parts.append_pair("q", search);
        }
        for state in states {
            parts.append_pair("state", state);
        }
        if let Some(system) = system {
            parts.append_pair("system", system.as_str());
        }
        if *sort != RunSort::default() {
            parts.append_pair("sort", sort.as_str());
        }
        formatter.write_str(&parts.finish())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Place, PlaceView};
    use crate::ingest::System;
    use crate::smithers::wire::EventSeverity;
    use crate::viewer::{Family, LogQuery, NodeFilter, NodeKey, RunQuery, RunSort, TreeQuery};
    use crate::word::Vocabulary;

    prop_compose! {
        fn log_queries()(
            search in "\\PC{0,20}",
            families in proptest::sample::subsequence(Family::ALL.to_vec(), 0..=Family::ALL.len()).prop_shuffle(),
            severity in proptest::sample::select(vec![None, Some(EventSeverity::Error), Some(EventSeverity::Warning)]),
            node in proptest::option::of(".{1,12}"),
            attempt in proptest::option::of(any::<u32>()),
            all_runs: bool,
        ) -> LogQuery {
            LogQuery { search: search.trim().to_owned(), families, severity, node, attempt, all_runs }
        }
    }

    prop_compose! {
        fn places()(
            run in proptest::option::of("\\PC{1,20}|[&=#%+?;/ ]{1,9}"),
            node in proptest::option::of((".{1,12}", any::<u32>())),
            view in proptest::option::of(proptest::sample::select(PlaceView::ALL.to_vec())),
            find in "\\PC{0,20}",
            filters in proptest::sample::subsequence(NodeFilter::ALL.to_vec(), 0..=NodeFilter::ALL.len()).prop_shuffle(),
            log in log_queries(),
            search in ".{0,20}",
            states in proptest::collection::btree_set(".{1,9}", 0..4),
            system in proptest::sample::select(vec![None, Some(System::Smithers), Some(System::Lionagi), Some(System::Conductor)]),
            sort in proptest::sample::select(vec![RunSort::Attention, RunSort::Updated, RunSort::Started, RunSort::Name]),
        ) -> Place {
            let node = node.map(|(node_id, iteration)| NodeKey { node_id, iteration });
            let states = states.into_iter().collect();
            let tree = TreeQuery { search: find.trim().to_owned(), filters };
            Place { run, node, view, tree, log, query: RunQuery { search, states, system, sort, folded: Vec::new() } }
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_again(place in places()) {
            let text = place.to_string();
            prop_assert_eq!(Place::parse(&text), (place, Vec::new()));
            prop_assert!(text.chars().all(|letter| letter.is_ascii_graphic() && letter != '#'), "{}", text);
        }

        #[test]
        fn any_text_is_read_and_what_is_read_is_written_the_same_way(text in ".{0,60}") {
            let place = Place::parse(&text).0;
            let written = place.to_string();
            prop_assert_eq!(Place::parse(&written).0.to_string(), written);
        }
    }

    #[test]
    fn nothing_is_an_empty_text() {
        for text in ["", "&", "=", "&&=&", "run=", "run", "node=&q=", "sort=attention"] {
            assert_eq!(Place::parse(text).0.to_string(), "", "{text:?}");
        }
    }

    #[test]
    fn invalid_and_unknown_parts_are_named_and_change_nothing() {
        for part in [
            "token=abc",
            "gateway=ws%3A%2F%2Fevil.example",
            "it=-1",
            "it=x",
            "it=4294967296",
            "system=Smithers",
            "sort=newest",
            "filter=Failed",
            "filter=",
            "RUN=a",
            "state=",
            "run=second",
            "view=log",
            "view=Tree",
            "view=",
            "family=Node",
            "family=node,approval",
            "family=",
            "severity=info",
            "severity=high",
            "only-node=",
            "only-attempt=-1",
            "only-attempt=x",
            "runs=2",
            "runs=",
        ] {
            let name = part.split('=').next().unwrap_or_default();
            let (place, ignored) = Place::parse(&format!("run=first&{part}"));
            assert_eq!((place.to_string().as_str(), ignored), ("run=first", vec![name.to_owned()]), "{part}");
        }
        assert_eq!(Place::parse("it=3").0, Place::default(), "an iteration without a node");
    }

    #[test]
    fn the_tree_and_the_events_are_named_if_they_were_chosen() {
        for (text, view) in
            [("view=tree", Some(PlaceView::Tree)), ("view=events", Some(PlaceView::Events)), ("", None)]
        {
            let (place, ignored) = Place::parse(text);
            assert_eq!((place.view, place.to_string().as_str(), ignored), (view, text, Vec::new()));
        }
        assert_eq!(Place::parse("view=tree&view=events").1, ["view"], "the first one counts");
    }

    #[test]
    fn the_query_of_the_tree_is_apart_from_that_of_the_list() {
        let (place, ignored) =
            Place::parse("find=+eu+west+&filter=failed&filter=running&filter=failed&q=release&find=b");
        assert_eq!((place.tree.search.as_str(), place.query.search.as_str()), ("eu west", "release"));
        assert_eq!(place.tree.filters, [NodeFilter::Failed, NodeFilter::Running]);
        assert_eq!(ignored, ["find"]);
        assert_eq!(place.to_string(), "find=eu+west&filter=failed&filter=running&q=release");
    }

    #[test]
    fn the_query_of_the_events_is_apart_from_those_of_the_tree_and_the_list() {
        let text = "view=events&text=+disk+full+&family=node&family=approval&family=node&severity=warning&severity=error\
                    &only-node=eu+west&only-attempt=2&runs=all&runs=all&find=a&q=b&text=c";
        let (place, ignored) = Place::parse(text);
        let log = LogQuery {
            search: "disk full".to_owned(),
            families: vec![Family::Node, Family::Approval],
            severity: Some(EventSeverity::Warning),
            node: Some("eu west".to_owned()),
            attempt: Some(2),
            all_runs: true,
        };
        assert_eq!((place.log.clone(), &*place.tree.search, &*place.query.search), (log, "a", "b"));
        assert_eq!(ignored, ["severity", "runs", "text"]);
        assert_eq!(
            place.to_string(),
            "view=events&find=a&text=disk+full&family=node&family=approval&severity=warning&only-node=eu+west&only-attempt=2\
             &runs=all&q=b"
        );
    }

    #[test]
    fn broken_escapes_are_read_as_text() {
        for (text, run) in [
            ("run=%", "%"),
            ("run=%4", "%4"),
            ("run=%zz", "%zz"),
            ("run=%FF", "\u{fffd}"),
            ("run=a+b", "a b"),
        ] {
            assert_eq!(Place::parse(text).0.run.as_deref(), Some(run), "{text}");
        }
    }

    #[test]
    fn folded_groups_are_not_part_of_it() {
        let query = RunQuery { folded: vec![crate::viewer::Attention::Ended.into()], ..RunQuery::default() };
        assert_eq!(Place { query, ..Place::default() }.to_string(), "");
    }
}
