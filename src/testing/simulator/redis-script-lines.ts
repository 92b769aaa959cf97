/**
 * The scripts of the claims, read line by line and run on a simulated server. Only the lines that these scripts are made of are known;
 * a script with any other line is refused, so that one that was changed is never taken for the one that was meant.
 *
 * In: the text of a script. Out: what it does to one key. It never guesses.
 */
import { parseClaimValue } from '../../claim/claim-value.ts';

/** What a script may do to its key, in one atomic step. */
export interface ScriptedKey {
  get(): string | undefined;
  /** @param ttlMs how long it lives from now on; as long as before when left out. */
  set(value: string, ttlMs?: number): void;
}

export type RunnableScript = (key: ScriptedKey, args: readonly string[]) => number;

interface Frame {
  readonly key: ScriptedKey;
  readonly args: readonly string[];
  /** Nothing where the key holds no claim: then it is equal to no argument. */
  held: { readonly occurredAt: number; readonly token: string } | undefined;
}

/** One line: the number that it returns, or nothing when the script goes on. */
type Line = (frame: Frame) => number | undefined;

const hold: Line = (frame) => {
  frame.held = parseClaimValue(frame.key.get() ?? '');
  return undefined;
};

const lines: Readonly<Record<string, Line>> = {
  "local at, token = held(redis.call('GET', KEYS[1]))": hold,
  "local _, token = held(redis.call('GET', KEYS[1]))": hold,
  'if token ~= ARGV[1] then return 0 end': ({ held, args }) => (held?.token === args[0] ? undefined : 0),
  "redis.call('SET', KEYS[1], 'c|' .. at .. '|' .. token .. '|' .. ARGV[2], 'KEEPTTL')": ({ key, args, held }) => {
    key.set(`c|${held?.occurredAt ?? ''}|${held?.token ?? ''}|${args[1]}`);
    return undefined;
  },
  "redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])": ({ key, args }) => {
    key.set(args[1] ?? '', Number(args[2]));
    return undefined;
  },
  'return 1': () => 1,
};

/** The function that the scripts read a claim with; `parseClaimValue` is the same, and a suite holds the two equal. */
const heldFunction = /^\s*local function held\(value\)\n[\s\S]*?\nend\n/;

/** @throws TypeError when the script holds a line that is not known here. */
export function runnableScript(lua: string): RunnableScript {
  const steps = lua
    .replace(heldFunction, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const step = lines[line.trim()];
      if (step === undefined) throw new TypeError(`The simulation does not know this line of a script: ${line}`);
      return step;
    });
  return (key, args) => {
    const frame: Frame = { key, args, held: undefined };
    for (const step of steps) {
      const returned = step(frame);
      if (returned !== undefined) return returned;
    }
    throw new TypeError('A script that returns nothing.');
  };
}
