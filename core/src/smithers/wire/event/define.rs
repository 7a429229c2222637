//! The macro that generates the event types from the table.

/// Generates the types and bodies of events from a table.
macro_rules! events {
    ($(
        $(#[doc = $doc:literal])*
        $name:ident $word:literal ($scope:ident, $category:ident, $severity:ident) {
            $( $field:ident: $type:ty ),* $(,)?
        }
    )+) => {
        crate::vocabulary! {
            /// The type of an event: seed 003's, and those that Smithers 0.32 added (protocol section 4).
            ///
            /// ```
            /// use runstate::smithers::wire::{Category, EventType, EventSeverity};
            /// use runstate::word::Vocabulary;
            ///
            /// let heartbeat = EventType::from_word("TaskHeartbeat").unwrap();
            /// assert_eq!((heartbeat.category(), heartbeat.severity()), (Category::Heartbeat, EventSeverity::Trace));
            /// ```
            pub enum EventType ("type of event") {
                $( $(#[doc = $doc])* $name = $word ),+
            }
        }

        impl EventType {
            /// The scope of the event.
            pub(crate) fn scope(self) -> Scope {
                match self { $( Self::$name => Scope::$scope ),+ }
            }

            /// The category of the event.
            pub fn category(self) -> Category {
                match self { $( Self::$name => Category::$category ),+ }
            }

            /// The severity of the event, given only its type.
            pub fn severity(self) -> EventSeverity {
                match self { $( Self::$name => EventSeverity::$severity ),+ }
            }
        }

        /// The fields of an event besides its subject.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(tag = "type", rename_all_fields = "camelCase")]
        pub enum EventBody {
            $(
                $(#[doc = $doc])*
                $name {
                    $(
                        #[doc = concat!("The field `", stringify!($field), "`, on the wire in camelCase.")]
                        $field: $type
                    ),*
                },
            )+
            /// A type that Runstate does not know.
            #[serde(untagged, skip_deserializing)]
            Foreign {
                /// The type, verbatim.
                #[serde(rename = "type")]
                event_type: String,
            },
        }

        /// The documentation and the fields of each type, for TypeScript.
        #[cfg(test)]
        pub(super) fn declarations() -> Vec<super::typescript::Declaration> {
            vec![ $( super::typescript::Declaration {
                event_type: EventType::$name,
                doc: concat!($($doc),*).trim(),
                fields: vec![ $( super::typescript::field::<$type>(stringify!($field)) ),* ],
            } ),+ ]
        }

        impl EventBody {
            /// The type of the event.
            pub(super) fn event_type(&self) -> Word<EventType> {
                match self {
                    $( Self::$name { .. } => Word::Known(EventType::$name), )+
                    Self::Foreign { event_type } => Word::new(event_type),
                }
            }
        }
    };
}
