//! Values that the page follows, kept behind one type: the reactive machinery is compiled once, not once per value type.

use std::any::Any;
use std::marker::PhantomData;
use std::sync::Arc;

use leptos::prelude::*;

/// Any value, and how to tell whether another one is the same.
#[derive(Clone)]
struct Value {
    held: Arc<dyn Any + Send + Sync>,
    same: fn(&dyn Any, &dyn Any) -> bool,
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        (self.same)(&*self.held, &*other.held)
    }
}

fn pack<T: PartialEq + Send + Sync + 'static>(value: T) -> Value {
    Value { held: Arc::new(value), same: same::<T> }
}

fn same<T: PartialEq + 'static>(one: &dyn Any, other: &dyn Any) -> bool {
    match (one.downcast_ref::<T>(), other.downcast_ref::<T>()) {
        (Some(one), Some(other)) => one == other,
        (_, _) => false,
    }
}

fn unpack<T: Send + Sync + 'static>(value: Value) -> Arc<T> {
    // `Kept` and `Slot` pack and unpack with the same `T`.
    value.held.downcast().unwrap_or_else(|_| unreachable!())
}

/// A value that follows others and tells only of changes.
pub(crate) struct Kept<T>(Memo<Value>, PhantomData<fn() -> T>);

impl<T> Clone for Kept<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Kept<T> {}

/// A value that follows what `read` reads.
pub(crate) fn kept<T: PartialEq + Send + Sync + 'static>(
    read: impl Fn() -> T + Send + Sync + 'static,
) -> Kept<T> {
    Kept(boxed_memo(Box::new(move || pack(read()))), PhantomData)
}

#[inline(never)]
fn boxed_memo(read: Box<dyn Fn() -> Value + Send + Sync>) -> Memo<Value> {
    Memo::new(move |_| read())
}

#[inline(never)]
fn memo_now(memo: Memo<Value>) -> Value {
    memo.get()
}

impl<T: Send + Sync + 'static> Kept<T> {
    /// The value now; reactive.
    pub(crate) fn read(self) -> Arc<T> {
        unpack(memo_now(self.0))
    }

    /// A copy of the value now; reactive.
    pub(crate) fn get(self) -> T
    where
        T: Clone,
    {
        (*self.read()).clone()
    }

    /// What `read` makes of the value now; reactive.
    pub(crate) fn with<R>(self, read: impl FnOnce(&T) -> R) -> R {
        read(&self.read())
    }

    /// What `read` makes of the value now, without following it.
    pub(crate) fn with_untracked<R>(self, read: impl FnOnce(&T) -> R) -> R {
        read(&unpack(untrack(|| memo_now(self.0))))
    }
}

/// A value that the panel sets and the page follows.
pub(crate) struct Slot<T>(RwSignal<Value>, PhantomData<fn() -> T>);

impl<T> Clone for Slot<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Slot<T> {}

#[inline(never)]
fn new_slot(value: Value) -> RwSignal<Value> {
    RwSignal::new(value)
}

#[inline(never)]
fn slot_now(slot: RwSignal<Value>) -> Value {
    slot.get()
}

#[inline(never)]
fn set_slot(slot: RwSignal<Value>, value: Value) {
    slot.set(value);
}

impl<T: Clone + PartialEq + Send + Sync + 'static> Slot<T> {
    /// A slot that holds `value`.
    pub(crate) fn new(value: T) -> Self {
        Self(new_slot(pack(value)), PhantomData)
    }

    /// The value now; reactive.
    pub(crate) fn get(self) -> T {
        (*unpack::<T>(slot_now(self.0))).clone()
    }

    /// The value now, without following it.
    pub(crate) fn get_untracked(self) -> T {
        untrack(|| self.get())
    }

    /// What `read` makes of the value now; reactive.
    pub(crate) fn with<R>(self, read: impl FnOnce(&T) -> R) -> R {
        read(&unpack(slot_now(self.0)))
    }

    /// What `read` makes of the value now, without following it.
    pub(crate) fn with_untracked<R>(self, read: impl FnOnce(&T) -> R) -> R {
        untrack(|| self.with(read))
    }

    /// Follows the value without reading it.
    pub(crate) fn track(self) {
        let _followed = slot_now(self.0);
    }

    /// Sets the value and tells everybody who follows it.
    pub(crate) fn set(self, value: T) {
        set_slot(self.0, pack(value));
    }

    /// Changes the value in place and tells everybody who follows it.
    pub(crate) fn update(self, change: impl FnOnce(&mut T)) {
        let mut value = self.get_untracked();
        change(&mut value);
        self.set(value);
    }
}
