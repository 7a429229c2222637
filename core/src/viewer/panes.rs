//! The macro that makes a viewer of a list of panes.

use super::pane::{NoAction, Pane};
use super::run_view::RunView;
use super::status::Status;

/// The status, which is always needed: it says which screen is shown.
#[derive(Debug, Default)]
pub(super) struct StatusPane;

impl Pane for StatusPane {
    type Action = NoAction;
    type Window = Status;
    type Version = (u64, f64);

    fn act(&mut self, action: NoAction, _: &mut RunView<'_>) {
        match action {}
    }

    fn version(&self, view: &RunView<'_>) -> Self::Version {
        view.version()
    }

    fn window(&mut self, view: &mut RunView<'_>) -> Option<Status> {
        Some(view.source.status(view.now))
    }
}

/// Writes the types that have a part for each pane: its kind, its actions, the update with its window, and its slot.
macro_rules! panes {
    ($( $(#[$doc:meta])* $name:ident: $kind:ident($pane:ty) $(, $action:ty)? => $window:ty; )+) => {
        /// A pane of the screen.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
        pub enum PaneKind {
            $( $(#[$doc])* $kind, )+
        }

        impl PaneKind {
            /// All panes.
            pub const ALL: &'static [Self] = &[$( Self::$kind, )+];
        }

        /// What a person does in a pane.
        #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
        pub enum PaneAction {
            $( $(
                /// An action in this pane.
                $kind($action),
            )? )+
        }

        /// Something that changed.
        #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
        pub enum Update {
            /// The screen, and its data besides the run.
            Status(Status),
            $( $(#[$doc])* $kind(Option<Box<$window>>), )+
            /// What is selected.
            Focus(Focus),
            /// A change for the live region to announce.
            Announce(String),
        }

        /// The status and the panes, each with its last window.
        #[derive(Debug, Default)]
        struct Panes {
            status: pane::Slot<panes::StatusPane>,
            $( $name: pane::Slot<$pane>, )+
        }

        impl Panes {
            /// Carries out an action in its pane.
            fn act(&mut self, action: PaneAction, view: &mut RunView<'_>) {
                match action {
                    $( $( PaneAction::$kind(action) => {
                        let action: $action = action;
                        self.$name.act(action, view);
                    } )? )+
                }
            }

            /// Sets which panes are on screen.
            fn show(&mut self, shown: &[PaneKind]) {
                $( self.$name.set_shown(shown.contains(&PaneKind::$kind)); )+
            }

            /// Clears what belongs to the run that was on screen.
            fn reset(&mut self) {
                $( self.$name.reset(); )+
            }

            /// Whether a pane has a window for the next call of [`changes`](Self::changes) although nothing happens.
            fn is_unfinished(&self) -> bool {
                $( self.$name.is_unfinished() )||+
            }

            /// The number of windows that each pane has computed.
            #[cfg(test)]
            fn computed(&self) -> Vec<(PaneKind, u32)> {
                vec![$( (PaneKind::$kind, self.$name.computed), )+]
            }

            /// The windows that changed.
            fn changes(&mut self, view: &mut RunView<'_>) -> Vec<Update> {
                let mut changes = Vec::new();
                if let Some(pane::SentWindow(Some(status))) = self.status.change(view) {
                    changes.push(Update::Status(status));
                }
                $( changes.extend(
                    self.$name.change(view).map(|pane::SentWindow(window)| Update::$kind(window.map(Box::new))),
                ); )+
                changes
            }
        }
    };
}

pub(super) use panes;
