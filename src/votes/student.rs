//! Student's t distribution.

/// Returns the probability that a value of Student's t distribution with `freedom` degrees of freedom, more than 0, is at
/// most `t`.
pub fn student_t(t: f64, freedom: f64) -> f64 {
    if t.is_infinite() {
        return if t < 0.0 { 0.0 } else { 1.0 };
    }
    let tail = beta_share(freedom / 2.0, 0.5, freedom / t.mul_add(t, freedom)) / 2.0;
    if t < 0.0 { tail } else { 1.0 - tail }
}

/// The regularized incomplete beta function.
fn beta_share(a: f64, b: f64, x: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 {
        return x.clamp(0.0, 1.0);
    }
    // The fraction converges fast on one side of the mean.
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - beta_share(b, a, 1.0 - x);
    }
    let scale = ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b);
    let front = a.mul_add(x.ln(), b.mul_add((1.0 - x).ln(), scale)).exp() / a;
    front * fraction(a, b, x)
}

/// The continued fraction of the incomplete beta function, after Lentz.
fn fraction(a: f64, b: f64, x: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let guard = |value: f64| if value.abs() < TINY { TINY } else { value };
    let mut upper = 1.0;
    let mut lower = 1.0 / guard(1.0 - (a + b) * x / (a + 1.0));
    let mut result = lower;
    for step in 1..500 {
        let m = f64::from(step);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let before = result;
        for term in [even, odd] {
            lower = 1.0 / guard(term.mul_add(lower, 1.0));
            upper = guard(1.0 + term / upper);
            result *= upper * lower;
        }
        if (result - before).abs() <= f64::EPSILON * result.abs() {
            break;
        }
    }
    result
}

/// The logarithm of the gamma function of a positive number, after Lanczos.
fn ln_gamma(x: f64) -> f64 {
    const FIRST: f64 = 0.999_999_999_999_809_9;
    const TERMS: [f64; 8] = [
        676.520_368_121_885_1,
        -1_259.139_216_722_402_8,
        771.323_428_777_653_1,
        -176.615_029_162_140_6,
        12.507_343_278_686_905,
        -0.138_571_095_265_720_12,
        9.984_369_578_019_572e-6,
        1.505_632_735_149_311_6e-7,
    ];
    if x < 0.5 {
        let sine = (std::f64::consts::PI * x).sin();
        return (std::f64::consts::PI / sine).ln() - ln_gamma(1.0 - x);
    }
    let x = x - 1.0;
    let terms = TERMS.iter().zip(1..);
    let sum: f64 = terms.map(|(term, number)| term / (x + f64::from(number))).sum();
    let base = x + 7.5;
    let root = (2.0 * std::f64::consts::PI).sqrt().ln();
    (x + 0.5).mul_add(base.ln(), root - base) + (FIRST + sum).ln()
}
