import type { Clock } from '../../src/base/clock.ts';
import { parseScan, type Refused, type ScanContext } from '../../src/scan/parse-scan.ts';
import type { Scan } from '../../src/scan/scan.ts';

/** 2025-11-03T21:45:40Z, one second into window 587402113 of three seconds. */
export const receivedAt = 1_762_206_340_000;

/**
 * A dispense as it comes over the wire, of the content of the test vector of the design.
 *
 * @param changes fields to set; one that is `undefined` is left out.
 */
export function wireScan(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const fields = {
    facility_uuid: 'F'.repeat(36),
    scanner_id: 'SCN-04',
    scan_type: 'dispense',
    ndc: '00093721410',
    lot_number: 'A1207',
    ...changes,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** The scan that `wireScan(changes)` is read as. */
export function scanOf(changes: Readonly<Record<string, unknown>> = {}, context: Partial<ScanContext> = {}): Scan {
  return readScan(wireScan(changes), context);
}

/** The scan that a JSON value is read as. */
export function readScan(value: unknown, context: Partial<ScanContext> = {}): Scan {
  const result = parseScan(value, { receivedAt, ...context });
  if (!result.ok) throw new Error(`Not a scan: ${result.error.rejection.message}`);
  return result.value;
}

/** Why a JSON value is not a scan. */
export function refusalOf(value: unknown, context: Partial<ScanContext> = {}): Refused {
  const result = parseScan(value, { receivedAt, ...context });
  if (result.ok) throw new Error(`This was read as a scan: ${JSON.stringify(result.value)}`);
  return result.error;
}

export interface FixedClock extends Clock {
  advance(byMs: number): void;
}

/** A clock that stands still until it is moved. */
export function fixedClock(startMs: number = receivedAt): FixedClock {
  let nowMs = startMs;
  return {
    nowMs: () => nowMs,
    advance: (byMs) => {
      nowMs += byMs;
    },
  };
}

/** Repeatable numbers: the same seed gives the same ones. */
export interface SeededNumbers {
  /** An integer of `[0, below)`; `below` is at most 2^53. */
  below(below: number): number;
  pick<const V extends readonly [unknown, ...unknown[]]>(values: V): V[number];
}

/**
 * Runs a random test. A failure names its seed, and `TEST_SEED=<seed>` runs the same again. For the millions of cases that a
 * shrinking generator is too slow for.
 */
export function withSeed(run: (numbers: SeededNumbers) => void): void {
  const seed = chosenSeed();
  try {
    run(seededNumbers(seed));
  } catch (cause) {
    throw failedWith(seed, cause);
  }
}

/** The same for a test that waits. */
export async function withSeedAsync(run: (numbers: SeededNumbers) => Promise<void>): Promise<void> {
  const seed = chosenSeed();
  await run(seededNumbers(seed)).catch((cause: unknown) => {
    throw failedWith(seed, cause);
  });
}

function chosenSeed(): number {
  return Number(process.env['TEST_SEED'] ?? Math.floor(Math.random() * 2 ** 32));
}

function failedWith(seed: number, cause: unknown): Error {
  return new Error(`With TEST_SEED=${seed}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
}

/** Mulberry32: small, fast, and good enough to choose cases with. */
export function seededNumbers(seed: number): SeededNumbers {
  let state = seed >>> 0;
  const next32 = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const below = (limit: number) =>
    limit <= 2 ** 32 ? Math.floor((next32() / 2 ** 32) * limit) : ((next32() % 2 ** 21) * 2 ** 32 + next32()) % limit;
  return { below, pick: (values) => values[below(values.length)] ?? values[0] };
}
