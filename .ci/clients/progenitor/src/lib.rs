//! The generated clients. Their code is not held to the warnings of this crate.

/// The client of a box.
#[allow(warnings)]
pub mod apps {
    include!(concat!(env!("OUT_DIR"), "/box.rs"));
}

/// The client of a gateway.
#[allow(warnings)]
pub mod gateway {
    include!(concat!(env!("OUT_DIR"), "/gateway.rs"));
}
