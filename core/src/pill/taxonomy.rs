//! The vocabularies that have pills.

crate::vocabulary! {
    /// The vocabulary of a word. The same word can have different pills in different vocabularies.
    ///
    /// ```
    /// use runstate::pill::{Taxonomy, pill};
    ///
    /// assert_eq!(pill(Taxonomy::Run, "unknown").spoken, "Run state: unknown");
    /// assert_eq!(pill(Taxonomy::Health, "unknown").spoken, "Health: unknown");
    /// ```
    pub enum Taxonomy ("taxonomy") {
        /// `state` of a Smithers run.
        Run = "run",
        /// `blocked.kind` of a Smithers run.
        Blocked = "blocked",
        /// `unhealthy.kind` of a Smithers run.
        Unhealthy = "unhealthy",
        /// The state of a Smithers node.
        Node = "node",
        /// The freshness of the shown data.
        Freshness = "freshness",
        /// The status of a lionagi session.
        Session = "session",
        /// The health of a lionagi session.
        Health = "health",
        /// Status and health of a lionagi session in one word.
        Effective = "effective",
        /// Whether a lionagi session delivered.
        Delivery = "delivery",
        /// Health across kinds of lionagi sessions.
        NormalizedHealth = "normalized-health",
        /// A lionagi reviewer's verdict.
        Verdict = "verdict",
        /// A play of a lionagi show.
        Play = "play",
        /// A lionagi show.
        Show = "show",
        /// A node of the signals of a lionagi session.
        Lane = "lane",
        /// The life of a tnh-conductor run.
        Conductor = "conductor",
        /// How a tnh-conductor step ended.
        Termination = "termination",
        /// The decision of the tnh-conductor planner.
        Planner = "planner",
        /// The outcome of a tnh-conductor gate.
        Gate = "gate",
    }
}

impl Taxonomy {
    /// The name of the field, with which the spoken label begins.
    ///
    /// ```
    /// use runstate::pill::Taxonomy;
    ///
    /// assert_eq!(Taxonomy::Gate.field(), "Gate");
    /// assert_eq!(Taxonomy::Conductor.field(), "Run");
    /// ```
    pub fn field(self) -> &'static str {
        match self {
            Self::Run => "Run state",
            Self::Blocked => "Blocked by",
            Self::Unhealthy => "Unhealthy",
            Self::Node | Self::Lane => "Node",
            Self::Freshness => "Freshness",
            Self::Session => "Status",
            Self::Health | Self::NormalizedHealth => "Health",
            Self::Effective => "State",
            Self::Delivery => "Delivery",
            Self::Verdict => "Verdict",
            Self::Play => "Play",
            Self::Show => "Show",
            Self::Conductor => "Run",
            Self::Termination => "Outcome",
            Self::Planner => "Decision",
            Self::Gate => "Gate",
        }
    }
}
