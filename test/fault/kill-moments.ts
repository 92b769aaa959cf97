/** For tests that kill: chosen moments, the same again with `TEST_SEED=<seed>`. */
export const seed = Number(process.env['TEST_SEED'] ?? 1 + (Date.now() % 2_147_483_646));

/** Lehmer's generator with Park and Miller's multiplier: enough to choose moments. */
export function randomFrom(start: number): (below: number) => number {
  let state = start;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}
