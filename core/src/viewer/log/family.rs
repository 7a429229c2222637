//! The families of events, the same for all systems.

use crate::conductor::wire::ConductorEventType;
use crate::lionagi::wire::LaneState;
use crate::pill::Icon;
use crate::smithers::wire::Category;

crate::vocabulary! {
    /// A family of events, by which a log is filtered.
    ///
    /// ```
    /// use runstate::viewer::Family;
    /// use runstate::word::Vocabulary;
    ///
    /// assert_eq!(Family::from_word("approval").unwrap().label(), "Approval");
    /// ```
    pub enum Family ("family of events") {
        /// The run as a whole.
        Run = "run",
        /// A node or step.
        Node = "node",
        /// The decision of a person.
        Approval = "approval",
        /// A timer.
        Timer = "timer",
        /// A tool call or an agent’s work.
        Tool = "tool",
        /// Text of an agent.
        Output = "output",
        /// Tokens of a model.
        Tokens = "tokens",
        /// A frame or snapshot.
        Frame = "frame",
        /// A heartbeat.
        Heartbeat = "heartbeat",
        /// Anything else.
        Other = "other",
    }
}

impl Family {
    /// The name on screen.
    pub fn label(self) -> &'static str {
        match self {
            Self::Run => "Run",
            Self::Node => "Node",
            Self::Approval => "Approval",
            Self::Timer => "Timer",
            Self::Tool => "Tool",
            Self::Output => "Output",
            Self::Tokens => "Tokens",
            Self::Frame => "Frame",
            Self::Heartbeat => "Heartbeat",
            Self::Other => "Other",
        }
    }

    /// The icon of events that have none of their own.
    pub(super) fn icon(self) -> Icon {
        match self {
            Self::Run => Icon::Activity,
            Self::Node => Icon::Square,
            Self::Approval => Icon::Hand,
            Self::Timer => Icon::Clock,
            Self::Tool => Icon::Wrench,
            Self::Output => Icon::Pencil,
            Self::Tokens => Icon::Gauge,
            Self::Frame => Icon::Box,
            Self::Heartbeat => Icon::HeartPulse,
            Self::Other => Icon::CircleDashed,
        }
    }

    /// The family of a category of Smithers' events.
    pub(super) fn of_category(category: Category) -> Self {
        match category {
            Category::Run
            | Category::Supervisor
            | Category::TimeTravel
            | Category::Alert
            | Category::Reload => Self::Run,
            Category::Node => Self::Node,
            Category::Approval => Self::Approval,
            Category::Timer => Self::Timer,
            Category::Tool | Category::Sandbox => Self::Tool,
            Category::Output => Self::Output,
            Category::Tokens => Self::Tokens,
            Category::Frame => Self::Frame,
            Category::Heartbeat => Self::Heartbeat,
            Category::Memory | Category::Scorer | Category::Voice | Category::Foreign => Self::Other,
        }
    }

    /// The family of an event of tnh-conductor.
    pub(super) fn of_conductor(event: Option<ConductorEventType>) -> Self {
        match event {
            Some(
                ConductorEventType::StepStarted
                | ConductorEventType::StepWaiting
                | ConductorEventType::StepBlocked
                | ConductorEventType::StepCompleted
                | ConductorEventType::StepFailed,
            ) => Self::Node,
            Some(
                ConductorEventType::StatusUpdated
                | ConductorEventType::RouteSelected
                | ConductorEventType::RollbackCompleted,
            ) => Self::Run,
            Some(ConductorEventType::RunnerStarted | ConductorEventType::RunnerCompleted) => Self::Tool,
            Some(ConductorEventType::GateRequested | ConductorEventType::GateResolved) => Self::Approval,
            Some(ConductorEventType::ArtifactRecorded) => Self::Output,
            None => Self::Other,
        }
    }

    /// The family of a signal of lionagi. `state` is what it says about a node.
    pub(super) fn of_signal(kind: &str, state: Option<LaneState>) -> Self {
        match state {
            Some(LaneState::AwaitingApproval) => Self::Approval,
            Some(_) => Self::Node,
            None if kind.starts_with("Run") => Self::Run,
            None if kind.starts_with("Node") => Self::Node,
            None if kind.starts_with("Tool") => Self::Tool,
            None => Self::Other,
        }
    }
}
