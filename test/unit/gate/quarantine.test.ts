import { describe, expect, it, test } from 'vitest';
import type { Arrival } from '../../../src/gate/arrival.ts';
import { Gate } from '../../../src/gate/gate.ts';
import { type Corrections, Quarantine, type ReleaseResult } from '../../../src/gate/quarantine.ts';
import type { Verdict } from '../../../src/gate/verdict.ts';
import { defaultScannerClass } from '../../../src/identity/scanner-class.ts';
import { MemoryLedger } from '../../../src/ledger/memory-ledger.ts';
import { facilityA, noon, wireScan } from '../../../src/testing/wire-scans.ts';
import { arrival, arriving, verdictInWords } from './arriving.ts';
import { directoryOf, oxycodone } from './listed-products.ts';

const policy = () => defaultScannerClass;
const because = { actor: 'R. Ph. 0412', reason: 'label misread' };

/** One ledger with a gate before it, and a quarantine beside it. */
function site() {
  const ledger = new MemoryLedger();
  const decided: Verdict[] = [];
  const observer = { decided: (verdict: Verdict) => void decided.push(verdict) };
  const gate = new Gate({ ledger, policy });
  const quarantine = new Quarantine({ ledger, policy, observer });
  /** Sends what is no scan; its id in quarantine. */
  const rejected = async (sent: Arrival): Promise<string> => {
    const { decision } = await gate.submit(sent);
    if (decision.outcome !== 'rejected') throw new TypeError(`It was ${decision.outcome}.`);
    return decision.quarantineId;
  };
  const released = async (id: string, corrections?: Corrections): Promise<string> =>
    inWords(await quarantine.release({ id, ...because, ...(corrections !== undefined && { corrections }) }));
  const lines = async () => (await ledger.lines({ limit: 100 })).items;
  const records = async () => (await ledger.records({ limit: 100 })).items;
  return { ledger, gate, quarantine, decided, rejected, released, lines, records };
}

/** `committed 1`, `rejected SG_… field`, `refused SG_… field`, `not_found`. */
function inWords(result: ReleaseResult): string {
  if (result.kind === 'refused') return `refused ${result.rejection.code} ${result.rejection.field}`;
  if (result.kind !== 'decided') return result.kind;
  const { decision } = result.verdict;
  return decision.outcome === 'rejected'
    ? `rejected ${decision.rejection.code} ${decision.rejection.field}`
    : verdictInWords(result.verdict);
}

/** What a transport received but could not read: these bytes, and this of what it says. */
function unreadable(bytes: string, changes: Partial<Arrival> = {}): Arrival {
  const fault = { code: 'SG_JSON_INVALID', message: 'This is not JSON.' } as const;
  return { transport: 'http', receivedAt: noon + 5_000, fault, raw: () => ({ bytes: Buffer.from(bytes) }), ...changes };
}

const whole = wireScan(0, { scan_uuid: 'A', quantity: '2', actor: 'L. Chen' });

describe('a release', () => {
  it('is decided with the time, the scan id and all else that it came with, and with what was corrected', async () => {
    const { rejected, released, lines, records, ledger } = site();
    const came = wireScan(-40_000, { scan_uuid: 'A', quantity: 'one', actor: 'L. Chen', reference: 'RX-7' });
    const id = await rejected({ ...arrival(came), receivedAt: noon });
    expect(await released(id, { quantity: '2.0', reference: null })).toBe('committed 1');
    expect(await lines()).toMatchObject([
      { scan_uuid: 'A', occurred_at: noon - 40_000, received_at: noon, quantity: '2', reference: null, actor: 'L. Chen' },
    ]);
    const [, record] = await records();
    expect(record).toMatchObject({ outcome: 'committed', transport: 'quarantine', flags: [] });
    expect(record?.resolves).toEqual({ quarantine_id: id, ...because, corrected: ['quantity', 'reference'] });
    expect(Buffer.from((await ledger.quarantined(id)) ?? []).toString()).toBe(JSON.stringify(came));
  });

  it('names no corrected fields where there were none', async () => {
    const { gate, ledger, records } = site();
    const oxycodoneScan = arriving(0, { ndc: '0093-5732-01', scan_uuid: 'A' });
    const strict = new Gate({ ledger, policy, directory: directoryOf({}) });
    const { decision } = await strict.submit(oxycodoneScan);
    const id = decision.outcome === 'rejected' ? decision.quarantineId : '';
    const unlisted = new Quarantine({ ledger, policy, directory: directoryOf({}) });
    expect(inWords(await unlisted.release({ id, ...because }))).toBe('rejected SG_PRODUCT_UNLISTED ndc');
    expect(inWords(await unlisted.release({ id, ...because, corrections: { lot_number: 'B' } }))).toContain('UNLISTED');
    expect(await records()).toHaveLength(1);
    const listed = new Quarantine({ ledger, policy, directory: directoryOf({ '000093573201': oxycodone }) });
    expect(inWords(await listed.release({ id, ...because }))).toBe('committed 1');
    expect((await records())[1]).toMatchObject({ resolves: { quarantine_id: id, ...because }, listing: oxycodone });
    expect((await records())[1]?.resolves).not.toHaveProperty('corrected');
    expect(verdictInWords(await gate.submit(oxycodoneScan))).toBe('suppressed 1 same_scan_id 0');
  });

  it('is told to whoever watches, once and only when it was decided', async () => {
    const { rejected, released, decided } = site();
    const id = await rejected(arriving(0, { quantity: 'one' }));
    await released(id);
    await released(id, { quantity: '1' });
    await released(id, { quantity: '1' });
    expect(decided.map(verdictInWords)).toEqual(['committed 1']);
  });

  it('that is no scan still is rejected under its own id, and leaves it where it is', async () => {
    const { rejected, released, records, quarantine } = site();
    const id = await rejected(arriving(0, { quantity: 'one' }));
    expect(await released(id)).toBe('rejected SG_QUANTITY_INVALID quantity');
    expect(await released(id, { quantity: '1', wardrobe: 'x' })).toBe('rejected SG_FIELD_UNKNOWN wardrobe');
    expect(await released(id, { quantity: '1', ndc: null })).toBe('rejected SG_PRODUCT_MISSING ndc');
    const again = await quarantine.release({ id, ...because });
    expect(again.kind === 'decided' && again.verdict.decision).toMatchObject({ outcome: 'rejected', quarantineId: id });
    expect(await records()).toHaveLength(1);
    expect(await released(id, { quantity: '1' })).toBe('committed 1');
  });

  it('in conflict leaves it where it is, and one that is suppressed does not', async () => {
    const { gate, rejected, released } = site();
    await gate.submit(arriving(0, { scan_uuid: 'A' }));
    const id = await rejected(arriving(0, { scan_uuid: 'A', quantity: 'one' }));
    expect(await released(id, { quantity: '3' })).toBe('conflict 1 quantity');
    expect(await released(id, { quantity: '1' })).toBe('suppressed 1 same_scan_id 0');
    expect(await released(id, { quantity: '1' })).toBe('resolved_before');
  });

  it('of what is not there, was released or was discarded does nothing', async () => {
    const { rejected, released, quarantine, lines } = site();
    expect(await released('no-such-id', { quantity: '1' })).toBe('not_found');
    expect((await quarantine.discard({ id: 'no-such-id', ...because })).kind).toBe('not_found');
    const id = await rejected(arriving(0, { quantity: 'one' }));
    expect((await quarantine.discard({ id, ...because })).kind).toBe('discarded');
    expect(await released(id, { quantity: '1' })).toBe('resolved_before');
    expect(await lines()).toEqual([]);
  });

  it.each([
    ['an actor', { actor: '', reason: 'x' }, 'refused SG_FIELD_EMPTY actor'],
    ['a reason', { actor: 'x', reason: ' \u200b' }, 'refused SG_FIELD_EMPTY reason'],
    ['an actor of a length that can be kept', { actor: 'x'.repeat(129), reason: 'x' }, 'refused SG_FIELD_LONG actor'],
    ['a reason of one line', { actor: 'x', reason: 'a\nb' }, 'refused SG_FIELD_CHARACTER reason'],
  ])('needs %s, as a discard does', async (_what, who, told) => {
    const { rejected, quarantine, records } = site();
    const id = await rejected(arriving(0, { quantity: 'one' }));
    expect(inWords(await quarantine.release({ id, ...who, corrections: { quantity: '1' } }))).toBe(told);
    const discard = await quarantine.discard({ id, ...who });
    expect(discard.kind === 'refused' && `refused ${discard.rejection.code} ${discard.rejection.field}`).toBe(told);
    expect(await records()).toHaveLength(1);
  });
});

test('a scan that was rejected is rejected again each time that it is sent, and never suppressed', async () => {
  const { gate, rejected, released, ledger } = site();
  const bad = arriving(0, { scan_uuid: 'A', quantity: 'one' });
  const ids = [await rejected(bad), await rejected(bad), await rejected(bad)];
  expect(new Set(ids).size).toBe(3);
  expect((await ledger.quarantine({ limit: 10, isOpen: true })).items.map(({ id }) => id)).toEqual(ids);
  expect(await released(ids[1] ?? '', { quantity: '1' })).toBe('committed 1');
  expect(await rejected(bad)).not.toBe(ids[1]);
  expect(await released(ids[0] ?? '', { quantity: '1' })).toBe('suppressed 1 same_scan_id 0');
  expect(verdictInWords(await gate.submit(arriving(0, { scan_uuid: 'A' })))).toBe('suppressed 1 same_scan_id 0');
});

describe('what was said at the trigger', () => {
  it.each([
    ['scan_uuid', { scan_uuid: 'B' }],
    ['scan_uuid', { scan_uuid: null }],
    ['captured_at', { captured_at: noon + 1 }],
    ['captured_at', { captured_at: null }],
    ['sent_at', { sent_at: noon + 1 }],
  ])('is not changed where it could be read: %s', async (field, change) => {
    const { rejected, released, records } = site();
    const id = await rejected(arriving(0, { scan_uuid: 'A', sent_at: noon, quantity: 'one' }));
    expect(await released(id, { quantity: '1', ...change })).toBe(`refused SG_FIELDS_DISAGREE ${field}`);
    expect(await records()).toHaveLength(1);
  });

  it.each([
    ['scan_uuid', { scan_uuid: 'B' }],
    ['captured_at', { captured_at: noon }],
    ['sent_at', { sent_at: noon }],
  ])('is not added where it was left out of what could be read: %s', async (field, change) => {
    const { rejected, released } = site();
    const id = await rejected(arriving(0, { captured_at: undefined, quantity: 'one' }));
    expect(await released(id, { quantity: '1', ...change })).toBe(`refused SG_FIELDS_DISAGREE ${field}`);
    expect(await released(id, { quantity: '1' })).toBe('committed 1');
  });

  it.each([
    ['a scan id that cannot be kept', { scan_uuid: 'a|b' }, { scan_uuid: 'A' }],
    ['a time without a zone', { captured_at: '2026-03-05 12:00:00' }, { captured_at: '2026-03-05T12:00:00Z' }],
    ['a time that is none', { captured_at: 'yesterday' }, { captured_at: noon }],
  ])('is corrected where it was wrong: %s', async (_what, came, corrections) => {
    const { rejected, released, lines } = site();
    const id = await rejected(arriving(0, came));
    expect(await released(id, corrections)).toBe('committed 1');
    expect(await lines()).toMatchObject([{ occurred_at: noon, received_at: noon }]);
  });

  it('came with the transport as well, and stays', async () => {
    const { rejected, released, lines } = site();
    const id = await rejected({ ...arriving(0, { quantity: 'one' }), transportScanId: 'KEY-1' });
    expect(await released(id, { quantity: '1', scan_uuid: 'B' })).toBe('refused SG_FIELDS_DISAGREE scan_uuid');
    expect(await released(id, { quantity: '1' })).toBe('committed 1');
    expect(await lines()).toMatchObject([{ scan_uuid: 'KEY-1' }]);
  });
});

describe('what could not be read as one object', () => {
  it.each([
    [
      'truncated',
      unreadable(JSON.stringify(whole), { raw: () => ({ bytes: Buffer.from(JSON.stringify(whole)), truncated: true }) }),
    ],
    ['no JSON', unreadable('{"facility_uuid":"F"')],
    ['an array', unreadable(JSON.stringify([whole]), { value: [whole] })],
    ['an object with a key twice', unreadable(JSON.stringify(whole).replace('{', '{"quantity":"7",'))],
    ['bytes that are no text', unreadable('', { raw: () => ({ bytes: Uint8Array.of(0xff, 0x00, 0x7b) }) })],
    ['nothing', unreadable('')],
  ])('is not guessed: %s needs every field by correction, and takes every field', async (_what, came) => {
    const { rejected, released, lines, records } = site();
    const id = await rejected(came);
    expect(await released(id)).toBe('rejected SG_FIELD_MISSING facility_uuid');
    const { scanner_id: _, ...lacking } = whole;
    expect(await released(id, lacking)).toBe('rejected SG_FIELD_MISSING scanner_id');
    expect(await released(id, whole)).toBe('committed 1');
    expect(await lines()).toMatchObject([
      { facility_uuid: facilityA, scan_uuid: 'A', occurred_at: noon, received_at: noon + 5_000, quantity: '2' },
    ]);
    expect((await records()).map(({ facility_uuid, outcome }) => [facility_uuid, outcome])).toEqual([
      ['-', 'rejected'],
      [facilityA, 'committed'],
    ]);
  });
});

describe('patient data', () => {
  const came = { ...wireScan(0, { scan_uuid: 'A' }), patient_name: 'Jane Roe' };

  it('is not in quarantine, and a release needs its field taken out', async () => {
    const { rejected, released, ledger, records } = site();
    const id = await rejected(arrival(came));
    expect(Buffer.from((await ledger.quarantined(id)) ?? []).toString()).not.toContain('Jane');
    expect(await released(id)).toBe('rejected SG_PATIENT_DATA patient_name');
    expect(await released(id, { patient_name: null })).toBe('committed 1');
    expect(JSON.stringify([await records(), (await ledger.lines({ limit: 9 })).items])).not.toContain('Jane');
  });

  it('does not come in by a correction', async () => {
    const { rejected, released, records } = site();
    const id = await rejected(arriving(0, { quantity: 'one' }));
    expect(await released(id, { quantity: '1', patient_name: 'Jane Roe' })).toBe('rejected SG_PATIENT_DATA patient_name');
    expect(JSON.stringify(await records())).not.toContain('Jane');
  });
});

describe('a row of a file', () => {
  const row = (bytes: string, value: unknown) => ({
    ...unreadable(bytes, { transport: 'file', value }),
    fault: { code: 'SG_ROW_COLUMNS', message: 'The row has 2 columns; the header has 5.' } as const,
  });

  it('keeps the facility of its file, and is given the fields that its columns held', async () => {
    const { rejected, released, lines } = site();
    const id = await rejected(row('too,few', { facility_uuid: facilityA, scanner_id: 'SCN-04' }));
    const years = { scan_type: 'dispense', ndc: '0093-7214-10', captured_at: '2019-03-05T12:00:00Z' };
    expect(await released(id, { scan_type: 'dispense', ndc: '0093-7214-10' })).toBe('rejected SG_TIME_UNUSABLE captured_at');
    expect(await released(id, years)).toBe('committed 1');
    expect(await lines()).toMatchObject([{ facility_uuid: facilityA, scanner_id: 'SCN-04', occurred_at: 1_551_787_200_000 }]);
  });
});
