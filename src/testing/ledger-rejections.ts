import { deepEqual, equal } from 'node:assert/strict';
import type { Decision, RawInput } from '../ledger/ledger.ts';
import type { Promised } from './contract-case.ts';
import { decisionOn, oneByOne, together } from './decision-words.ts';
import { allLines, allRecords, type LedgerPair } from './ledger-pair.ts';
import { facilityA, rejectionAt, scanAt, transmission } from './wire-scans.ts';

/** Every byte there is, NUL and what is no UTF-8 among them. */
const everyByte = Uint8Array.from({ length: 256 }, (_, byte) => byte);

/** `for i in $(seq 0 255); do printf "\\x$(printf %02x $i)"; done | sha256sum` */
const everyByteSha256 = '40aff2e9d2d8922e47afd4648e6967497158785fbd1da870e7110266bf944880';

function rejected(raw: RawInput) {
  return { ...rejectionAt(0), raw };
}

function quarantineIdOf(decision: Decision): string {
  if (decision.outcome !== 'rejected') throw new TypeError(`It was ${decision.outcome}.`);
  return decision.quarantineId;
}

/** R6: what is no scan is journaled, and its bytes are kept. */
export const rejections: Promised<LedgerPair> = {
  async 'what is no scan is journaled under its facility with the reason and what it came from'({ first, second }) {
    const wrong = rejectionAt(5, { scan_uuid: 'A', quantity: 'one' });
    const id = quarantineIdOf(await decisionOn(first, wrong));
    const [record] = await allRecords(second, facilityA);
    equal(record?.seq, 1);
    equal(record?.outcome, 'rejected');
    equal(record?.rejection?.code, 'SG_QUANTITY_INVALID');
    equal(record?.rejection?.field, 'quantity');
    equal(record?.rejection?.message, 'quantity is "one", which is not a decimal number such as 1 or 0.5.');
    equal(record?.rejection?.scanner_id, 'SCN-04');
    equal(record?.rejection?.scan_uuid, 'A');
    equal(record?.rejection?.received_at, 1_772_712_000_005);
    equal(record?.rejection?.quarantine_id, id);
    deepEqual(await allLines(second), []);
  },

  async 'what names no facility is journaled under "-"'({ first, second }) {
    deepEqual(await together(first, transmission('not an object'), rejectionAt(0, { facility_uuid: '' })), [
      'rejected',
      'rejected',
    ]);
    const records = await allRecords(second, '-');
    deepEqual(
      records.map(({ seq, facility_uuid, rejection }) => [seq, facility_uuid, rejection?.code]),
      [
        [1, '-', 'SG_FIELD_TYPE'],
        [2, '-', 'SG_FIELD_EMPTY'],
      ],
    );
  },

  async 'the raw bytes of what was rejected are kept one by one, whatever they are'({ first, second }) {
    const id = quarantineIdOf(await decisionOn(first, rejected({ bytes: everyByte })));
    deepEqual(Array.from((await second.quarantined(id)) ?? []), Array.from(everyByte));
    const [record] = await allRecords(second);
    equal(record?.rejection?.raw_sha256, everyByteSha256);
    equal(record?.rejection?.raw_bytes, 256);
    equal(await second.quarantined('no-such-id'), undefined);
  },

  async 'five megabytes, and nothing at all, can be kept'({ first, second }) {
    const large = quarantineIdOf(await decisionOn(first, rejected({ bytes: new Uint8Array(5_000_000).fill(7) })));
    const none = quarantineIdOf(await decisionOn(first, rejected({ bytes: new Uint8Array() })));
    const kept = await second.quarantined(large);
    equal(kept?.byteLength, 5_000_000);
    equal(
      kept?.every((byte) => byte === 7),
      true,
    );
    equal((await second.quarantined(none))?.byteLength, 0);
  },

  async 'that bytes were cut off or taken out is recorded'({ first }) {
    await first.append([
      rejected({ bytes: everyByte, truncated: true }),
      rejected({ bytes: everyByte, redacted: true }),
      rejected({ bytes: everyByte }),
    ]);
    deepEqual(
      (await allRecords(first)).map(({ rejection }) => [rejection?.truncated, rejection?.redacted]),
      [
        [true, undefined],
        [undefined, true],
        [undefined, undefined],
      ],
    );
  },

  async 'a scan id that was rejected is still free'({ first, second }) {
    const wrong = rejectionAt(0, { scan_uuid: 'A', quantity: 'one' });
    const right = scanAt(0, { scan_uuid: 'A' });
    deepEqual(await oneByOne(first, [wrong, right]), ['rejected', 'committed 1']);
    deepEqual(await oneByOne(second, [wrong, right]), ['rejected', 'suppressed 1 same_scan_id 0']);
  },
};
