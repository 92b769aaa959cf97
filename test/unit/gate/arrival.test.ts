import { expect, test } from 'vitest';
import { admit } from '../../../src/gate/arrival.ts';
import { defaultScannerClass, type ScannerClass } from '../../../src/identity/scanner-class.ts';
import { facilityA, noon, wireScan } from '../../../src/testing/wire-scans.ts';
import { arrival, arriving } from './arriving.ts';

const policy = () => defaultScannerClass;

test('a scan is admitted with its identity and the class of its scanner', () => {
  const asked: string[] = [];
  const trusting: ScannerClass = { ...defaultScannerClass, name: 'trusting', distinctIds: 'trust' };
  const trustingPolicy = (scannerId: string, facilityUuid: string) => {
    asked.push(scannerId, facilityUuid);
    return trusting;
  };
  const made = admit(arriving(0, { scan_uuid: 'A' }), { policy: trustingPolicy });
  expect(asked).toEqual(['SCN-04', facilityA]);
  expect(made).toMatchObject({
    kind: 'scan',
    transport: 'library',
    scannerClass: trusting,
    scan: { occurredAt: noon, scanId: 'A' },
  });
  const ignoring = admit(arriving(0, { scan_uuid: 'A' }), { policy });
  expect(made.kind === 'scan' && made.identity.content).not.toBe(ignoring.kind === 'scan' && ignoring.identity.content);
});

test('the raw bytes of a scan are not asked for', () => {
  const raw = () => {
    throw new Error('asked for');
  };
  expect(admit({ ...arriving(0), raw }, { policy }).kind).toBe('scan');
});

test('what is no scan is admitted as a rejection with its reason, its origin and its raw bytes', () => {
  const value = wireScan(0, { scan_uuid: 'A', quantity: 'one' });
  const made = admit({ ...arrival(value), receivedAt: noon + 5 }, { policy });
  expect(made).toMatchObject({
    kind: 'rejection',
    receivedAt: noon + 5,
    origin: { facilityUuid: facilityA, scannerId: 'SCN-04', scanId: 'A' },
    rejection: { code: 'SG_QUANTITY_INVALID', field: 'quantity' },
  });
  expect(made.kind === 'rejection' && new TextDecoder().decode(made.raw.bytes)).toBe(JSON.stringify(value));
});

test('what the transport found wrong is the reason, and the value says only where it came from', () => {
  const fault = { code: 'SG_KEY_REPEATED', field: 'quantity', message: 'quantity stands twice.' } as const;
  expect(admit({ ...arriving(0), fault }, { policy })).toMatchObject({
    kind: 'rejection',
    rejection: fault,
    origin: { facilityUuid: facilityA, scannerId: 'SCN-04' },
  });
  const { value: _, ...nothing } = arrival(undefined);
  expect(admit({ ...nothing, fault, raw: () => ({ bytes: Uint8Array.of(0xff) }) }, { policy })).toMatchObject({
    rejection: fault,
    origin: {},
    raw: { bytes: Uint8Array.of(0xff) },
  });
});

test('values that look like patient data are not kept with the rejection', () => {
  const value = { ...wireScan(0), patient_name: 'Jane Roe', more: [{ dob: '1980-01-01', note: 'kept' }] };
  const made = admit(arrival(value), { policy });
  expect(made).toMatchObject({ rejection: { code: 'SG_PATIENT_DATA', field: 'patient_name' }, raw: { redacted: true } });
  const kept = made.kind === 'rejection' ? new TextDecoder().decode(made.raw.bytes) : '';
  expect(kept).not.toMatch(/Jane|1980/);
  expect(JSON.parse(kept)).toMatchObject({ lot_number: 'A1207', more: [{ note: 'kept' }] });
});

test('a value that a transport truncated is kept as what it is', () => {
  const raw = () => ({ bytes: Uint8Array.of(1, 2), truncated: true });
  expect(admit({ ...arrival('?'), raw }, { policy })).toMatchObject({ raw: { bytes: Uint8Array.of(1, 2), truncated: true } });
});
