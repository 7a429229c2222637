#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| runstate_conformance::fuzz::address(data));
