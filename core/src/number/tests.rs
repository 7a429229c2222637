//! Against the standard library, which reads and writes the same numbers.

use super::{Number, read};

#[test]
fn the_layout_is_javascripts() {
    for (number, text) in [
        (0.0, "0"),
        (-0.0, "0"),
        (-1.5, "-1.5"),
        (0.1, "0.1"),
        (0.300_000_000_000_000_04, "0.30000000000000004"),
        (1e-5, "0.00001"),
        (1.5e-6, "0.0000015"),
        (1e-6, "0.000001"),
        (1e-7, "1e-7"),
        (-1.25e-9, "-1.25e-9"),
        (5e-324, "5e-324"),
        (9_007_199_254_740_993.0, "9007199254740992"),
        (123_456_789_012_345_680_000.0, "123456789012345680000"),
        (999_999_999_999_999_900_000.0, "999999999999999900000"),
        (1e21, "1e+21"),
        (-1.5e21, "-1.5e+21"),
        (f64::MAX, "1.7976931348623157e+308"),
    ] {
        assert_eq!(Number(number).to_text(), text);
        assert_eq!(serde_json::to_string(&Number(number)).unwrap(), text);
    }
}

#[test]
fn what_is_not_finite_is_null_in_json() {
    for (number, text) in [(f64::NAN, "NaN"), (f64::INFINITY, "Infinity"), (f64::NEG_INFINITY, "-Infinity")] {
        assert_eq!(Number(number).to_text(), text);
        assert_eq!(serde_json::to_string(&Number(number)).unwrap(), "null");
    }
}

/// Bit patterns without a pattern (Knuth's multiplier), the same in every run.
fn patterns() -> impl Iterator<Item = f64> {
    let mut state: u64 = 0x9E37_79B9_7F4A_7C15;
    let next = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        f64::from_bits(state ^ (state >> 29))
    };
    std::iter::repeat_with(next).filter(|number| number.is_finite())
}

/// What `String(number)` has, laid out from the digits that the standard library finds.
fn scientific(number: f64) -> String {
    let text = format!("{:e}", number.abs());
    let (mantissa, exponent) = text.split_once('e').unwrap();
    format!("{}e{}", mantissa.replace('.', ""), exponent.parse::<i32>().unwrap() + 1)
}

#[test]
fn every_number_is_written_with_the_fewest_digits_and_comes_back() {
    let edges = [
        5e-324,
        1e-323,
        2.225_073_858_507_201e-308,
        f64::MIN_POSITIVE,
        f64::MAX,
        1e22,
        1e23,
        9_007_199_254_740_993.0,
        0.1 + 0.2,
    ];
    let powers = (-1074..1024).map(|power| 2.0_f64.powi(power)).filter(|power| *power > 0.0);
    for number in edges.into_iter().chain(powers).chain(patterns().take(5_000)) {
        let (digits, point) = super::digits::digits(number.abs());
        assert_eq!(format!("{digits}e{point}"), scientific(number), "{number:e}");
        let text = Number(number).to_text();
        assert_eq!(read(&text).map(f64::to_bits), Some(number.to_bits()), "{text}");
    }
}

#[test]
fn every_decimal_is_read_as_the_standard_library_reads_it() {
    let halfway = "9007199254740993";
    let near = format!("{halfway}.{}1", "0".repeat(900));
    let long = "7".repeat(5000);
    let tiny = format!("0.{}1e300", "0".repeat(620));
    let edges = [
        "0",
        "-0",
        "0e999999999999999999999",
        "1e999999999999999999999",
        "1e-99999999999999999999",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "4.9406564584124654e-324",
        "1e22",
        "1e23",
        "-1e23",
        "1.7976931348623157e308",
        "1.7976931348623158e308",
        "1.7976931348623159e308",
        "1e309",
        "1e400",
        "1e-400",
        "2.2250738585072011e-308",
        "2.2250738585072014e-308",
        "9007199254740992.5",
        halfway,
        &near,
        &long,
        &tiny,
        "123456789012345678e-5",
        "0.000001",
        "+5",
        ".5",
        "5.",
        ".5e1",
        "000000000000000000000000000001",
        "1.00000000000000011102230246251565404236316680908203125",
        "1.00000000000000011102230246251565404236316680908203124",
        "1.00000000000000011102230246251565404236316680908203126",
    ];
    let made = patterns().take(30_000).enumerate().map(|(place, number)| match place % 3 {
        0 => format!("{:.*e}", place % 20, number),
        1 => format!("{}e{}", number.to_bits(), place as i32 % 700 - 350),
        // Halfway between two neighbours, to the last digit.
        _ => format!("{:.1}", (number.to_bits() >> 10) as f64 + 0.5),
    });
    for text in edges.into_iter().map(str::to_owned).chain(made) {
        let expected = text.parse::<f64>().unwrap();
        assert_eq!(read(&text).map(f64::to_bits), Some(expected.to_bits()), "{text}");
    }
}

#[test]
fn what_is_no_decimal_is_refused() {
    for text in [
        "", "-", "+", ".", "e5", "1e", "1e+", "1.2.3", "1e5.5", "inf", "nan", "Infinity", "0x10", "1_0",
        " 1", "1 ", "--1", "+-1", "1e--5", "\u{ff11}", ".e1", "1f",
    ] {
        assert_eq!(read(text), None, "{text}");
    }
}
