import { deepEqual, equal } from 'node:assert/strict';
import type { Ledger, ScanTransmission, Transmission } from '../ledger/ledger.ts';
import type { QuarantineEntry, Resolution, ResolveRequest } from '../ledger/quarantine-entry.ts';
import type { Promised } from './contract-case.ts';
import { decisionOn, inWords, together } from './decision-words.ts';
import { allLines, allRecords, type LedgerPair } from './ledger-pair.ts';
import { facilityA, facilityB, rejectionAt, scanAt, transmission } from './wire-scans.ts';

/** Sends what is no scan; the id under which it is in quarantine. */
async function quarantinedId(ledger: Ledger, rejection: Transmission = rejectionAt(0)): Promise<string> {
  const decision = await decisionOn(ledger, rejection);
  if (decision.outcome !== 'rejected') throw new TypeError(`It was ${decision.outcome}.`);
  return decision.quarantineId;
}

const because = { actor: 'R. Ph. 0412', reason: 'label misread' };

function releaseOf(id: string, scan: ScanTransmission, corrected?: readonly string[]): ResolveRequest {
  const resolves = { quarantine_id: id, ...because, ...(corrected !== undefined && { corrected }) };
  return { kind: 'release', resolves, transmission: { ...scan, transport: 'quarantine' } };
}

function discardOf(id: string): ResolveRequest {
  return { kind: 'discard', resolves: { quarantine_id: id, ...because } };
}

/** A resolution in a few words: `committed 1`, `discarded`, `released before`, `not_found`. */
function told(resolution: Resolution): string {
  if (resolution.kind === 'decided') return inWords(resolution.decision);
  if (resolution.kind !== 'resolved_before') return resolution.kind;
  return `${resolution.entry.resolution?.outcome} before`;
}

async function resolved(ledger: Ledger, request: ResolveRequest): Promise<string> {
  return told(await ledger.resolve(request));
}

/** The sequence numbers of the rejections that are in quarantine. */
async function listed(ledger: Ledger, query: { isOpen?: boolean; facilityUuid?: string } = {}): Promise<number[]> {
  return (await ledger.quarantine({ limit: 1_000, ...query })).items.map(({ record }) => record.seq);
}

const listing = {
  dea_schedule: 'CII',
  product_name: 'Meperidine',
  package_form: 'INJECTION; 25 VIAL in 1 CARTON',
  units_per_container: '25',
} as const;

/** A scan that a product directory does not know. */
function unlistedAt(ms: number, changes: Parameters<typeof scanAt>[1] = {}): ScanTransmission {
  const { kind: _, rejection: __, ...unlisted } = rejectionAt(ms, { ...changes, quantity: 'one' });
  const rejection = { code: 'SG_PRODUCT_UNLISTED', field: 'ndc', message: 'The product directory does not know it.' } as const;
  return { ...scanAt(ms, changes), unlisted: { kind: 'rejection', rejection, ...unlisted } };
}

const inOrder: Promised<LedgerPair> = {
  async 'what was rejected is in quarantine, in the order in which it came, with its record'({ first, second }) {
    const ids = [await quarantinedId(first), await quarantinedId(second, transmission('no object'))];
    await first.append([scanAt(0), rejectionAt(5, { facility_uuid: facilityB, quantity: 'one' })]);
    const { items } = await second.quarantine({ limit: 10 });
    deepEqual(
      items.map(({ record }) => [record.facility_uuid, record.seq, record.rejection?.code]),
      [
        [facilityA, 1, 'SG_QUANTITY_INVALID'],
        ['-', 1, 'SG_FIELD_TYPE'],
        [facilityB, 1, 'SG_QUANTITY_INVALID'],
      ],
    );
    deepEqual(
      items.slice(0, 2).map(({ id }) => id),
      ids,
    );
    const [record] = await allRecords(first, facilityA);
    deepEqual(await second.quarantineEntry(ids[0] ?? ''), { id: ids[0], record });
    equal(await second.quarantineEntry('no-such-id'), undefined);
  },

  async 'the quarantine of one facility is listed alone, and that of what names none'({ first, second }) {
    await first.append([rejectionAt(0), transmission(7), rejectionAt(1, { facility_uuid: facilityB, quantity: 'x' }), scanAt(0)]);
    await first.append([rejectionAt(2)]);
    deepEqual(await listed(second, { facilityUuid: facilityA }), [1, 3]);
    deepEqual(await listed(second, { facilityUuid: '-' }), [1]);
    deepEqual(await listed(second, { facilityUuid: 'nobody' }), []);
  },

  async 'only what is open is listed where that is asked for'({ first, second }) {
    const [released, discarded] = [await quarantinedId(first), await quarantinedId(first)];
    await quarantinedId(first);
    await first.resolve(releaseOf(released, scanAt(0)));
    await first.resolve(discardOf(discarded));
    deepEqual(await listed(second, { isOpen: true }), [3]);
    deepEqual(await listed(second, { isOpen: true, facilityUuid: facilityA }), [3]);
    deepEqual(await listed(second), [1, 2, 3]);
  },

  async 'who pages through what is open and resolves each page on the way meets everything once'({ first, second }) {
    await first.append(Array.from({ length: 7 }, (_, index) => rejectionAt(index)));
    const met: number[] = [];
    let after = '0';
    for (let page: readonly QuarantineEntry[] = []; met.length < 8; met.push(...page.map(({ record }) => record.seq))) {
      const { items, next } = await second.quarantine({ limit: 2, isOpen: true, after });
      if (items.length === 0) break;
      for (const { id } of items) await first.resolve(discardOf(id));
      [page, after] = [items, next];
    }
    deepEqual(met, [1, 2, 3, 4, 5, 6, 7]);
    const end = await second.quarantine({ limit: 2, after });
    deepEqual([end.items, end.next], [[], after]);
  },
};

const releasing: Promised<LedgerPair> = {
  async 'a release is committed as one line, by a record that says who let it out and what was corrected'({ first, second }) {
    const id = await quarantinedId(first, rejectionAt(0, { scan_uuid: 'A', quantity: 'one' }));
    equal(await resolved(second, releaseOf(id, scanAt(0, { scan_uuid: 'A' }, { receivedMs: 40 }), ['quantity'])), 'committed 1');
    const [line] = await allLines(first);
    deepEqual(
      [line?.scan_uuid, line?.occurred_at, line?.received_at, line?.journal_seq],
      ['A', 1_772_712_000_000, 1_772_712_000_040, 2],
    );
    const [, record] = await allRecords(first);
    deepEqual(
      [record?.outcome, record?.transport, record?.entry?.id, record?.resolves],
      [
        'committed',
        'quarantine',
        line?.entry_id,
        { quarantine_id: id, actor: 'R. Ph. 0412', reason: 'label misread', corrected: ['quantity'] },
      ],
    );
    deepEqual((await first.quarantineEntry(id))?.resolution, record);
    deepEqual(
      Buffer.from((await first.quarantined(id)) ?? []).includes('"quantity":"one"'),
      true,
      'the bytes are kept after the release',
    );
  },

  async 'what was released is told so to whoever releases or discards it again, and nothing is written'({ first, second }) {
    const id = await quarantinedId(first);
    await first.resolve(releaseOf(id, scanAt(0)));
    const before = await allRecords(first);
    equal(await resolved(second, releaseOf(id, scanAt(9_000, { lot_number: 'B9' }))), 'committed before');
    equal(await resolved(second, releaseOf(id, scanAt(0))), 'committed before');
    equal(await resolved(first, discardOf(id)), 'committed before');
    deepEqual(await allRecords(second), before);
    equal((await allLines(second)).length, 1);
  },

  async 'a retransmission of what was released is suppressed by its line'({ first, second }) {
    const id = await quarantinedId(first);
    await first.resolve(releaseOf(id, scanAt(0, { scan_uuid: 'A' })));
    deepEqual(await together(second, scanAt(0, { scan_uuid: 'A' }), scanAt(2_999), scanAt(0, { scan_uuid: 'A', quantity: 2 })), [
      'suppressed 1 same_scan_id 0',
      'suppressed 1 same_content 2999',
      'conflict 1 quantity',
    ]);
  },

  async 'a release that is a duplicate is suppressed, and is no longer in quarantine'({ first, second }) {
    await first.append([scanAt(0, { scan_uuid: 'A' })]);
    const [byId, byContent] = [await quarantinedId(first), await quarantinedId(first)];
    equal(await resolved(second, releaseOf(byId, scanAt(0, { scan_uuid: 'A' }))), 'suppressed 1 same_scan_id 0');
    equal(await resolved(second, releaseOf(byContent, scanAt(100, { scan_uuid: 'B' }))), 'suppressed 1 same_content 100');
    equal(await resolved(first, releaseOf(byId, scanAt(0, { scan_uuid: 'A' }))), 'suppressed before');
    equal((await first.quarantineEntry(byContent))?.resolution?.resolves?.actor, 'R. Ph. 0412');
    deepEqual(await listed(first, { isOpen: true }), []);
    deepEqual(await together(first, scanAt(100, { scan_uuid: 'B' })), ['suppressed 1 same_scan_id 100']);
    equal((await allLines(first)).length, 1);
  },

  async 'a release in conflict is on record, and leaves the input where it is'({ first, second }) {
    await first.append([scanAt(0, { scan_uuid: 'A' })]);
    const id = await quarantinedId(first);
    equal(await resolved(second, releaseOf(id, scanAt(0, { scan_uuid: 'A', quantity: 3 }))), 'conflict 1 quantity');
    const last = (await allRecords(first)).at(-1);
    deepEqual([last?.seq, last?.outcome, last?.resolves?.quarantine_id], [3, 'conflict', id]);
    equal((await first.quarantineEntry(id))?.resolution, undefined);
    equal(await resolved(first, releaseOf(id, scanAt(50_000, { scan_uuid: 'C' }))), 'committed 2');
  },

  async 'what came from nowhere is released into the facility that it is given'({ first, second }) {
    const id = await quarantinedId(first, transmission('no object'));
    equal(await resolved(second, releaseOf(id, scanAt(0, { facility_uuid: facilityB }))), 'committed 1');
    const entry = await first.quarantineEntry(id);
    deepEqual([entry?.record.facility_uuid, entry?.resolution?.facility_uuid, entry?.resolution?.seq], ['-', facilityB, 1]);
    deepEqual(
      (await allRecords(first, '-')).map(({ outcome }) => outcome),
      ['rejected'],
    );
    equal(await resolved(first, discardOf(id)), 'committed before');
  },

  async 'under an id that is not there nothing is released, discarded or written'({ first, second }) {
    await quarantinedId(first);
    const unknown = '00000000-0000-7000-8000-000000000000';
    equal(await resolved(second, releaseOf(unknown, scanAt(0))), 'not_found');
    equal(await resolved(second, discardOf(unknown)), 'not_found');
    deepEqual([(await allRecords(first)).length, (await allLines(first)).length], [1, 0]);
  },
};

const discarding: Promised<LedgerPair> = {
  async 'what was discarded is on record, keeps its bytes, and is never released'({ first, second }) {
    const id = await quarantinedId(first, rejectionAt(0, { scan_uuid: 'A', quantity: 'one' }));
    const resolution = await second.resolve(discardOf(id));
    const [, record] = await allRecords(first, facilityA);
    deepEqual(resolution.kind === 'discarded' && resolution.entry.resolution, record);
    deepEqual([record?.seq, record?.outcome, record?.resolves], [2, 'discarded', { quarantine_id: id, ...because }]);
    equal(await resolved(first, releaseOf(id, scanAt(0, { scan_uuid: 'A' }))), 'discarded before');
    equal(await resolved(first, discardOf(id)), 'discarded before');
    deepEqual(await allLines(first), []);
    equal((await first.quarantined(id))?.byteLength, (await allRecords(first))[0]?.rejection?.raw_bytes);
    deepEqual(await together(first, scanAt(0, { scan_uuid: 'A' })), ['committed 1']);
  },

  async 'what names no facility is discarded under "-"'({ first, second }) {
    const id = await quarantinedId(first, transmission('no object'));
    equal(await resolved(second, discardOf(id)), 'discarded');
    deepEqual(
      (await allRecords(first)).map(({ facility_uuid, seq, outcome }) => [facility_uuid, seq, outcome]),
      [
        ['-', 1, 'rejected'],
        ['-', 2, 'discarded'],
      ],
    );
  },
};

const listings: Promised<LedgerPair> = {
  async 'what the product directory said is on the line and in its record, and in no other record'({ first, second }) {
    const told = await together(first, { ...scanAt(0), listing }, { ...scanAt(100), listing });
    deepEqual(told, ['committed 1', 'suppressed 1 same_content 100']);
    const [line] = await allLines(second);
    deepEqual(
      [line?.dea_schedule, line?.book, line?.product_name, line?.package_form, line?.units_per_container],
      ['CII', 'schedule_1_2', 'Meperidine', 'INJECTION; 25 VIAL in 1 CARTON', '25'],
    );
    deepEqual(
      (await allRecords(second)).map((record) => record.listing),
      [listing, undefined],
    );
  },

  async 'what no directory knows is rejected in place of a commit, each time that it comes'({ first, second }) {
    const scan = unlistedAt(0, { scan_uuid: 'A' });
    deepEqual(await together(first, scan, scan), ['rejected', 'rejected']);
    deepEqual(await together(second, scan), ['rejected']);
    deepEqual(await listed(first, { isOpen: true }), [1, 2, 3]);
    deepEqual(
      (await allRecords(first)).map(({ rejection }) => rejection?.code),
      Array(3).fill('SG_PRODUCT_UNLISTED'),
    );
    deepEqual(await allLines(first), []);
  },

  async 'what no directory knows is suppressed all the same where it is a duplicate, and in conflict under its id'(pair) {
    const { first, second } = pair;
    await first.append([scanAt(0, { scan_uuid: 'A' })]);
    const told = await together(
      second,
      unlistedAt(0, { scan_uuid: 'A' }),
      unlistedAt(2_999),
      unlistedAt(100, { scan_uuid: 'B' }),
      unlistedAt(0, { scan_uuid: 'A', lot_number: 'B9' }),
      unlistedAt(3_000),
    );
    deepEqual(told, [
      'suppressed 1 same_scan_id 0',
      'suppressed 1 same_content 2999',
      'suppressed 1 same_content 100',
      'conflict 1 lot_number',
      'rejected',
    ]);
    equal((await allLines(first)).length, 1);
  },

  async 'a release of what no directory knows is rejected under its own id, and writes nothing'({ first, second }) {
    const id = await quarantinedId(first, unlistedAt(0));
    const before = await allRecords(first);
    const resolution = await second.resolve(releaseOf(id, unlistedAt(0)));
    const decision = resolution.kind === 'decided' ? resolution.decision : undefined;
    deepEqual(decision?.outcome === 'rejected' && [decision.quarantineId, decision.rejection.code], [id, 'SG_PRODUCT_UNLISTED']);
    deepEqual(await allRecords(first), before);
    deepEqual(await listed(first, { isOpen: true }), [1]);
    equal(await resolved(first, releaseOf(id, { ...scanAt(0), listing })), 'committed 1');
    equal((await allLines(second))[0]?.dea_schedule, 'CII');
  },

  async 'a release of what no directory knows is suppressed where it is a duplicate'({ first, second }) {
    const id = await quarantinedId(first, unlistedAt(0));
    await first.append([scanAt(100)]);
    equal(await resolved(second, releaseOf(id, unlistedAt(0))), 'suppressed 1 same_content 100');
    equal(await resolved(first, discardOf(id)), 'suppressed before');
  },
};

/** Asks both instances in turn, all at once. */
function race({ first, second }: LedgerPair, requests: readonly ResolveRequest[]): Promise<Resolution[]> {
  return Promise.all(requests.map((request, index) => (index % 2 === 0 ? first : second).resolve(request)));
}

const racing: Promised<LedgerPair> = {
  async 'of fifty releases of one input at once exactly one is done, and all others are told of it'(pair) {
    const id = await quarantinedId(pair.first);
    const lots = Array.from({ length: 50 }, (_, index) => `L${index}`);
    const ends = await race(
      pair,
      lots.map((lot_number) => releaseOf(id, scanAt(0, { lot_number }))),
    );
    deepEqual(ends.map(told).toSorted(), ['committed 1', ...Array<string>(49).fill('committed before')]);
    const [line, ...others] = await allLines(pair.second);
    deepEqual(others, []);
    const winner = ends.findIndex(({ kind }) => kind === 'decided');
    equal(line?.lot_number, `L${winner}`);
    const named = ends.flatMap((end) => (end.kind === 'resolved_before' ? [end.entry.resolution?.entry?.id] : []));
    deepEqual(named, Array(49).fill(line?.entry_id));
    deepEqual(
      (await allRecords(pair.first)).map(({ outcome }) => outcome),
      ['rejected', 'committed'],
    );
  },

  async 'of releases and discards of one input at once exactly one is done'(pair) {
    const id = await quarantinedId(pair.first);
    const requests = Array.from({ length: 40 }, (_, index) => (index % 4 < 2 ? discardOf(id) : releaseOf(id, scanAt(0))));
    const ends = await race(pair, requests);
    const done = ends.filter(({ kind }) => kind !== 'resolved_before').map(told);
    equal(done.length, 1);
    const outcome = done[0] === 'discarded' ? 'discarded' : 'committed';
    deepEqual(
      (await allRecords(pair.second)).map((record) => record.outcome),
      ['rejected', outcome],
    );
    equal((await allLines(pair.second)).length, outcome === 'committed' ? 1 : 0);
  },

  async 'releases of many inputs beside new scans are one line each, numbered without gaps'(pair) {
    const ids: string[] = [];
    for (let index = 0; index < 20; index += 1) ids.push(await quarantinedId(pair.first, rejectionAt(index)));
    const released = race(
      pair,
      ids.flatMap((id, index) => [1, 2].map(() => releaseOf(id, scanAt(0, { scan_uuid: `R${index}`, lot_number: `R${index}` })))),
    );
    const sent = ids.map((_, index) => pair.second.append([scanAt(0, { lot_number: `S${index}` })]));
    const ends = await released;
    await Promise.all(sent);
    equal(ends.filter(({ kind }) => kind === 'decided').length, 20);
    equal(ends.filter(({ kind }) => kind === 'resolved_before').length, 20);
    const lines = await allLines(pair.first);
    deepEqual(
      lines.map(({ line }) => line),
      Array.from({ length: 40 }, (_, index) => index + 1),
    );
    equal(new Set(lines.map(({ lot_number }) => lot_number)).size, 40);
    equal((await allRecords(pair.first)).length, 60);
  },
};

/** What was rejected is released at most once, or discarded; and what a product directory does not know is kept there. */
export const quarantine: Promised<LedgerPair> = {
  ...inOrder,
  ...releasing,
  ...discarding,
  ...listings,
  ...racing,
};
