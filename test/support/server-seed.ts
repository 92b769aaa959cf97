/** Repeatable numbers for a test of processes. The seed is printed, and `TEST_SEED=<seed>` gives the same numbers again. */
export function seeded(): { below(limit: number): number } {
  let state = Number(process.env['TEST_SEED'] ?? Math.floor(Math.random() * 2 ** 32)) >>> 0;
  process.stdout.write(`TEST_SEED=${state}\n`);
  const below = (limit: number): number => {
    // Mulberry32.
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
  return { below };
}
