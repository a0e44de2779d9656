//! What is emitted.
