//! Everything that was told, joined: one run in view, or a list to choose from.

use super::run_builder::RunBuilder;
use super::supplement::Supplement;
use super::{Collector, Statement, TimedStatement, When};
use std::collections::{BTreeMap, HashMap};

use crate::refusal::Refusal;
use crate::run::{Inspection, Recognised, RunInspection, Verdict};
use crate::smithers::wire::NodeStatus;
use crate::text::concat;
use crate::time::Millis;

/// The runs in the order in which they were named first.
#[derive(Default)]
struct Boards {
    runs: Vec<RunBuilder>,
    /// Where each run is.
    places: BTreeMap<String, u64>,
    refusal: Option<Refusal>,
    /// Answers of `listNodeStates` that do not tell their run, in the order of time.
    nameless: Vec<Vec<NodeStatus>>,
    /// What tells something of a run and does not say of which.
    parts: Vec<(Supplement, When)>,
    /// A list was read, even if it is empty.
    listed: bool,
}

impl Collector {
    /// Joins what was told. `now` is for what has no time of its own.
    pub(crate) fn join(mut self, now: Millis) -> Inspection {
        let mut boards = Boards::default();
        for TimedStatement { when, statement } in in_order_of_time(std::mem::take(&mut self.statements)) {
            boards.take(statement, when, now);
        }
        boards.settle_nameless(&mut self);
        boards.settle_parts(&mut self);
        boards.settle_continuations();
        for board in &boards.runs {
            if board.unfit > 0 {
                let run = board.run.run_id.as_deref().unwrap_or_default();
                self.note(format!(
                    "{} deltas of {run} do not fit its snapshot and were left out.",
                    board.unfit
                ));
            }
            if let Some(problem) = board.doubt() {
                self.note(problem);
            }
        }
        let recognised = match (self.traffic, self.documents, self.frames) {
            (true, _, _) => Recognised::Traffic,
            (false, 0, true) => Recognised::Capture,
            (false, 0, false) => Recognised::EventLog,
            (false, _, _) => Recognised::Answers,
        };
        let problems = self.take_problems();
        boards.choose(recognised, problems)
    }
}

/// What was told in the order of time. What has no time stays behind what the same piece told before it.
fn in_order_of_time(statements: Vec<TimedStatement>) -> Vec<TimedStatement> {
    let (mut last, mut piece) = (f64::NEG_INFINITY, 0);
    let mut timed: Vec<(f64, TimedStatement)> = Vec::with_capacity(statements.len());
    for one in statements {
        let before = if one.when.piece == piece { last } else { f64::NEG_INFINITY };
        last = one.when.at.map_or(before, |at| at.0);
        piece = one.when.piece;
        timed.push((last, one));
    }
    if !timed.is_sorted_by(|(a, _), (b, _)| a <= b) {
        timed.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    }
    timed.into_iter().map(|(_, one)| one).collect()
}

impl Boards {
    fn of(&mut self, run_id: &str) -> &mut RunBuilder {
        let next = self.runs.len() as u64;
        let place = *self.places.entry(run_id.to_owned()).or_insert(next);
        if place == next {
            self.runs.push(RunBuilder::new(run_id));
        }
        &mut self.runs[place as usize]
    }

    fn take(&mut self, statement: Statement, when: When, now: Millis) {
        let at = when.at;
        match statement {
            Statement::Run(run) => self.of(&id(&run)).take_answer(*run, when),
            Statement::Status(run) => self.of(&id(&run)).take_status(*run, when),
            Statement::Listed(rows) => {
                self.listed = true;
                for row in rows {
                    self.of(&id(&row)).take_listed(row, when);
                }
            }
            Statement::Snapshot { run, old } => self.of(&id(&run)).take_snapshot(*run, old, when),
            Statement::Delta { run_id, delta } => self.of(&run_id).take_delta(&delta),
            Statement::Nodes { run_id: Some(run_id), rows } => self.of(&run_id).take_nodes(rows, at),
            Statement::Nodes { run_id: None, rows } => self.nameless.push(rows),
            Statement::Supplement(part) => match &part.run.run_id {
                Some(run_id) => {
                    let board = self.of(&run_id.clone());
                    board.take_part(*part, when);
                }
                None => self.parts.push((*part, when)),
            },
            Statement::Crossed { run_id, boundary } => self.of(&run_id).run.boundary = Some(boundary),
            Statement::Node { run_id, node } => self.of(&run_id).take_node(node, at),
            Statement::Logged { run, from_nodes } => self.of(&id(&run)).take_log(*run, from_nodes),
            Statement::Ended { run_id, status, read_from } => {
                self.of(&run_id).end(&status, &read_from, at.unwrap_or(now));
            }
            Statement::Jumped { run_id } => self.of(&run_id).jump(),
            Statement::Refused(refusal) => self.refusal = Some(refusal),
        }
    }

    /// Node states without a run are those of the only run that was asked about.
    fn settle_nameless(&mut self, heard: &mut Collector) {
        let lists = std::mem::take(&mut self.nameless);
        let mut asked_for = self.runs.iter_mut().filter(|board| board.asked_for);
        match (asked_for.next(), asked_for.next()) {
            (Some(board), None) => lists.into_iter().for_each(|rows| board.take_nodes(rows, None)),
            (_, _) => {
                for _ in lists {
                    heard.note("A list of node states does not say which run it is about.".to_owned());
                }
            }
        }
    }

    /// What does not say its run is of the only one that there is; alone it is of a run without a name.
    fn settle_parts(&mut self, heard: &mut Collector) {
        let mut parts = std::mem::take(&mut self.parts).into_iter();
        if self.runs.is_empty()
            && let Some((part, when)) = parts.next()
        {
            let mut board = RunBuilder::default();
            board.asked_for = true;
            board.take_part(part, when);
            self.runs.push(board);
        }
        let asked_for = self.runs.iter().filter(|board| board.asked_for).count();
        let only = self.runs.len() == 1;
        let mut named = self.runs.iter_mut().filter(|board| board.run.run_id.is_some());
        let mut board = named.find(|board| only || asked_for == 1 && board.asked_for);
        for (part, when) in parts {
            match &mut board {
                Some(board) => board.take_part(part, when),
                None => heard.note(concat(&[&part.read_from, ": it does not say which run it is about."])),
            }
        }
    }

    /// A run that goes on in another one: the run that it started when it ended, or the only one that it started.
    fn settle_continuations(&mut self) {
        let mut children: HashMap<&str, Vec<&RunBuilder>> = HashMap::new();
        for board in &self.runs {
            if let Some(parent) = board.parent_run_id() {
                children.entry(parent).or_default().push(board);
            }
        }
        let mut next_runs = Vec::new();
        for (place, board) in self.runs.iter().enumerate() {
            let run = &board.run;
            let open = run.continued && run.continued_as.is_none();
            let own = run.run_id.as_deref().filter(|_| open).and_then(|run_id| children.get(run_id));
            let mut started = own.into_iter().flatten().filter(|child| !child.began_before_the_end_of(run));
            if let (Some(next), None) = (started.next(), started.next()) {
                next_runs.push((place, next.run.run_id.clone()));
            }
        }
        for (place, next) in next_runs {
            self.runs[place].run.continued_as = next;
        }
    }

    /// The one run that was asked about is in view; else the runs are a list.
    fn choose(self, recognised: Recognised, problems: Vec<String>) -> Inspection {
        let Self { runs: boards, refusal, listed, .. } = self;
        let asked_for = boards.iter().filter(|board| board.asked_for).count();
        let only = boards.len() == 1 && !listed;
        let (mut run, mut runs) = (None, Vec::new());
        for board in boards {
            let in_view = asked_for == 1 && board.asked_for || only;
            let found = board.finish();
            if in_view { run = Some(found) } else { runs.push(found) }
        }
        let nothing = run.is_none() && runs.is_empty() && !listed;
        let recognised = match (&run, recognised) {
            (None, _) if nothing => Recognised::ErrorResponse,
            (None, Recognised::Answers) => Recognised::RunList,
            (_, recognised) => recognised,
        };
        Inspection { recognised, run, runs, refusal: refusal.filter(|_| nothing), problems }
    }
}

impl Inspection {
    /// Whether nobody else's document could be taken for this: the server itself named the state, or the structure is there.
    pub(crate) fn is_certain(&self) -> bool {
        let run = self.run.as_ref();
        run.is_some_and(|run| run.tree.is_some() || matches!(run.verdict, Verdict::Said { .. }))
    }

    /// Whether all that was told comes to nothing.
    pub(crate) fn is_nothing(&self) -> bool {
        self.recognised == Recognised::ErrorResponse && self.refusal.is_none()
    }
}

fn id(run: &RunInspection) -> String {
    run.run_id.clone().unwrap_or_default()
}
