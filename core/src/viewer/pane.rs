//! A pane: a part of the screen with a window of its own, which is computed only while it is on screen.

use super::run_view::RunView;

/// A part of the screen with a window of its own.
pub(super) trait Pane: Default {
    /// What a person does in the pane, and which of its rows are visible.
    type Action;
    /// What the page draws.
    type Window: Clone + PartialEq;
    /// The inputs of the window.
    type Version: PartialEq;

    /// Carries out an action.
    fn act(&mut self, action: Self::Action, view: &mut RunView<'_>);

    /// The inputs of the window: while they are equal, the window is the same.
    fn version(&self, view: &RunView<'_>) -> Self::Version;

    /// The part that is on screen; `None` if the source has no such data.
    fn window(&mut self, view: &mut RunView<'_>) -> Option<Self::Window>;

    /// Whether the last window is only a part of the answer: the next one is computed although its inputs are the same.
    fn is_unfinished(&self) -> bool {
        false
    }

    /// Clears what belongs to the run that was on screen, because another one is.
    fn reset(&mut self) {}
}

/// The action of a pane that has none.
#[derive(Clone, Copy, Debug)]
pub(super) enum NoAction {}

/// A window as the page has it; `None` if the pane has no window.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SentWindow<W>(pub(super) Option<W>);

/// A pane with the last window that was sent to the page.
#[derive(Debug)]
pub(super) struct Slot<P: Pane> {
    pane: P,
    is_shown: bool,
    /// The inputs of the last window.
    version: Option<P::Version>,
    sent: Option<SentWindow<P::Window>>,
    /// The number of windows that were computed.
    #[cfg(test)]
    pub(super) computed: u32,
}

impl<P: Pane> Default for Slot<P> {
    /// A pane on screen.
    fn default() -> Self {
        Self {
            pane: P::default(),
            is_shown: true,
            version: None,
            sent: None,
            #[cfg(test)]
            computed: 0,
        }
    }
}

impl<P: Pane> Slot<P> {
    pub(super) fn act(&mut self, action: P::Action, view: &mut RunView<'_>) {
        self.pane.act(action, view);
    }

    pub(super) fn pane(&self) -> &P {
        &self.pane
    }

    pub(super) fn pane_mut(&mut self) -> &mut P {
        &mut self.pane
    }

    pub(super) fn reset(&mut self) {
        self.pane.reset();
    }

    /// Whether the next call of [`change`](Self::change) has a window although nothing happens.
    pub(super) fn is_unfinished(&self) -> bool {
        self.is_shown && self.pane.is_unfinished()
    }

    /// Sets whether the pane is on screen. A page that shows it again gets its whole window.
    pub(super) fn set_shown(&mut self, is_shown: bool) {
        if self.is_shown && !is_shown {
            (self.version, self.sent) = (None, None);
        }
        self.is_shown = is_shown;
    }

    /// The window, if it differs from the last one that was sent. Computes nothing while the pane is hidden or its inputs
    /// are the same.
    pub(super) fn change(&mut self, view: &mut RunView<'_>) -> Option<SentWindow<P::Window>> {
        let is_same = || self.version.as_ref() == Some(&self.pane.version(view));
        if !self.is_shown || !self.pane.is_unfinished() && is_same() {
            return None;
        }
        #[cfg(test)]
        {
            self.computed += 1;
        }
        let window = SentWindow(self.pane.window(view));
        self.version = Some(self.pane.version(view));
        if self.sent.as_ref() == Some(&window) {
            return None;
        }
        self.sent = Some(window.clone());
        Some(window)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Millis;
    use crate::viewer::TrafficSource;
    use crate::viewer::focus::Focus;
    use crate::viewer::source::Source;

    /// Shows its number.
    #[derive(Debug, Default)]
    struct Number(u32);

    impl Pane for Number {
        type Action = u32;
        type Window = u32;
        type Version = (u32, u64);

        fn act(&mut self, action: u32, _: &mut RunView<'_>) {
            self.0 = action;
        }

        fn version(&self, view: &RunView<'_>) -> Self::Version {
            (self.0, view.source_version)
        }

        fn window(&mut self, _: &mut RunView<'_>) -> Option<u32> {
            (self.0 > 0).then_some(self.0)
        }
    }

    /// Calls a slot with a view of an empty source in this version.
    fn with_view<T>(source_version: u64, call: impl FnOnce(&mut RunView<'_>) -> T) -> T {
        let (source, mut focus) = (Source::from(TrafficSource::default()), Focus::default());
        let (now, mut requests) = (Millis(0.0), Vec::new());
        call(&mut RunView {
            source: &source,
            source_version,
            focus: &mut focus,
            now,
            requests: &mut requests,
        })
    }

    #[test]
    fn a_window_is_computed_when_its_inputs_change_and_sent_when_it_differs() {
        let mut slot = Slot::<Number>::default();
        let change =
            |slot: &mut Slot<Number>, version| with_view(version, |view| (slot.change(view), slot.computed));
        assert_eq!(
            change(&mut slot, 0),
            (Some(SentWindow(None)), 1),
            "the page does not know yet that there is none"
        );
        assert_eq!(change(&mut slot, 0), (None, 1));
        assert_eq!(change(&mut slot, 1), (None, 2), "other inputs, equal window");
        with_view(1, |view| slot.act(7, view));
        assert_eq!(change(&mut slot, 1), (Some(SentWindow(Some(7))), 3));
        with_view(1, |view| slot.act(7, view));
        assert_eq!(change(&mut slot, 1), (None, 3));
    }

    #[test]
    fn a_hidden_pane_computes_nothing_and_is_sent_whole_when_it_is_shown_again() {
        let mut slot = Slot::<Number>::default();
        let change =
            |slot: &mut Slot<Number>, version| with_view(version, |view| (slot.change(view), slot.computed));
        with_view(0, |view| slot.act(7, view));
        change(&mut slot, 0);
        slot.set_shown(false);
        assert_eq!(change(&mut slot, 1), (None, 1));
        with_view(1, |view| slot.act(8, view));
        assert_eq!(change(&mut slot, 2), (None, 1));
        slot.set_shown(true);
        assert_eq!(change(&mut slot, 2), (Some(SentWindow(Some(8))), 2));
        slot.set_shown(false);
        slot.set_shown(true);
        assert_eq!(change(&mut slot, 2), (Some(SentWindow(Some(8))), 3), "the page has emptied the pane");
        slot.set_shown(true);
        assert_eq!(change(&mut slot, 2), (None, 3), "it was on screen already");
    }
}
