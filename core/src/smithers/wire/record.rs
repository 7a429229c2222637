//! Records: what a type of seed 002 is made of, read and written by its list of fields.

/// Declares a record by its fields. Those that are `Option` may be missing or null; any other field must be there.
macro_rules! record {
    (
        $(#[$meta:meta])*
        pub struct $name:ident {
            $( $(#[$field_meta:meta])* $field:ident: $type:ty = $wire:literal ),* $(,)?
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name {
            $( $(#[$field_meta])* pub $field: $type ),*
        }

        impl $name {
            /// Reads it from JSON text.
            ///
            #[doc = concat!("See [`", stringify!($name), "`] for an example.")]
            ///
            /// # Errors
            /// [`ReadError`](crate::json::ReadError) for text that is not JSON, a field that is missing, and another kind of value in a
            /// field.
            pub fn from_json(json: &str) -> Result<Self, $crate::json::ReadError> {
                <Self as $crate::smithers::wire::field::Field>::read($crate::json::Slice::of_text(json)?)
            }

            /// The record as JSON: its own fields, in the order of the contract, without those that are not there.
            ///
            #[doc = concat!("See [`", stringify!($name), "`] for an example.")]
            pub fn to_json(&self) -> String {
                $crate::smithers::wire::field::Field::write(self).unwrap_or_default()
            }
        }

        impl $crate::smithers::wire::field::Field for $name {
            fn read(slice: $crate::json::Slice<'_>) -> Result<Self, $crate::json::ReadError> {
                let [$( $field ),*] = $crate::json::fields(slice, [$( $wire ),*])?;
                Ok(Self { $( $field: $crate::smithers::wire::field::read::<$type>(slice, $wire, $field)? ),* })
            }

            fn write(&self) -> Option<String> {
                let fields = [$( ($wire, $crate::smithers::wire::field::Field::write(&self.$field)) ),*];
                let fields: Vec<(&str, String)> =
                    fields.into_iter().filter_map(|(name, value)| Some((name, value?))).collect();
                Some($crate::smithers::wire::field::object(&fields))
            }
        }
    };
}
pub(crate) use record;
