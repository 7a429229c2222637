//! Errors of Smithers and their codes (seed 002 begins the list of codes, Smithers 0.32.0 has all).

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::word::Word;

/// An error in Smithers' rows, events and answers.
///
/// Seed 002 requires `summary` and `docsUrl`; errors that the released software wraps have only a message, so both are
/// optional.
///
/// ```
/// use runstate::smithers::wire::{SmithersError, SmithersErrorCategory, SmithersErrorCode};
///
/// let json = r#"{"code":"INVALID_INPUT","message":"No input. See …","summary":"No input."}"#;
/// let error: SmithersError = serde_json::from_str(json)?;
/// assert_eq!(error.code.known().map(SmithersErrorCode::category), Some(SmithersErrorCategory::Engine));
/// assert_eq!(error.summary(), "No input.");
/// assert_eq!(serde_json::to_string(&error)?, json);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct SmithersError {
    /// The code, of Smithers or of a host.
    pub code: Word<SmithersErrorCode>,
    /// The message.
    pub message: String,
    /// The message without the link.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<String>,
    /// A link to the documentation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub docs_url: Option<String>,
    /// Further details.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub details: Option<Value>,
    /// The cause.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<Value>,
    /// The class that was thrown (Smithers 0.32).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The stack trace (Smithers 0.32).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stack: Option<String>,
    /// Unknown fields, kept verbatim.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

impl SmithersError {
    /// The shortest sentence that describes the error.
    pub fn summary(&self) -> &str {
        self.summary.as_deref().unwrap_or(&self.message)
    }
}

macro_rules! codes {
    ($( $category:ident { $( $name:ident = $code:literal ),+ $(,)? } )+) => {
        crate::vocabulary! {
            /// The code of one of Smithers' own errors. Codes added by hosts are kept verbatim.
            ///
            /// ```
            /// use runstate::smithers::wire::{SmithersErrorCategory, SmithersErrorCode};
            /// use runstate::word::{Vocabulary, Word};
            ///
            /// let code = SmithersErrorCode::from_word("RUN_NOT_FOUND").unwrap();
            /// assert_eq!(code.category(), SmithersErrorCategory::Engine);
            /// // A host's own code is kept verbatim.
            /// assert_eq!(Word::<SmithersErrorCode>::new("MY_HOST_IS_FULL").as_str(), "MY_HOST_IS_FULL");
            /// ```
            pub enum SmithersErrorCode ("code of an error") {
                $($( #[doc = concat!("`", $code, "`, an error of the category ", stringify!($category), ".")] $name = $code ),+),+
            }
        }

        impl SmithersErrorCode {
            /// The part of Smithers in which the error occurs.
            pub fn category(self) -> SmithersErrorCategory {
                match self { $($( Self::$name )|+ => SmithersErrorCategory::$category ),+ }
            }
        }
    };
}

crate::vocabulary! {
    /// A part of Smithers in which errors occur.
    pub enum SmithersErrorCategory ("category of errors") {
        /// The engine, which runs workflows.
        Engine = "engine",
        /// The elements of workflows.
        Components = "components",
        /// The command line.
        Cli = "cli",
        /// Tools of agents.
        Tools = "tools",
        /// Agents.
        Agents = "agents",
        /// Integrations with other systems.
        Integrations = "integrations",
        /// The database.
        Database = "database",
        /// The library underneath.
        Effect = "effect",
        /// Code that is changed under a run.
        Hot = "hot",
        /// Scorers.
        Scorers = "scorers",
    }
}

codes! {
    Engine {
        InvalidInput = "INVALID_INPUT",
        MissingInput = "MISSING_INPUT",
        MissingInputTable = "MISSING_INPUT_TABLE",
        ResumeMetadataMismatch = "RESUME_METADATA_MISMATCH",
        UnknownOutputSchema = "UNKNOWN_OUTPUT_SCHEMA",
        InvalidOutput = "INVALID_OUTPUT",
        WorktreeCreateFailed = "WORKTREE_CREATE_FAILED",
        VcsNotFound = "VCS_NOT_FOUND",
        SnapshotNotFound = "SNAPSHOT_NOT_FOUND",
        TimeTravelSideEffectBlocked = "TIME_TRAVEL_SIDE_EFFECT_BLOCKED",
        VcsWorkspaceCreateFailed = "VCS_WORKSPACE_CREATE_FAILED",
        TaskTimeout = "TASK_TIMEOUT",
        TaskHijackUnsupported = "TASK_HIJACK_UNSUPPORTED",
        TaskForkSourceNotComplete = "TASK_FORK_SOURCE_NOT_COMPLETE",
        TaskForkSessionUnavailable = "TASK_FORK_SESSION_UNAVAILABLE",
        RunNotFound = "RUN_NOT_FOUND",
        NodeNotFound = "NODE_NOT_FOUND",
        SandboxBundleInvalid = "SANDBOX_BUNDLE_INVALID",
        SandboxBundleTooLarge = "SANDBOX_BUNDLE_TOO_LARGE",
        WorkflowExecutionFailed = "WORKFLOW_EXECUTION_FAILED",
        SandboxExecutionFailed = "SANDBOX_EXECUTION_FAILED",
        TaskHeartbeatTimeout = "TASK_HEARTBEAT_TIMEOUT",
        HeartbeatPayloadTooLarge = "HEARTBEAT_PAYLOAD_TOO_LARGE",
        HeartbeatPayloadNotJsonSerializable = "HEARTBEAT_PAYLOAD_NOT_JSON_SERIALIZABLE",
        TaskAborted = "TASK_ABORTED",
        RunCancelled = "RUN_CANCELLED",
        RunNotResumable = "RUN_NOT_RESUMABLE",
        RunOwnerAlive = "RUN_OWNER_ALIVE",
        RunStillRunning = "RUN_STILL_RUNNING",
        RunResumeClaimLost = "RUN_RESUME_CLAIM_LOST",
        RunResumeClaimFailed = "RUN_RESUME_CLAIM_FAILED",
        RunResumeActivationFailed = "RUN_RESUME_ACTIVATION_FAILED",
        AutoResumeGaveUp = "AUTO_RESUME_GAVE_UP",
        RunHijacked = "RUN_HIJACKED",
        ContinuationStateTooLarge = "CONTINUATION_STATE_TOO_LARGE",
        InvalidContinuationState = "INVALID_CONTINUATION_STATE",
        RalphMaxReached = "RALPH_MAX_REACHED",
        SchedulerError = "SCHEDULER_ERROR",
        SessionError = "SESSION_ERROR",
        TaskEmptyPrompt = "TASK_EMPTY_PROMPT",
        WorkflowRenderFailed = "WORKFLOW_RENDER_FAILED",
        BoundStale = "BOUND_STALE",
    }
    Components {
        TaskForkSourceNotFound = "TASK_FORK_SOURCE_NOT_FOUND",
        TaskForkCycle = "TASK_FORK_CYCLE",
        TaskIdRequired = "TASK_ID_REQUIRED",
        TaskMissingOutput = "TASK_MISSING_OUTPUT",
        DuplicateId = "DUPLICATE_ID",
        NestedLoop = "NESTED_LOOP",
        WorktreeEmptyPath = "WORKTREE_EMPTY_PATH",
        MdxPreloadInactive = "MDX_PRELOAD_INACTIVE",
        ContextOutsideWorkflow = "CONTEXT_OUTSIDE_WORKFLOW",
        MissingOutput = "MISSING_OUTPUT",
        DepNotSatisfied = "DEP_NOT_SATISFIED",
        AspectBudgetExceeded = "ASPECT_BUDGET_EXCEEDED",
        ApprovalOutsideTask = "APPROVAL_OUTSIDE_TASK",
        ApprovalOptionsRequired = "APPROVAL_OPTIONS_REQUIRED",
        WorkflowMissingDefault = "WORKFLOW_MISSING_DEFAULT",
        WorkflowNotBuilt = "WORKFLOW_NOT_BUILT",
    }
    Cli {
        InvalidEventsOptions = "INVALID_EVENTS_OPTIONS",
        SmithersMigrationRequired = "SMITHERS_MIGRATION_REQUIRED",
        SmithersBackendConflict = "SMITHERS_BACKEND_CONFLICT",
        WorkflowExists = "WORKFLOW_EXISTS",
        CliDbNotFound = "CLI_DB_NOT_FOUND",
        CliAgentUnsupported = "CLI_AGENT_UNSUPPORTED",
    }
    Tools {
        ToolPathInvalid = "TOOL_PATH_INVALID",
        ToolPathEscape = "TOOL_PATH_ESCAPE",
        ToolFileTooLarge = "TOOL_FILE_TOO_LARGE",
        ToolContentTooLarge = "TOOL_CONTENT_TOO_LARGE",
        ToolPatchTooLarge = "TOOL_PATCH_TOO_LARGE",
        ToolPatchFailed = "TOOL_PATCH_FAILED",
        ToolNetworkDisabled = "TOOL_NETWORK_DISABLED",
        ToolGitRemoteDisabled = "TOOL_GIT_REMOTE_DISABLED",
        ToolCommandFailed = "TOOL_COMMAND_FAILED",
        ToolGrepFailed = "TOOL_GREP_FAILED",
    }
    Agents {
        AgentCliError = "AGENT_CLI_ERROR",
        AgentQuotaExceeded = "AGENT_QUOTA_EXCEEDED",
        AgentConfigInvalid = "AGENT_CONFIG_INVALID",
        AgentRpcFileArgs = "AGENT_RPC_FILE_ARGS",
        AgentBuildCommand = "AGENT_BUILD_COMMAND",
        AgentDiagnosticTimeout = "AGENT_DIAGNOSTIC_TIMEOUT",
    }
    Integrations {
        AccountInvalid = "ACCOUNT_INVALID",
        AccountNotFound = "ACCOUNT_NOT_FOUND",
        AccountDuplicateLabel = "ACCOUNT_DUPLICATE_LABEL",
        AccountsFileInvalid = "ACCOUNTS_FILE_INVALID",
        PiHttpError = "PI_HTTP_ERROR",
        ExternalBuildFailed = "EXTERNAL_BUILD_FAILED",
        SchemaDiscoveryFailed = "SCHEMA_DISCOVERY_FAILED",
        OpenapiSpecLoadFailed = "OPENAPI_SPEC_LOAD_FAILED",
        OpenapiOperationNotFound = "OPENAPI_OPERATION_NOT_FOUND",
        OpenapiToolExecutionFailed = "OPENAPI_TOOL_EXECUTION_FAILED",
    }
    Database {
        DbMissingColumns = "DB_MISSING_COLUMNS",
        DbRequiresBunSqlite = "DB_REQUIRES_BUN_SQLITE",
        DbQueryFailed = "DB_QUERY_FAILED",
        DbWriteFailed = "DB_WRITE_FAILED",
        PgPoolSaturated = "PG_POOL_SATURATED",
        StorageError = "STORAGE_ERROR",
    }
    Effect {
        InternalError = "INTERNAL_ERROR",
        ProcessAborted = "PROCESS_ABORTED",
        ProcessTimeout = "PROCESS_TIMEOUT",
        ProcessIdleTimeout = "PROCESS_IDLE_TIMEOUT",
        ProcessSpawnFailed = "PROCESS_SPAWN_FAILED",
        TaskRuntimeUnavailable = "TASK_RUNTIME_UNAVAILABLE",
        SingleRunnerBusy = "SINGLE_RUNNER_BUSY",
        SingleRunnerClosed = "SINGLE_RUNNER_CLOSED",
    }
    Hot {
        SchemaChangeHot = "SCHEMA_CHANGE_HOT",
        HotOverlayFailed = "HOT_OVERLAY_FAILED",
        HotReloadInvalidModule = "HOT_RELOAD_INVALID_MODULE",
    }
    Scorers {
        ScorerFailed = "SCORER_FAILED",
    }
}
