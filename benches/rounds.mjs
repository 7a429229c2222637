// Alternating rounds: a disturbance of one side of a round disturbs the other too.

/** Runs every side once unmeasured, then `count` rounds, each in the opposite order of the previous one. */
export async function rounds(sides, count) {
  const names = Object.keys(sides);
  const taken = Object.fromEntries(names.map((name) => [name, []]));
  // A case with a single round does not measure time.
  for (let number = count === 1 ? 0 : -1; number < count; number++) {
    for (const name of number % 2 === 0 ? names : names.toReversed()) {
      // Only benchmarks run with `--expose-gc`.
      globalThis.gc?.();
      const round = await sides[name]();
      if (number >= 0) taken[name].push(round);
    }
  }
  return taken;
}

export function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}
