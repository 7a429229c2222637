//! What the detail of a session says: why it has its state, its agent, cost and tokens, artifacts, and dispositions.

use crate::evidence::{Signal, Value};
use crate::format;
use crate::header::Field;
use crate::json::{Slice, fields, items};
use crate::lionagi::wire::{Seconds, SessionRow};
use crate::run::lionagi::SessionInspection;
use crate::time::Millis;
use crate::viewer::missing::Missing;
use crate::viewer::node::text_list::text_list;

const NOT_REPORTED: &str = "not reported";

/// The name of the time of the end, which a row can contain although its session runs.
fn end_label(row: &SessionRow) -> &'static str {
    match (row.status.is_terminal(), row.ended_at_is_approximate) {
        (false, _) => "End in the row",
        (true, true) => "Ended, about",
        (true, false) => "Ended",
    }
}

/// The fields of a session, and what is missing of them.
pub(super) struct SessionFields {
    pub(super) fields: Vec<Field>,
    pub(super) missing: Vec<Missing>,
}

impl SessionFields {
    pub(super) fn new(session: &SessionInspection, now: Millis) -> Self {
        let row = &session.row;
        let at = |time: Option<Seconds>| time.map(Seconds::to_millis);
        let ended_at = at(row.ended_at.at());
        let has_duration = row.status.is_terminal() && !row.ended_at_is_approximate;
        let took = at(row.started_at)
            .zip(ended_at.filter(|_| has_duration))
            .map(|(from, to)| format::duration(to.since(from)));
        let detail = Detail::new(session);
        let mut all = vec![
            Field::code("reasonCode", "Reason code", row.reason_code.clone()),
            Field::text("reason", "Reason", row.reason_summary.clone()),
            Field::text("agent", "Agent", row.agent_name.clone()),
        ];
        for (name, label) in [("model", "Model"), ("provider", "Provider"), ("effort", "Effort")] {
            all.push(Field::text(name, label, detail.text(name)));
        }
        all.extend([
            Field::text("cost", "Cost", detail.reported("total_cost_usd", usd)),
            Field::text("tokens", "Tokens", detail.tokens()),
            Field::time("startedAt", "Started", at(row.started_at), now),
            Field::time("finishedAt", end_label(row), ended_at, now),
            Field::text("duration", "Took", took),
            Field::text("project", "Project", detail.text("project")),
            Field::text("tags", "Tags", detail.list("tags")),
            Field::text("files", "Files", detail.list("files")),
            Field::text(
                "artifactsExpected",
                "Artifacts expected",
                detail.artifacts("artifact_contract_json", "expected"),
            ),
            Field::text("artifactsVerified", "Artifacts verified", verified(session, &detail)),
        ]);
        let dispositions = session.evidence.inputs.iter().filter(|input| input.name == Signal::Attention);
        all.extend(dispositions.map(|input| match &input.value {
            Value::Text(words) => Field::text("disposition", "Disposition", Some(words.clone())),
            _ => None,
        }));
        let missing = [
            session.detail.is_none().then_some(Missing::SessionDetail),
            session
                .detail
                .as_ref()
                .is_some_and(|detail| detail.branches.is_none() && row.session_count.is_none())
                .then_some(Missing::Branches),
            row.started_at.is_none().then_some(Missing::Start),
        ];
        Self { fields: all.into_iter().flatten().collect(), missing: missing.into_iter().flatten().collect() }
    }
}

/// The document of a session, read field by field.
struct Detail<'a>(Option<Slice<'a>>);

impl<'a> Detail<'a> {
    fn new(session: &'a SessionInspection) -> Self {
        Self(session.detail.as_ref().map(|detail| Slice::new(&detail.json)))
    }

    fn get(&self, name: &'static str) -> Option<Slice<'a>> {
        fields(self.0?, [name]).ok()?[0]
    }

    fn text(&self, name: &'static str) -> Option<String> {
        self.get(name)?.text().filter(|text| !text.is_empty())
    }

    /// A number as text. For null, which lionagi writes for a number that was not reported, that; `None` if the document does
    /// not have the column.
    fn reported(&self, name: &'static str, text: fn(f64) -> String) -> Option<String> {
        let value = self.get(name)?;
        if value.json() == "null" { Some(NOT_REPORTED.to_owned()) } else { value.number().map(text) }
    }

    fn tokens(&self) -> Option<String> {
        let [input, output] =
            ["input_tokens", "output_tokens"].map(|name| self.reported(name, format::count));
        let (input, output) = (input?, output?);
        if input == NOT_REPORTED && output == NOT_REPORTED {
            return Some(input);
        }
        Some(format!("{input} in, {output} out"))
    }

    /// The texts of a list; objects by their `path` or `name`.
    fn list(&self, name: &'static str) -> Option<String> {
        text_list(texts(self.get(name)?))
    }

    /// A list of artifacts in a column that is an object, or a text of one.
    fn artifacts(&self, column: &'static str, member: &'static str) -> Option<String> {
        let column = self.get(column)?;
        match column.text() {
            Some(text) => text_list(texts(fields(Slice::from_text(&text).ok()?, [member]).ok()?[0]?)),
            None => text_list(texts(fields(column, [member]).ok()?[0]?)),
        }
    }
}

/// The result of the verification, with the artifacts that exist and those that do not.
fn verified(session: &SessionInspection, detail: &Detail<'_>) -> Option<String> {
    let contract = &session.row.contract;
    let word = contract.verification.as_ref()?.as_str().to_owned();
    let produced = detail.artifacts("artifact_verification_json", "produced");
    let list = |label: &str, ids: &[String]| text_list(ids.to_vec()).map(|ids| format!("{label} {ids}"));
    let parts = [
        Some(if contract.provisional { format!("{word}, provisional") } else { word }),
        produced.map(|produced| format!("produced {produced}")),
        list("missing", &contract.missing),
        list("removed since", &contract.removed),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    Some(parts.join("; "))
}

fn texts(list: Slice<'_>) -> Vec<String> {
    let text = |item: Slice<'_>| {
        let named = || {
            let [id, path, name] = fields(item, ["id", "path", "name"]).ok()?;
            id.or(path).or(name)?.text()
        };
        item.text().or_else(named)
    };
    items(list).into_iter().flatten().filter_map(|item| text(item.ok()?)).collect()
}

fn usd(cost: f64) -> String {
    format!("{cost} USD")
}
