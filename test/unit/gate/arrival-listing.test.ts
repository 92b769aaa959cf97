import { describe, expect, it } from 'vitest';
import type { ProductDirectory } from '../../../src/directory/product-directory.ts';
import { type Admission, type Arrival, admit } from '../../../src/gate/arrival.ts';
import { Gate } from '../../../src/gate/gate.ts';
import { defaultScannerClass } from '../../../src/identity/scanner-class.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { MemoryLedger } from '../../../src/ledger/memory-ledger.ts';
import { facilityA, wireScan } from '../../../src/testing/wire-scans.ts';
import { arrival, arriving, verdictInWords } from './arriving.ts';
import { directoryOf, oxycodone } from './listed-products.ts';

const listed = directoryOf({ '000093573201': oxycodone });
const policy = () => defaultScannerClass;

function admitted(made: Arrival, admission: Partial<Admission> = { directory: listed }) {
  const transmission = admit(made, { policy, ...admission });
  if (transmission.kind !== 'scan') throw new TypeError(transmission.rejection.message);
  return transmission;
}

describe('what a directory says of a scan', () => {
  it('goes with it, found by its NDC', () => {
    expect(admitted(arriving(0, { ndc: '0093-5732-01' })).listing).toEqual(oxycodone);
  });

  it('is found by the NDC inside its GTIN', () => {
    // Check digit of 0030093573201, by hand: 3·(0+3+0+3+7+2+1) + (0+0+9+5+3+0) = 48 + 17 = 65, so 5.
    const { listing, scan } = admitted(arriving(0, { ndc: undefined, gtin: '00300935732015' }));
    expect(listing).toMatchObject(oxycodone);
    expect(scan.product.ndc11).toBe('00093573201');
  });

  it('is of a case the schedule and the name of its unit, and not its package', () => {
    // An indicator of 1 adds 3 to the sum of the unit: 68, so 2.
    const { listing, scan, unlisted } = admitted(arriving(0, { ndc: undefined, gtin: '10300935732012' }));
    expect(listing).toEqual({ dea_schedule: 'CII', product_name: 'Oxycodone ER' });
    expect([scan.product.ndc11, scan.product.gtin14, unlisted]).toEqual([undefined, '10300935732012', undefined]);
  });

  it('is nothing without a directory', () => {
    const made = admitted(arriving(0, { ndc: '0093-5732-01' }), {});
    expect([made.listing, made.unlisted]).toEqual([undefined, undefined]);
  });
});

describe('a product that the directory does not know', () => {
  it('is to be kept in quarantine with what was received, where it cannot be shown to be a duplicate', () => {
    const value = wireScan(0, { ndc: '0591-0240-00', scan_uuid: 'A' });
    const { unlisted } = admitted(arrival(value));
    expect(unlisted).toMatchObject({
      kind: 'rejection',
      rejection: { code: 'SG_PRODUCT_UNLISTED', field: 'ndc', message: expect.stringContaining('00591024000') },
      origin: { facilityUuid: facilityA, scannerId: 'SCN-04', scanId: 'A' },
    });
    expect(new TextDecoder().decode(unlisted?.raw.bytes)).toBe(JSON.stringify(value));
  });

  it.each([
    ['gtin', { ndc: undefined, gtin: '00305910240004' }],
    ['gtin', { ndc: undefined, gtin: '00312345678906' }],
    ['barcode', { ndc: undefined, lot_number: undefined, barcode: '(01)00305910240004(10)A1' }],
  ])('is named by the field %s in which it came', (field, fields) => {
    expect(admitted(arriving(0, fields)).unlisted?.rejection.field).toBe(field);
  });

  it('is not asked for while no directory was imported to its end', () => {
    const half = directoryOf({ '000093573201': oxycodone }, { isLoaded: false });
    const unknown = admitted(arriving(0, { ndc: '0591-0240-00' }), { directory: half });
    expect([unknown.listing, unknown.unlisted]).toEqual([undefined, undefined]);
    expect(admitted(arriving(0, { ndc: '0093-5732-01' }), { directory: half }).listing).toEqual(oxycodone);
  });

  it('is committed where the setting says so', () => {
    const made = admitted(arriving(0, { ndc: '0591-0240-00' }), { directory: listed, unknownProduct: 'commit' });
    expect([made.listing, made.unlisted]).toEqual([undefined, undefined]);
  });
});

describe('ten bare digits', () => {
  const remifentanil = { dea_schedule: 'CII', package_form: '10 VIAL in 1 CARTON' } as const;
  const directory = directoryOf({ '063323072303': remifentanil }, { ndc10: { '6332372303': '63323072303' } });

  it('are the NDC that the directory says', () => {
    const { scan, listing } = admitted(arriving(0, { ndc: '6332372303' }), { directory });
    expect([scan.product.ndc11, listing]).toEqual(['63323072303', remifentanil]);
    const alone = admit(arriving(0, { ndc: '6332372303' }), { policy });
    expect(alone).toMatchObject({ kind: 'rejection', rejection: { code: 'SG_NDC_AMBIGUOUS' } });
  });

  it('in a GTIN find what is listed under them, and leave the product the GTIN that it is without a directory', () => {
    const gtin = arriving(0, { ndc: undefined, gtin: '00363323723033' });
    const { identity, listing, unlisted } = admitted(gtin, { directory });
    expect(listing).toMatchObject(remifentanil);
    expect([identity, unlisted]).toEqual([admitted(gtin, {}).identity, undefined]);
  });

  it('in the GTIN of a case find the schedule of its unit', () => {
    // 3 more than the sum of the unit, 77 by its check digit of 3: 80, so 0.
    const { listing } = admitted(arriving(0, { ndc: undefined, gtin: '10363323723030' }), { directory });
    expect(listing).toEqual({ dea_schedule: 'CII' });
  });
});

/** Sends through a gate that has this directory, or none. */
async function sent(ledger: Ledger, directory: ProductDirectory | undefined, ...arrivals: Arrival[]): Promise<string[]> {
  const gate = new Gate({ ledger, policy, ...(directory !== undefined && { directory }) });
  const told: string[] = [];
  for (const one of arrivals) told.push(verdictInWords(await gate.submit(one)));
  return told;
}

describe('a directory that is loaded later', () => {
  it('does not bring back what it does not know: a retransmission and a duplicate are suppressed, a new scan is not', async () => {
    const ledger = new MemoryLedger();
    const lorazepam = (ms: number, scan_uuid?: string) => arriving(ms, { ndc: '0591-0240-00', scan_uuid });
    expect(await sent(ledger, undefined, lorazepam(0, 'A'))).toEqual(['committed 1']);
    const again = [lorazepam(0, 'A'), lorazepam(2_999, 'B'), lorazepam(1_000), lorazepam(2_999, 'B'), lorazepam(3_000, 'C')];
    expect(await sent(ledger, listed, ...again, lorazepam(3_000, 'C'))).toEqual([
      'suppressed 1 same_scan_id 0',
      'suppressed 1 same_content 2999',
      'suppressed 1 same_content 1000',
      'suppressed 1 same_scan_id 2999',
      'rejected',
      'rejected',
    ]);
  });

  it('does not make another scan of a GTIN whose NDC it knows', async () => {
    const ledger = new MemoryLedger();
    const directory = directoryOf({ '063323072303': { dea_schedule: 'CII' } }, { ndc10: { '6332372303': '63323072303' } });
    const remifentanil = (ms: number, scan_uuid?: string) => arriving(ms, { ndc: undefined, gtin: '00363323723033', scan_uuid });
    expect(await sent(ledger, undefined, remifentanil(0, 'A'))).toEqual(['committed 1']);
    expect(await sent(ledger, directory, remifentanil(0, 'A'), remifentanil(0), remifentanil(100, 'B'))).toEqual([
      'suppressed 1 same_scan_id 0',
      'suppressed 1 same_content 0',
      'suppressed 1 same_content 100',
    ]);
    expect(await sent(ledger, directory, remifentanil(9_000))).toEqual(['committed 2']);
    const { items } = await ledger.lines({ limit: 10 });
    expect(items.map(({ gtin14, ndc11, ndc12, dea_schedule }) => [gtin14, ndc11, ndc12, dea_schedule])).toEqual([
      ['00363323723033', null, null, 'unknown'],
      ['00363323723033', '63323072303', '063323072303', 'CII'],
    ]);
  });

  it('leaves the lines as they are that were committed before', async () => {
    const ledger = new MemoryLedger();
    const at = (ms: number) => arriving(ms, { ndc: '0093-5732-01' });
    await sent(ledger, undefined, at(0));
    await sent(ledger, listed, at(3_000));
    await sent(ledger, directoryOf({ '000093573201': { dea_schedule: 'CIII' } }), at(6_000), at(3_000));
    const { items } = await ledger.lines({ limit: 10 });
    expect(items.map(({ dea_schedule, book, product_name }) => [dea_schedule, book, product_name])).toEqual([
      ['unknown', 'schedule_1_2', null],
      ['CII', 'schedule_1_2', 'Oxycodone ER'],
      ['CIII', 'schedule_3_5', null],
    ]);
  });
});
