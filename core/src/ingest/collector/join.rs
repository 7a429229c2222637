//! Joins the statements to one run in view or to a list of runs.

mod live;

pub(crate) use live::{Channel, LiveRuns};

use super::{Collector, Statement, TimedStatement};
use crate::problem::{Problem, Problems};
use std::collections::{BTreeMap, HashMap};

use crate::refusal::Refusal;
use crate::run::newest::StatementTime;
use crate::run::{DocumentKind, Fact, Inspection, RunBuilder, RunInspection, Supplement};
use crate::smithers::wire::NodeStatus;
use crate::text::concat;
use crate::time::Millis;

/// The runs in the order of their first statements.
#[derive(Default)]
pub(super) struct Runs {
    builders: Vec<RunBuilder>,
    /// The index of each run in `builders`.
    places: BTreeMap<String, u64>,
    refusal: Option<Refusal>,
    /// Responses of `listNodeStates` that do not name a run, in chronological order.
    unassigned_nodes: Vec<Vec<NodeStatus>>,
    /// Supplements that do not name a run.
    supplements: Vec<(Box<Supplement>, StatementTime)>,
    /// Whether a list was read, even an empty one.
    has_list: bool,
}

impl Collector {
    /// Joins the statements. `now` is the time of statements without a time.
    pub(crate) fn join(mut self, now: Millis) -> Inspection {
        let statements = sort_by_time(std::mem::take(&mut self.statements));
        let mut runs = Runs::default();
        for TimedStatement { time, statement, .. } in statements {
            runs.take(statement, time, now);
        }
        runs.assign_node_states(&mut self, now);
        runs.assign_supplements(&mut self, now);
        runs.link_continuations();
        for builder in &runs.builders {
            if builder.unapplied_deltas > 0 {
                let run = builder.run.run_id.as_deref().unwrap_or_default();
                self.problems.add(Problem::new(format!(
                    "{} deltas of {run} do not fit its snapshot and were omitted.",
                    builder.unapplied_deltas
                )));
            }
            if let Some(problem) = builder.contradiction() {
                self.problems.add(Problem::new(problem));
            }
        }
        let Runs { builders, refusal, has_list, .. } = runs;
        let only = builders.len() == 1 && !has_list;
        let mut requested = (0..builders.len()).filter(|place| only || builders[*place].is_requested);
        let in_view = requested.next().filter(|_| requested.next().is_none());
        drop(requested);
        let nothing = builders.is_empty() && !has_list;
        let mut runs: Vec<RunInspection> = builders.into_iter().map(RunBuilder::finish).collect();
        let run = in_view.map(|place| runs.remove(place));
        let inspection = self.inspection(runs, run);
        if nothing {
            return Inspection { kind: DocumentKind::ErrorResponse, refusal, ..inspection };
        }
        inspection
    }

    /// Makes the inspection of runs that are only in event logs, without these runs.
    pub(crate) fn list_of_logs(self) -> Inspection {
        self.inspection(Vec::new(), None)
    }

    /// Makes the inspection of a run in view or a list of runs.
    fn inspection(self, runs: Vec<RunInspection>, run: Option<RunInspection>) -> Inspection {
        let kind = match (self.has_traffic, self.documents, self.has_frames) {
            (true, _, _) => DocumentKind::Traffic,
            (false, 0, true) => DocumentKind::Capture,
            (false, 0, false) => DocumentKind::EventLog,
            (false, _, _) if run.is_none() => DocumentKind::RunList,
            (false, _, _) => DocumentKind::Answers,
        };
        Inspection { kind, run, runs, refusal: None, problems: self.problems }
    }
}

impl Collector {
    /// Takes the only document of a single piece as it is: there is nothing to join it with, its kind is that of the
    /// document, and its problems need no name of a file.
    pub(crate) fn take_only_answer(&mut self) -> Option<Inspection> {
        let is_alone =
            self.documents == 1 && self.statements.len() <= 1 && !self.has_frames && !self.has_traffic;
        let (kind, problems) = self.answer.take().filter(|_| is_alone)?;
        let (mut run, mut runs, mut refusal) = (None, Vec::new(), None);
        match self.statements.pop().map(|only| only.statement) {
            Some(Statement::Fact {
                fact: Fact::Answer(only) | Fact::Status(only) | Fact::Snapshot { run: only, .. },
                ..
            }) => run = Some(*only),
            Some(Statement::Rows(rows)) => runs = rows,
            Some(Statement::Refusal(only)) => refusal = Some(only),
            Some(_) | None => {}
        }
        self.problems = Problems::default();
        Some(Inspection { kind, run, runs, refusal, problems })
    }
}

/// Sorts the statements by time. A statement without a time stays behind the preceding statement of its piece.
fn sort_by_time(mut statements: Vec<TimedStatement>) -> Vec<TimedStatement> {
    let (mut last, mut piece) = (f64::NEG_INFINITY, 0);
    for one in &mut statements {
        let before = if one.time.piece == piece { last } else { f64::NEG_INFINITY };
        last = one.time.at.map_or(before, |at| at.0);
        (piece, one.order) = (one.time.piece, last);
    }
    if !statements.is_sorted_by(|a, b| a.order <= b.order) {
        statements.sort_by(|a, b| a.order.total_cmp(&b.order));
    }
    statements
}

impl Runs {
    fn builder(&mut self, run_id: &str) -> &mut RunBuilder {
        let next = self.builders.len() as u64;
        let place = *self.places.entry(run_id.to_owned()).or_insert(next);
        if place == next {
            self.builders.push(RunBuilder::new(run_id));
        }
        &mut self.builders[place as usize]
    }

    fn take(&mut self, statement: Statement, when: StatementTime, now: Millis) {
        match statement {
            Statement::Fact { run_id, fact } => self.builder(&run_id).apply(fact, when, now),
            Statement::Rows(rows) => {
                self.has_list = true;
                for row in rows {
                    let run_id = row.run_id.clone().unwrap_or_default();
                    self.builder(&run_id).apply(Fact::Listed(Box::new(row)), when, now);
                }
            }
            Statement::Nodes(rows) => self.unassigned_nodes.push(rows),
            Statement::Supplement(supplement) => self.supplements.push((supplement, when)),
            Statement::Refusal(refusal) => self.refusal = Some(refusal),
        }
    }

    /// Assigns node states that do not name a run to the only requested run.
    fn assign_node_states(&mut self, collector: &mut Collector, now: Millis) {
        let lists = std::mem::take(&mut self.unassigned_nodes);
        let mut requested = self.builders.iter_mut().filter(|builder| builder.is_requested);
        match (requested.next(), requested.next()) {
            (Some(builder), None) => {
                let when = StatementTime::default();
                for rows in lists {
                    builder.apply(Fact::Nodes(rows), when, now);
                }
            }
            (_, _) => {
                for _ in lists {
                    let message = "A list of node states does not say which run it is about.";
                    collector.problems.add(Problem::new(message));
                }
            }
        }
    }

    /// Assigns supplements that do not name a run to the only run; if no run is known, to a run without an id.
    fn assign_supplements(&mut self, collector: &mut Collector, now: Millis) {
        let mut supplements = std::mem::take(&mut self.supplements).into_iter();
        if self.builders.is_empty()
            && let Some((supplement, when)) = supplements.next()
        {
            let mut builder = RunBuilder::default();
            builder.is_requested = true;
            builder.apply(Fact::Supplement(supplement), when, now);
            self.builders.push(builder);
        }
        let requested = self.builders.iter().filter(|builder| builder.is_requested).count();
        let only = self.builders.len() == 1;
        let mut named = self.builders.iter_mut().filter(|builder| builder.run.run_id.is_some());
        let mut builder = named.find(|builder| only || requested == 1 && builder.is_requested);
        for (supplement, when) in supplements {
            match &mut builder {
                Some(builder) => builder.apply(Fact::Supplement(supplement), when, now),
                None => collector.problems.add(Problem::new(concat(&[
                    &supplement.read_from,
                    ": it does not say which run it is about.",
                ]))),
            }
        }
    }

    /// Links a run to the run that continues it: the run that it started when it ended, or the only run that it
    /// started.
    fn link_continuations(&mut self) {
        let mut children: HashMap<&str, Vec<&RunBuilder>> = HashMap::new();
        for builder in &self.builders {
            if let Some(parent) = builder.parent_run_id() {
                children.entry(parent).or_default().push(builder);
            }
        }
        let mut next_runs = Vec::new();
        for (place, builder) in self.builders.iter().enumerate() {
            let run = &builder.run;
            let open = run.continued && run.continued_as.is_none();
            let own = run.run_id.as_deref().filter(|_| open).and_then(|run_id| children.get(run_id));
            let mut started = own.into_iter().flatten().filter(|child| !child.was_created_before_end_of(run));
            if let (Some(next), None) = (started.next(), started.next()) {
                next_runs.push((place, next.run.run_id.clone()));
            }
        }
        for (place, next) in next_runs {
            self.builders[place].run.continued_as = next;
        }
    }
}

impl Inspection {
    /// Whether the document certainly belongs to Smithers: the server named the state, or the document contains a tree.
    pub(crate) fn is_certain(&self) -> bool {
        let run = self.run.as_ref();
        run.is_some_and(|run| {
            run.tree.is_some() || run.verdict.as_ref().is_some_and(|verdict| !verdict.is_derived())
        })
    }

    /// Whether the statements have no content.
    pub(crate) fn is_nothing(&self) -> bool {
        self.kind == DocumentKind::ErrorResponse && self.refusal.is_none()
    }
}
