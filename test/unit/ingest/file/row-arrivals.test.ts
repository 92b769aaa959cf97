import { describe, expect, it } from 'vitest';
import type { Arrival } from '../../../../src/gate/arrival.ts';
import type { FileRow } from '../../../../src/ingest/file/file-row.ts';
import { RowArrivals } from '../../../../src/ingest/file/row-arrivals.ts';
import { parseScan } from '../../../../src/scan/parse-scan.ts';
import type { Rejection } from '../../../../src/scan/rejection.ts';

/** 2026-12-01T00:00:00Z. */
const receivedAt = 1_796_083_200_000;

function rowOf(changes: Readonly<Record<string, unknown>>, fault?: FileRow['fault']): FileRow {
  const scan = { facility_uuid: 'F1', scanner_id: 'S1', scan_type: 'dispense', gtin: '312345678906', ...changes };
  const value = Object.fromEntries(Object.entries(scan).filter(([, field]) => field !== undefined));
  const evidence = () => ({ raw: { bytes: Buffer.from('raw') }, text: 'raw' });
  return { line: 3, value, evidence, ...(fault !== undefined && { fault }) };
}

function arrivalOf(
  changes: Readonly<Record<string, unknown>>,
  options: { zone?: string; hasDecimalComma?: boolean } = {},
): Arrival {
  return new RowArrivals({ hasDecimalComma: false, ...options }).of(rowOf(changes), receivedAt);
}

/** The time and the flags that the gate reads. */
function timeOf(arrival: Arrival): { at: string; flags: readonly string[] } {
  const scan = parseScan(arrival.value, arrival);
  if (!scan.ok) throw new Error(scan.error.rejection.message);
  return { at: new Date(scan.value.occurredAt).toISOString(), flags: scan.value.flags };
}

function refusalOf(arrival: Arrival): Rejection | undefined {
  const scan = parseScan(arrival.value, arrival);
  return scan.ok ? undefined : scan.error.rejection;
}

describe('a row', () => {
  it('may be as old as it likes', () => {
    expect(timeOf(arrivalOf({ captured_at: '2009-06-01T08:00:00Z' }))).toEqual({
      at: '2009-06-01T08:00:00.000Z',
      flags: ['late'],
    });
  });

  it.each([
    ['no time', {}],
    ['a time before all clocks', { captured_at: '1970-01-01T00:00:00Z' }],
    ['a time in the far future', { captured_at: '2036-02-07T06:28:16Z' }],
    ['a time that says nothing', { captured_at: 'NaN' }],
    ['a time that is known from its sending only', { captured_at: '1970-01-01T00:00:10Z', sent_at: '1970-01-01T00:00:20Z' }],
  ])('with %s is refused without a scan id, and taken with one', (_what, times) => {
    expect(refusalOf(arrivalOf(times))).toMatchObject({ code: 'SG_TIME_UNUSABLE', field: 'captured_at' });
    expect(refusalOf(arrivalOf({ ...times, scan_uuid: 'ev-1' }))).toBeUndefined();
  });

  it('with an ambiguous local time is flagged', () => {
    const arrival = arrivalOf({ captured_at: '2026-11-01 01:30:00' }, { zone: 'America/New_York' });
    expect(timeOf(arrival)).toEqual({ at: '2026-11-01T05:30:00.000Z', flags: ['late', 'time_ambiguous'] });
  });

  it('with a local time and no zone is refused under its own facility', () => {
    const arrival = arrivalOf({ captured_at: '2026-11-01 01:30:00', scan_uuid: 'ev-1' });
    expect(refusalOf(arrival)).toEqual({
      code: 'SG_TIME_ZONE_MISSING',
      field: 'captured_at',
      message:
        'captured_at is "2026-11-01 01:30:00", a local time. Say in which zone with --zone, as in --zone America/New_York.',
    });
    const parsed = parseScan(arrival.value, arrival);
    expect(parsed).toMatchObject({ ok: false, error: { origin: { facilityUuid: 'F1', scannerId: 'S1', scanId: 'ev-1' } } });
  });

  it('has its decimal comma read only where the file uses it', () => {
    const captured_at = '2026-03-05T14:00:00Z';
    const withComma = (quantity: unknown) => arrivalOf({ captured_at, quantity }, { hasDecimalComma: true });
    expect(withComma('0,5')).toMatchObject({ value: { quantity: '0.5' } });
    expect(withComma('12')).toMatchObject({ value: { quantity: '12' } });
    expect(withComma(0.5)).toMatchObject({ value: { quantity: 0.5 } });
    expect(refusalOf(withComma('1.234'))).toMatchObject({ code: 'SG_QUANTITY_INVALID', field: 'quantity' });
    expect(refusalOf(withComma('1.234,5'))?.code).toBe('SG_QUANTITY_INVALID');
    expect(refusalOf(withComma('1,234,5'))?.code).toBe('SG_QUANTITY_INVALID');
    expect(refusalOf(arrivalOf({ captured_at, quantity: '0,5' }))?.code).toBe('SG_QUANTITY_INVALID');
    expect(arrivalOf({ captured_at, quantity: '1.234' })).toMatchObject({ value: { quantity: '1.234' } });
  });

  it('that cannot be read keeps its reason', () => {
    const fault = { code: 'SG_ROW_QUOTE', message: 'The row opens a quote.' } as const;
    const arrival = new RowArrivals({ hasDecimalComma: false }).of(rowOf({}, fault), receivedAt);
    expect(refusalOf(arrival)).toEqual(fault);
    expect(arrival.raw()).toEqual({ bytes: Buffer.from('raw') });
  });

  it.each([
    ['2026-03-05', 'SG_TIME_ZONE_MISSING'],
    ['49.02-', 'SG_TIME_INVALID'],
    ['1;2;3', 'SG_TIME_INVALID'],
    ['lot 687', 'SG_TIME_INVALID'],
    ['12', 'SG_TIME_INVALID'],
    ['2026', 'SG_TIME_INVALID'],
    ['5/2026', 'SG_TIME_INVALID'],
    ['03/05/2026 14:00', 'SG_TIME_INVALID'],
    ['2026-02-30T00:00:00Z', 'SG_TIME_INVALID'],
    ['177271920012', 'SG_TIME_INVALID'],
  ])('with the time %j is refused, with a zone too', (captured_at, code) => {
    const arrival = arrivalOf({ captured_at, scan_uuid: 'ev-1' }, { zone: 'America/New_York' });
    expect(refusalOf(arrival)?.code).toBe(code);
  });

  it.each(['1772719200', '1772719200000', '1772719200000000', '1772719200000000000', '2026-03-05T09:00:00-05:00'])(
    'with the time %s happened at one instant',
    (captured_at) => {
      expect(timeOf(arrivalOf({ captured_at })).at).toBe('2026-03-05T14:00:00.000Z');
    },
  );

  it('takes no digits of another column for a time', () => {
    const arrival = arrivalOf({ gtin: '1772719200000', captured_at: '2026-03-05T14:00:00Z' });
    expect(timeOf(arrival).at).toBe('2026-03-05T14:00:00.000Z');
  });
});
