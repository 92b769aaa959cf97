import { describe, expect, it } from 'vitest';
import { identify, identityText } from '../../../src/identity/identify.ts';
import { defaultScannerClass } from '../../../src/identity/scanner-class.ts';
import { readScan, receivedAt, scanOf, wireScan } from '../../support/scans.ts';
import { claimKeyVectors } from './claim-key-vectors.ts';

const contentOf = (changes: Record<string, unknown>) => identify(scanOf(changes), defaultScannerClass).content;
const fingerprintOf = (changes: Record<string, unknown>) => identify(scanOf(changes), defaultScannerClass).fingerprint;

describe('identity text, content identity and claim key', () => {
  it('has the vector of the design', () => {
    const scan = scanOf({ captured_at: 587_402_113 * 3_000 });

    expect(identify(scan, defaultScannerClass).claimKey).toBe(
      'scan:idem:fc903c16bc08bcdbfbcc79c7d1ab181a19617bca675ecd8adc447d37e1231021',
    );
  });

  it.each(claimKeyVectors)(
    '$behaviour',
    ({ changes, occurredAt, windowMs, distinctIds, text, content, windowIndex, claimKey }) => {
      const scannerClass = { ...defaultScannerClass, windowMs, distinctIds };
      const scan = scanOf({ ...changes, captured_at: occurredAt });
      const identity = identify(scan, scannerClass);

      expect(identityText(scan, scannerClass)).toBe(text);
      expect(identity.content).toBe(content);
      expect(Math.floor(scan.occurredAt / windowMs)).toBe(windowIndex);
      expect(identity.claimKey).toBe(claimKey);
    },
  );

  it('has a window index that goes down before 1970, not towards zero', () => {
    const scan = { ...scanOf(), occurredAt: -1 };

    // printf '%s' 'F…F|SCN-04|00093721410|A1207|1|dispense|-1' | sha256sum
    expect(identify(scan, defaultScannerClass).claimKey).toBe(
      'scan:idem:12f4bcf2aebc278f2c4d4667a0141f3239ee7543b96f7d04ad94c686072e31bb',
    );
  });
});

describe('content identity', () => {
  it('is one for every spelling of one scan', () => {
    const spellings = [
      {},
      { quantity: 1 },
      { quantity: '1' },
      { quantity: '1.00' },
      { quantity: '+01' },
      { unit: 'EA' },
      { ndc: '0093-7214-10' },
      { ndc: '00093-7214-10' },
      { ndc: ' 00093721410\r\n' },
      { lot_number: 'A1207\r\n' },
      { lot_number: 'A1207\r\r' },
      { lot_number: 'A1207\t' },
      { lot_number: '\uFEFFA12\u200B07\u00A0' },
      { scanner_id: 'SCN\u00AD-04' },
    ];

    expect(new Set(spellings.map(contentOf))).toEqual(
      new Set(['b2c9003bc96ba715c28c32a955cbdd3b8ce50d065bd8ace9a2dd0e0face00a81']),
    );
  });

  it('is one for a GTIN of 12, 13 and 14 digits', () => {
    const spellings = ['312345678906', '0312345678906', '00312345678906'];

    expect(new Set(spellings.map((gtin) => contentOf({ ndc: undefined, gtin })))).toEqual(
      new Set(['5061d782faa9dc851a899d6ea5a92d62c916c8c62314779a84b17b2ae0a7b337']),
    );
  });

  it('does not depend on the order, white space and escapes of the JSON', () => {
    const texts = [
      '{"facility_uuid":"F","scanner_id":"SCN-04","scan_type":"dispense","ndc":"00093721410","lot_number":"LOT\u00c97","quantity":1}',
      '{"quantity":1.0,"lot_number":"LOT\\u00c97","ndc":"00093721410","scan_type":"dispense","scanner_id":"SCN-04","facility_uuid":"F"}',
      '{ "lot_number" : "LOTE\\u03017",\n "ndc":"00093721410", "facility_uuid":"\\u0046","scanner_id":"SCN-04","quantity":1e0,"scan_type":"dispense" }',
    ];

    expect(new Set(texts.map((json) => identify(readScan(JSON.parse(json)), defaultScannerClass).content)).size).toBe(1);
  });

  it('is ten for ten serials of one lot in one second', () => {
    const serials = ['S01', 'S02', 'S03', 'S04', 'S05', 'S06', 'S07', 'S08', 'S09', 'S10'];

    expect(new Set(serials.map((serial_number) => contentOf({ serial_number }))).size).toBe(10);
  });

  it('differs in every dimension of what was scanned where', () => {
    const different = [
      {},
      { facility_uuid: 'G'.repeat(36) },
      { scanner_id: 'SCN-05' },
      { scanner_id: 'scn-04' },
      { ndc: '00093721411' },
      { ndc: undefined, gtin: '312345678906' },
      { ndc: undefined, gtin: '10312345678903' },
      { lot_number: undefined },
      { lot_number: 'a1207' },
      { lot_number: '0A1207' },
      { lot_number: '1E5' },
      { lot_number: '100000' },
      { serial_number: 'S01' },
      { serial_number: 's01' },
      { quantity: 2 },
      { quantity: '0.5' },
      { quantity: '0.5', unit: 'ML' },
      { quantity: '0.5', unit: 'GM' },
      { scan_type: 'receive' },
      { scan_type: 'waste' },
      { scan_type: 'transfer', direction: 'in' },
      { scan_type: 'transfer', direction: 'out' },
      { scan_type: 'return', direction: 'in' },
      { reference: 'RX-1' },
      { reference: 'RX-2' },
    ];

    expect(new Set(different.map(contentOf)).size).toBe(different.length);
  });

  it('keeps a case apart from its unit', () => {
    expect(contentOf({ ndc: undefined, gtin: '10304060512013' })).not.toBe(contentOf({ ndc: undefined, gtin: '00304060512016' }));
  });

  it('does not depend on times, actor, reason and expiry', () => {
    const same = [
      {},
      { captured_at: receivedAt - 5_000 },
      { sent_at: receivedAt - 5_000 },
      { actor: 'jd' },
      { reason: 'second count' },
      { expiration_date: '2027-02-28' },
    ];

    expect(new Set(same.map(contentOf)).size).toBe(1);
  });

  it('keeps __proto__ as a lot like any other', () => {
    expect(contentOf({ lot_number: '__proto__' })).not.toBe(contentOf({ lot_number: undefined }));
  });
});

describe('fingerprint', () => {
  // printf '%s' '<canonical JSON>' | sha256sum
  it.each([
    [
      {},
      '{"facility_uuid":"FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF","lot_number":"A1207","product":"00093721410","quantity":"1",' +
        '"scan_type":"dispense","scanner_id":"SCN-04","unit":"EA"}',
      '250b5dbe858a6ea4a97dd5fbc1a60888473ecf9445c09ebcde36a03545a8936b',
    ],
    [
      {
        scan_type: 'return',
        direction: 'in',
        quantity: '12.250',
        unit: 'GM',
        serial_number: 'S01',
        expiration_date: '2027-02-28',
        reference: 'RX-100234',
        reason: 'recall',
      },
      '{"direction":"in","expiration_date":"2027-02-28","facility_uuid":"FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF",' +
        '"lot_number":"A1207","product":"00093721410","quantity":"12.25","reason":"recall","reference":"RX-100234",' +
        '"scan_type":"return","scanner_id":"SCN-04","serial_number":"S01","unit":"GM"}',
      'a6717d7ccdadb76f81495b596154c3a1f6f10a4afd1347f0132fa5054cfbbe1c',
    ],
    [
      { ndc: undefined, gtin: '10304060512013', lot_number: undefined },
      '{"facility_uuid":"FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF","product":"10304060512013","quantity":"1",' +
        '"scan_type":"dispense","scanner_id":"SCN-04","unit":"EA"}',
      'b8ecbce46c28ed4109559c8aeee0b2adc3cc257d68a21072ddb3e7eb5c1c4fa5',
    ],
  ])('is the digest of the movement of %j', (changes, _canonicalJson, digest) => {
    expect(fingerprintOf(changes)).toBe(digest);
  });

  it('is one for two transmissions without a time, received 5 s apart', () => {
    const [first, second] = [receivedAt, receivedAt + 5_000].map((at) =>
      identify(readScan(wireScan({ scan_uuid: 'a-1' }), { receivedAt: at }), defaultScannerClass),
    );

    expect(second?.fingerprint).toBe(first?.fingerprint);
    expect(second?.content).toBe(first?.content);
  });

  it('does not depend on times, actor, scan id, spelling and scanner class', () => {
    const same = [
      {},
      { captured_at: receivedAt - 5_000, sent_at: receivedAt },
      { actor: 'jd' },
      { scan_uuid: 'a-1' },
      { quantity: '1.0' },
      { lot_number: ' A1207' },
      { ndc: '0093-7214-10' },
    ];
    const trusting = identify(scanOf({ scan_uuid: 'a-1' }), { ...defaultScannerClass, windowMs: 10_000, distinctIds: 'trust' });

    expect(new Set([...same.map(fingerprintOf), trusting.fingerprint]).size).toBe(1);
  });

  it('differs in every field of the movement', () => {
    const different = [
      {},
      { facility_uuid: 'G'.repeat(36) },
      { scanner_id: 'SCN-05' },
      { scan_type: 'waste' },
      { ndc: '00093721411' },
      { lot_number: undefined },
      { lot_number: 'B1207' },
      { serial_number: 'S01' },
      { expiration_date: '2027-02-28' },
      { quantity: 2 },
      { unit: 'ML' },
      { scan_type: 'transfer', direction: 'in' },
      { scan_type: 'transfer', direction: 'out' },
      { reference: 'RX-1' },
      { reason: 'recall' },
    ];

    expect(new Set(different.map(fingerprintOf)).size).toBe(different.length);
  });
});
