//! The derivation core of Runstate as a JavaScript module.
