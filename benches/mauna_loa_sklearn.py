"""Times scikit-learn on the fit of `examples/mauna_loa`, and checks the reference it is held to.

The kernel, its start and the optimiser (L-BFGS-B of scipy, no restarts) are those of scikit-learn's
example "Forecasting of CO2 level on Mona Loa dataset using Gaussian process regression (GPR)".

    pip install scikit-learn
    python3 benches/mauna_loa_sklearn.py

The last line is `seconds` and the time of the fit, for `benches/mauna_loa.sh`.
"""

import json
import sys
import time
from pathlib import Path

import numpy as np
import sklearn
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ExpSineSquared, RationalQuadratic, WhiteKernel

DATA = Path(__file__).resolve().parent.parent / "examples" / "data"

failures = []


def check(fact, ours, reference, tolerance):
    """Says by how much, relative to the reference, the farthest number is off."""
    ours, reference = np.atleast_1d(ours), np.atleast_1d(reference)
    off = np.max(np.abs(ours - reference) / np.maximum(1.0, np.abs(reference)))
    holds = off <= tolerance
    print(f"{'  ok  ' if holds else 'FAILED'} {fact}, off by {off:.1e}")
    if not holds:
        failures.append(fact)


def published_kernel():
    trend = 50.0**2 * RBF(length_scale=50.0)
    seasonal = (
        2.0**2
        * RBF(length_scale=100.0)
        * ExpSineSquared(length_scale=1.0, periodicity=1.0, periodicity_bounds="fixed")
    )
    medium = 0.5**2 * RationalQuadratic(length_scale=1.0, alpha=1.0)
    noise = 0.1**2 * RBF(length_scale=0.1) + WhiteKernel(
        noise_level=0.1**2, noise_level_bounds=(1e-5, 1e5)
    )
    return trend + seasonal + medium + noise


def main():
    reference = json.loads((DATA / "mauna_loa_reference.json").read_text())
    data = np.loadtxt(DATA / "mauna_loa_co2_monthly.csv", delimiter=",", skiprows=1)
    years, ppm = data[:, :1], data[:, 1]
    deviations = ppm - ppm.mean()
    kernel = published_kernel()
    print(f"scikit-learn {sklearn.__version__}, {len(ppm)} measurements")

    unfitted = GaussianProcessRegressor(kernel=kernel, optimizer=None).fit(years, deviations)
    start, gradient = unfitted.log_marginal_likelihood(kernel.theta, eval_gradient=True)
    check("log marginal likelihood at the start", start, reference["initial_log_marginal_likelihood"], 1e-8)
    check("its gradient", gradient, reference["initial_gradient_log_theta"], 1e-6)

    began = time.perf_counter()
    fitted = GaussianProcessRegressor(kernel=kernel, normalize_y=False).fit(years, deviations)
    seconds = time.perf_counter() - began
    optimum = fitted.log_marginal_likelihood_value_
    check("log marginal likelihood at the optimum", optimum, reference["optimum_log_marginal_likelihood"], 1e-6)
    check("the hyperparameters' logarithms", fitted.kernel_.theta, reference["optimum_log_theta"], 1e-2)
    print(f"{optimum:.6f} at {fitted.kernel_}")
    print(f"seconds {seconds:.3f}")
    return f"{len(failures)} of the facts above do not hold" if failures else 0


if __name__ == "__main__":
    sys.exit(main())
