import { deepEqual, equal } from 'node:assert/strict';
import type { Decision, Ledger, ScanTransmission } from '../ledger/ledger.ts';
import type { Promised } from './contract-case.ts';
import { decisionOn, inWords } from './decision-words.ts';
import { allRecords, type LedgerPair } from './ledger-pair.ts';
import { scanAt } from './wire-scans.ts';

const noSuchEntry = '00000000-0000-7000-8000-000000000000';

const expecting = (scan: ScanTransmission, expectedEntryId: string): ScanTransmission => ({ ...scan, expectedEntryId });

async function entryIdFrom(ledger: Ledger, scan: ScanTransmission): Promise<string> {
  const decision = await decisionOn(ledger, scan);
  if (decision.outcome !== 'committed') throw new TypeError(`It was ${decision.outcome}.`);
  return decision.entry.id;
}

/** The decision in words, and who decided by the answer and by the journal. */
async function arbitered(ledger: Ledger, decision: Decision): Promise<string[]> {
  const told = 'arbiter' in decision ? decision.arbiter : 'nobody';
  return [inWords(decision), told, String((await allRecords(ledger)).at(-1)?.arbiter)];
}

/** R4: a claim elects, the ledger confirms. */
export const expectations: Promised<LedgerPair> = {
  async 'the claim is named as arbiter where the ledger finds the line that it said'({ first, second }) {
    const entryId = await entryIdFrom(first, scanAt(0));
    const decision = await decisionOn(second, expecting(scanAt(100), entryId));
    deepEqual(await arbitered(second, decision), ['suppressed 1 same_content 100', 'claim', 'claim']);
    const unasked = await decisionOn(second, scanAt(100));
    deepEqual(await arbitered(second, unasked), ['suppressed 1 same_content 100', 'ledger', 'ledger']);
  },

  async 'a retransmission under its id is confirmed in the same way'({ first, second }) {
    const entryId = await entryIdFrom(first, scanAt(0, { scan_uuid: 'A' }));
    const decision = await decisionOn(second, expecting(scanAt(0, { scan_uuid: 'A' }), entryId));
    deepEqual(await arbitered(second, decision), ['suppressed 1 same_scan_id 0', 'claim', 'claim']);
  },

  async 'a claim that names another line changes nothing: the ledger decides'({ first, second }) {
    await entryIdFrom(first, scanAt(0));
    const other = await entryIdFrom(first, scanAt(0, { lot_number: 'B9' }));
    const decision = await decisionOn(second, expecting(scanAt(100), other));
    deepEqual(await arbitered(second, decision), ['suppressed 1 same_content 100', 'ledger', 'ledger']);
  },

  async 'a claim that names a line that does not exist does not lose the scan'({ first, second }) {
    const decision = await decisionOn(first, expecting(scanAt(0), noSuchEntry));
    deepEqual([inWords(decision), (await second.line(noSuchEntry))?.line], ['committed 1', undefined]);
    const duplicate = await decisionOn(second, expecting(scanAt(100), noSuchEntry));
    deepEqual(await arbitered(second, duplicate), ['suppressed 1 same_content 100', 'ledger', 'ledger']);
  },

  async 'a claim cannot lengthen the window'({ first, second }) {
    const entryId = await entryIdFrom(first, scanAt(0));
    equal(inWords(await decisionOn(second, expecting(scanAt(3_000), entryId))), 'committed 2');
  },

  async 'a claim cannot make a duplicate of other content'({ first, second }) {
    const entryId = await entryIdFrom(first, scanAt(0, { scan_uuid: 'A' }));
    equal(inWords(await decisionOn(second, expecting(scanAt(0, { lot_number: 'B9' }), entryId))), 'committed 2');
    equal(
      inWords(await decisionOn(second, expecting(scanAt(0, { scan_uuid: 'A', quantity: 2 }), entryId))),
      'conflict 1 quantity',
    );
  },
};
