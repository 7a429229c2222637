//! The files of a step: manifest, gate, decision of the planner, policy. Each visit overwrites those of the visit before.

use crate::conductor::derive::{ConductorRun, Visit};
use crate::header::Field;
use crate::json::{Slice, fields, items};
use crate::viewer::missing::Missing;
use crate::viewer::node::shown_value::NamedTexts;
use crate::viewer::node::text_list::{MAX_LISTED, text_list};

/// The files whose content is shown, each with its name in the raw JSON.
const FILES: [(&str, &str); 7] = [
    ("manifest.json", "manifest"),
    ("gate_request.json", "gate_request"),
    ("gate_outcome.json", "gate_outcome"),
    ("planner_decision.json", "planner_decision"),
    ("policy_summary.json", "policy_summary"),
    ("runner_metadata.json", "runner_metadata"),
    ("workspace_status.json", "workspace_status"),
];
const MANIFEST: &str = "manifest";

/// The files that describe one visit of a step.
pub(super) struct VisitFiles {
    /// The contents by their names.
    pub(super) texts: NamedTexts,
    /// Why a file is not there.
    pub(super) missing: Option<Missing>,
}

impl VisitFiles {
    /// The files of a visit. A manifest is written when a visit ends; the other files are written in between and do not say of
    /// which visit they are.
    pub(super) fn new(run: &ConductorRun, visit: &Visit) -> Self {
        let of_step = || run.visits.iter().filter(|other| other.step_id == visit.step_id);
        let last = of_step().map(|visit| visit.attempt).max();
        let described = of_step().filter(|visit| visit.failed.is_some()).map(|visit| visit.attempt).max();
        let has_manifest = described == Some(visit.attempt);
        let has_others = last == Some(visit.attempt) && (has_manifest || described.is_none());
        let find = |(file, name): &(&str, &'static str)| {
            let is_shown = if *name == MANIFEST { has_manifest } else { has_others };
            let mut files = run.step_texts.iter().filter(|_| is_shown);
            let found = files.find(|text| text.step_id == visit.step_id && text.file == *file)?;
            Some((*name, found.json.clone()))
        };
        let texts: NamedTexts = FILES.iter().filter_map(find).collect();
        let lacks_manifest = has_manifest && texts.first().is_none_or(|(name, _)| *name != MANIFEST);
        let missing = match described {
            Some(other) if visit.failed.is_some() && other > visit.attempt => {
                Some(Missing::Manifest { visit: other })
            }
            Some(_) if !has_manifest => Some(Missing::StepFiles),
            Some(_) | None => lacks_manifest.then_some(Missing::NoManifest),
        };
        Self { texts, missing }
    }

    fn read<const N: usize>(&self, file: &str, names: [&'static str; N]) -> [Option<Slice<'_>>; N] {
        let text = self.texts.iter().find(|(name, _)| *name == file).map(|(_, text)| text);
        let found = text.and_then(|text| fields(Slice::new(text), names).ok()).unwrap_or([None; N]);
        found.map(|value| value.filter(|value| value.json() != "null"))
    }

    fn word(&self, file: &str, name: &'static str) -> Option<String> {
        self.read(file, [name])[0]?.text()
    }

    /// The opcode and how the visit ended, by its manifest.
    pub(super) fn manifest(&self) -> [Option<String>; 2] {
        self.read(MANIFEST, ["opcode", "termination"]).map(|word| word?.text())
    }

    /// What the files say besides the manifest's opcode and termination.
    pub(super) fn fields(&self) -> [Option<Field>; 9] {
        let [blockers, flags] = self.read("planner_decision", ["blockers", "risk_flags"]).map(texts);
        let next = self.word("planner_decision", "next_step");
        let next = next.map(|next| format!("{next} (the kernel does not follow it)"));
        [
            Field::code("gate", "Gate", self.word("gate_request", "gate")),
            Field::code("gateOutcome", "Gate’s outcome", self.word("gate_outcome", "outcome")),
            Field::code("decision", "Planner’s status", self.word("planner_decision", "status")),
            Field::text("plannedStep", "Planner’s next step", next),
            Field::text("fix", "Planner’s instructions", self.word("planner_decision", "fix_instructions")),
            Field::text("blockers", "Blockers", blockers),
            Field::text("riskFlags", "Risk flags", flags),
            Field::text("policy", "Policy", self.policy()),
            Field::text("artifacts", "Artifacts", self.artifacts()),
        ]
    }

    /// The policy that was in effect, with its violations.
    fn policy(&self) -> Option<String> {
        let [effective, violations] = self.read("policy_summary", ["effective_policy", "violations"]);
        let names = ["execution_posture", "network_posture", "approval_posture"];
        let [execution, network, approval] = fields(effective?, names).ok()?;
        let word =
            |word: Option<Slice<'_>>| word.and_then(Slice::text).unwrap_or_else(|| "not set".to_owned());
        let mut parts = vec![
            word(execution),
            format!("network {}", word(network)),
            format!("approval {}", word(approval)),
        ];
        let violations = violations.and_then(|list| items(list).ok()).into_iter().flatten().flatten();
        for violation in violations.take(MAX_LISTED) {
            let [class, message] = fields(violation, ["violation_class", "message"]).unwrap_or_default();
            let texts = [class, message].map(|text| text.and_then(Slice::text).unwrap_or_default());
            parts.push(format!("violation {}: {}", texts[0], texts[1]));
        }
        Some(parts.join("; "))
    }

    /// The artifacts by their roles, and the path of each.
    fn artifacts(&self) -> Option<String> {
        let list = items(self.read(MANIFEST, ["artifacts"])[0]?).ok()?;
        let artifact = |artifact: Slice<'_>| {
            let [role, path, required] = fields(artifact, ["role", "path", "required"]).ok()?;
            let optional =
                if required.is_some_and(|it| it.json() == "false") { ", not required" } else { "" };
            Some(format!("{} ({}{optional})", role?.text()?, path?.text()?))
        };
        text_list(list.filter_map(|found| artifact(found.ok()?)).collect())
    }
}

/// The texts of a list.
fn texts(list: Option<Slice<'_>>) -> Option<String> {
    text_list(items(list?).ok()?.filter_map(|text| text.ok()?.text()).collect())
}
