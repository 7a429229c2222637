//! What the session on screen sent: the last value of each kind. Only events of the session change it.

use leptos::prelude::*;
use runstate::viewer::{self, Focus, Status, TrafficStatus};

use crate::session::protocol::{ExportInfo, Printout};

/// Writes [`SessionData`] with two signals for each pane: one to read the last window, one to set it.
macro_rules! session_data {
    ($( $(#[$doc:meta])* $name:ident: $kind:ident($pane:ty) $(, $action:ty)? => $window:ty; )+) => {
        /// The signals that set the last windows.
        #[derive(Clone, Copy)]
        struct SetWindows {
            $( $name: WriteSignal<Option<$window>>, )+
        }

        /// The last value of each kind that the session sent.
        #[derive(Clone, Copy)]
        pub(crate) struct SessionData {
            /// The current screen, and its content other than the run.
            pub(crate) status: ReadSignal<Status>,
            set_status: WriteSignal<Status>,
            /// The state of the inspected page's traffic; `None` if the session shows something else.
            pub(crate) traffic: Memo<Option<TrafficStatus>>,
            $( $(#[$doc])* pub(crate) $name: ReadSignal<Option<$window>>, )+
            set_windows: SetWindows,
            /// What is selected in the run.
            pub(crate) focus: ReadSignal<Focus>,
            set_focus: WriteSignal<Focus>,
            /// Metadata of the document inside an exported page, while that document is on screen.
            pub(crate) export_info: ReadSignal<Option<ExportInfo>>,
            pub(super) set_export_info: WriteSignal<Option<ExportInfo>>,
            /// What only a printout shows, as of the last request.
            pub(crate) printout: ReadSignal<Printout>,
            pub(super) set_printout: WriteSignal<Printout>,
        }

        impl SessionData {
            pub(super) fn new() -> Self {
                let (status, set_status) = signal(Status::default());
                let traffic = Memo::new(move |_| status.with(|status| status.link.traffic().cloned()));
                $( let $name = signal(None); )+
                let (focus, set_focus) = signal(Focus::default());
                let (export_info, set_export_info) = signal(None);
                let (printout, set_printout) = signal(Printout::default());
                Self {
                    status, set_status, traffic, $( $name: $name.0, )+ focus, set_focus,
                    set_windows: SetWindows { $( $name: $name.1, )+ },
                    export_info, set_export_info, printout, set_printout,
                }
            }

            /// Stores an update of the session; announcements are not kept.
            pub(super) fn apply(self, update: viewer::Update) {
                match update {
                    viewer::Update::Status(status) => self.set_status.set(status),
                    $( viewer::Update::$kind(window) => self.set_windows.$name.set(window.map(|window| *window)), )+
                    viewer::Update::Focus(focus) => self.set_focus.set(focus),
                    viewer::Update::Announce(_) => {}
                }
            }

            pub(super) fn clear(self) {
                self.set_status.set(Status::default());
                $( self.set_windows.$name.set(None); )+
                self.set_focus.set(Focus::default());
                self.set_export_info.set(None);
                self.set_printout.set(Printout::default());
            }
        }
    };
}

runstate::for_each_pane!(session_data);

impl SessionData {
    /// Clears the events while they are not on screen: they may be those of another run when they are shown again.
    pub(crate) fn clear_log(self) {
        self.set_windows.log.set(None);
    }

    /// Clears the last events when another run is shown.
    pub(super) fn clear_last_events(self) {
        self.set_printout.update(|printout| (printout.events, printout.missing) = (Vec::new(), None));
    }
}

/// A value that is read from a part of the session's data; it changes only when the value does. While the session has no
/// such part, it is the default.
///
/// The data has one signal for each part that the worker sends as a whole, and its types are the core's, which do not
/// know Leptos; so there is no signal for each field.
pub(crate) fn select<D, T>(
    part: impl With<Value = Option<D>> + Copy + Send + Sync + 'static,
    read: impl Fn(&D) -> T + Send + Sync + 'static,
) -> Memo<T>
where
    T: Default + PartialEq + Send + Sync + 'static,
{
    Memo::new(move |_| part.with(|part| part.as_ref().map(&read).unwrap_or_default()))
}
