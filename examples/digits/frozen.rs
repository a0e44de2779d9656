//! Holds each part of the network against what it was before a phase, bit for bit.

use crate::checks::Checks;
use crate::model::{Dense, Net};
use crate::phase::Phase;

/// What trained must have moved, and what was frozen must not, at any time.
pub(crate) fn compare(phase: &Phase, checks: &mut Checks) {
    let (before, after) = (&phase.before, &phase.after);
    let mut holds = scaling_bits(before).eq(scaling_bits(after));
    let (mut moved, mut kept) = (Vec::new(), vec!["scaling".to_owned()]);
    let layers = before.layers().zip(after.layers()).zip(before.paths());
    for (at, ((old, new), path)) in layers.enumerate() {
        let same = layer_bits(old).eq(layer_bits(new));
        if phase.trains[at] {
            holds &= !same;
            moved.push(path);
        } else {
            holds &= same && phase.epochs.iter().all(|epoch| epoch.movement[at] == 0.0);
            kept.push(path);
        }
    }
    let (name, moved, kept) = (phase.name, moved.join(", "), kept.join(", "));
    let fact = format!("{name}: trained {moved}; kept the bits of {kept}");
    checks.expect(holds, &fact);
}

fn layer_bits(layer: &Dense) -> impl Iterator<Item = u64> {
    layer.weight.iter().chain(&layer.bias).map(|v| v.to_bits())
}

fn scaling_bits(net: &Net) -> impl Iterator<Item = u64> {
    let values = net.scaling.mean.iter().chain([&net.scaling.deviation]);
    values.map(|v| v.to_bits())
}
