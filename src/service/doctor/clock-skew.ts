/** How far the clock of another machine is from ours, as well as one can tell over a network. */
import type { CheckName } from './catalogue.ts';
import { type Finding, finding } from './finding.ts';

export interface ClockSkew {
  /** Theirs less ours, ms. */
  readonly skewMs: number;
  /** Half of the round trip, ms: the skew is known no better. */
  readonly errorMs: number;
}

const warnMs = 1_000;
const wrongMs = 60_000;
const samples = 3;

/** The best of three. @param ask their clock, epoch ms; nothing when they do not say. */
export async function measureSkew(nowMs: () => number, ask: () => Promise<number | undefined>): Promise<ClockSkew | undefined> {
  let best: ClockSkew | undefined;
  for (let sample = 0; sample < samples; sample += 1) {
    const before = nowMs();
    const theirs = await ask();
    const after = nowMs();
    if (theirs === undefined) return best;
    const errorMs = (after - before) / 2;
    if (best === undefined || errorMs < best.errorMs) best = { skewMs: theirs - (before + after) / 2, errorMs };
  }
  return best;
}

/** @param aheadMsMax how far ahead a `captured_at` is believed, by the settings. */
export function skewFinding(check: CheckName, target: string, { skewMs, errorMs }: ClockSkew, aheadMsMax: number): Finding {
  const awayMs = Math.abs(skewMs);
  const certainMs = awayMs - errorMs;
  const place = awayMs < 1 ? 'as ours' : `${Math.round(awayMs)} ms ${skewMs > 0 ? 'ahead of' : 'behind'} ours`;
  const found = `Its clock is ${place}, give or take ${Math.ceil(errorMs)} ms.`;
  if (certainMs <= warnMs) return finding(check, target, 'ok', found);
  if (certainMs <= wrongMs) return finding(check, target, 'warning', found);
  const limit = `a captured_at more than ${aheadMsMax} ms ahead of this machine is not believed`;
  return finding(check, target, 'warning', `${found} That is no drift, one of the two is set wrong: ${limit}.`);
}
