import { assertNever } from '../base/assert-never.ts';
import type { Decision, Ledger, Transmission } from '../ledger/ledger.ts';

/**
 * A decision in a few words, so that an expected history is a list of literals: `committed 1`,
 * `suppressed 1 same_content 400` (by line 1, 400 ms apart), `conflict 1 lot_number,quantity`, `rejected`.
 */
export function inWords(decision: Decision): string {
  switch (decision.outcome) {
    case 'committed':
      return `committed ${decision.entry.line}`;
    case 'suppressed':
      return `suppressed ${decision.of.line} ${decision.reason} ${decision.gapMs}`;
    case 'conflict':
      return `conflict ${decision.of.line} ${decision.differs.join(',')}`;
    case 'rejected':
      return 'rejected';
    default:
      return assertNever(decision);
  }
}

/** Sends transmissions one by one, each as a batch of its own; what was decided, in words. */
export async function oneByOne(ledger: Ledger, transmissions: readonly Transmission[]): Promise<string[]> {
  const told: string[] = [];
  for (const transmission of transmissions) told.push(...(await together(ledger, transmission)));
  return told;
}

/** Sends transmissions as one batch; what was decided, in words. */
export async function together(ledger: Ledger, ...batch: Transmission[]): Promise<string[]> {
  return (await ledger.append(batch)).map(inWords);
}

/** Sends one transmission; its decision. */
export async function decisionOn(ledger: Ledger, transmission: Transmission): Promise<Decision> {
  const [decision] = await ledger.append([transmission]);
  if (decision === undefined) throw new TypeError('The ledger decided nothing.');
  return decision;
}

/** The flags of each decision; none for what was rejected. */
export function flagsOf(decisions: readonly Decision[]): string[][] {
  return decisions.map((decision) => (decision.outcome === 'rejected' ? [] : [...decision.flags]));
}
