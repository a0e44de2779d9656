//! Settings that make no sense.

use paramtree::optim::{
    Adam, AdamW, Builder, Lion, NAdamW, RmsProp, Rule, Schedule, Settings, Sgd,
};
use paramtree::{By, Mask, Module};

use crate::{all, bits, refused};

#[derive(Clone, Debug, Module)]
struct Point(f64);

fn message<R: Rule>(builder: Builder<'_, R>) -> String {
    let point = Point(1.0);
    let built = builder.build(&point, &Mask::of(&point));
    built.map(|_| ()).unwrap_err().to_string()
}

const SHARE: &str = "in [0, 1)";
const LEAST: &str = "at least 0";
const MORE: &str = "greater than 0";

/// What a rule's setting is refused with: its name, its value, and what it may be.
fn assert_told<R: Rule>(rule: R, name: &str, value: &str, expected: &str) {
    let told = format!("`{name}` is {value}, and must be {expected}");
    assert_eq!(message(Builder::new(rule)), told);
}

#[test]
fn what_every_rule_has_is_told_with_its_range() {
    let sgd = || Sgd::new(0.1);
    assert_told(Sgd::new(-1.0), "lr", "-1", LEAST);
    assert_told(Sgd::new(f64::NAN), "lr", "NaN", LEAST);
    assert_told(Sgd::new(f64::INFINITY), "lr", "inf", LEAST);
    assert_told(sgd().weight_decay(-0.5), "weight_decay", "-0.5", LEAST);
    assert_told(sgd().clip_value(-1.0), "clip", "-1", LEAST);
    assert_told(sgd().clip_norm(f64::NAN), "clip", "NaN", LEAST);
}

#[test]
fn what_some_have_is_told_with_its_range() {
    assert_told(Sgd::new(0.1).momentum(1.0), "momentum", "1", SHARE);
    assert_told(Adam::new(0.1).betas(1.0, 0.9), "b1", "1", SHARE);
    assert_told(AdamW::new(0.1).betas(0.9, -0.1), "b2", "-0.1", SHARE);
    assert_told(NAdamW::new(0.1).eps(-0.5), "eps", "-0.5", MORE);
    assert_told(Adam::new(0.1).eps(0.0), "eps", "0", MORE);
    assert_told(RmsProp::new(0.1).alpha(1.5), "alpha", "1.5", SHARE);
    assert_told(RmsProp::new(0.1).eps(f64::NAN), "eps", "NaN", MORE);
    assert_told(RmsProp::new(0.1).momentum(-1.0), "momentum", "-1", SHARE);
    assert_told(Lion::new(0.1).betas(2.0, 0.9), "b1", "2", SHARE);
    assert_told(Lion::new(0.1).betas(0.9, 2.0), "b2", "2", SHARE);
}

#[test]
fn what_holds_for_all_groups_is_told_with_its_range() {
    let builder = || Sgd::new(0.1).builder();
    let told = message(builder().clip_global_norm(-2.0));
    assert_eq!(told, "`clip_global_norm` is -2, and must be at least 0");
    let told = message(builder().accumulate(0));
    assert_eq!(told, "`accumulate` is 0, and must be at least 1");
    // And so is a setting of one group.
    let told = message(builder().group("g", By::Pattern("0"), |rule| rule.momentum(2.0)));
    assert_eq!(told, "`momentum` is 2, and must be in [0, 1)");
}

#[test]
fn zero_is_in_range() {
    let mut point = Point(3.0);
    let rule = AdamW::new(0.0).betas(0.0, 0.0).weight_decay(0.0);
    let mut optimizer = all(&point, rule);
    optimizer.step(&mut point, &Point(1.0)).unwrap();
    assert_eq!(point.0, 3.0);
}

#[test]
fn the_defaults_are_those_of_the_documentation() {
    fn check(rule: impl Rule) {
        let settings = rule.settings();
        assert_eq!(settings.lr.rate(0), 0.1);
        assert!(!settings.decay_transformed);
        assert_eq!(settings.clip, paramtree::optim::Clip::Off);
    }
    let decay = |settings: &Settings| settings.weight_decay;
    assert_eq!(decay(Sgd::new(0.1).settings()), 0.0);
    assert_eq!(decay(Adam::new(0.1).settings()), 0.0);
    assert_eq!(decay(RmsProp::new(0.1).settings()), 0.0);
    assert_eq!(decay(AdamW::new(0.1).settings()), 1e-2);
    assert_eq!(decay(NAdamW::new(0.1).settings()), 1e-2);
    assert_eq!(decay(Lion::new(0.1).settings()), 1e-2);
    each_rule!(check);
}

#[test]
fn a_change_that_is_refused_leaves_the_rule() {
    let mut point = Point(1.0);
    let mut optimizer = all(&point, Sgd::new(0.5));
    let before = bits(&optimizer);
    let error = optimizer.configure(|rule| rule.lr(-1.0)).unwrap_err();
    assert_eq!(error.to_string(), "`lr` is -1, and must be at least 0");
    assert_eq!(bits(&optimizer), before);
    optimizer.step(&mut point, &Point(1.0)).unwrap();
    assert_eq!(point.0, 0.5);
}

#[test]
fn a_rule_may_begin_to_remember() {
    let mut point = Point(0.0);
    let mut optimizer = all(&point, Sgd::new(1.0));
    optimizer.step(&mut point, &Point(-1.0)).unwrap();
    optimizer.configure(|rule| rule.momentum(0.5)).unwrap();
    // Velocities 1 and 1.5, from nothing.
    optimizer.step(&mut point, &Point(-1.0)).unwrap();
    optimizer.step(&mut point, &Point(-1.0)).unwrap();
    assert_eq!(point.0, 1.0 + 1.0 + 1.5);
}

#[test]
fn a_rate_that_turns_out_to_be_no_number_stops_the_step() {
    for bad in [f64::NAN, f64::INFINITY, -1.0] {
        let mut point = Point(1.0);
        let schedule = Schedule::custom(move |count| if count < 2 { 0.25 } else { bad });
        let mut optimizer = all(&point, Sgd::new(schedule));
        optimizer.step(&mut point, &Point(1.0)).unwrap();
        optimizer.step(&mut point, &Point(1.0)).unwrap();
        let error = refused(&mut optimizer, &mut point, &Point(1.0));
        let expected = format!("`lr` is {bad}, and must be at least 0");
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn what_vanishes_in_single_precision_still_divides() {
    let mut single = vec![1.0_f32];
    let mut optimizer = all(&single, Adam::new(0.1).eps(1e-300));
    optimizer.step(&mut single, &vec![0.0]).unwrap();
    assert_eq!(single, [1.0]);
    let mut optimizer = all(&single, RmsProp::new(0.1).eps(1e-300));
    optimizer.step(&mut single, &vec![0.0]).unwrap();
    assert_eq!(single, [1.0]);
}
