import { afterEach, describe, expect, it, vi } from 'vitest';
import { parseInstant, parseLocalTime } from '../../../src/scan/instant.ts';

// Expected values from `date -u -d '…' +%s%3N`.
const at0909 = 1_772_719_509_000;

describe('parseInstant', () => {
  it.each([
    ['Z', '2026-03-05T14:05:09Z'],
    ['a small z and t', '2026-03-05t14:05:09z'],
    ['a space', '2026-03-05 14:05:09Z'],
    ['a space before the offset', '2026-03-05 14:05:09 +00:00'],
    ['+00:00', '2026-03-05T14:05:09+00:00'],
    ['-00:00', '2026-03-05T14:05:09-00:00'],
    ['the offset of New York in winter', '2026-03-05T09:05:09-05:00'],
    ['an offset without a colon', '2026-03-05T09:05:09-0500'],
    ['an offset of hours', '2026-03-05T09:05:09-05'],
    ['the offset of Kathmandu', '2026-03-05T19:50:09+05:45'],
    ['an offset that moves the day forward', '2026-03-06T04:05:09+14:00'],
    ['an offset that moves the day back', '2026-03-04T20:05:09-18:00'],
    ['a fraction of zeros', '2026-03-05T14:05:09.000Z'],
    ['digits below a millisecond', '2026-03-05T14:05:09.000999Z'],
    ['white space and a byte-order mark around it', '\uFEFF 2026-03-05T14:05:09Z\r\n'],
  ])('reads one instant spelled with %s', (_, text) => {
    expect(parseInstant('captured_at', text)).toEqual({ ok: true, value: at0909 });
  });

  it.each([
    ['2026-03-05T14:05:09.25Z', 1_772_719_509_250],
    ['2026-03-05T14:05:09.250Z', 1_772_719_509_250],
    ['2026-03-05T14:05:09,250Z', 1_772_719_509_250],
    ['2026-03-05T14:05:09.2Z', 1_772_719_509_200],
    ['2026-03-05T14:05:09.001Z', 1_772_719_509_001],
    ['2026-03-05T14:05:09.9999999Z', 1_772_719_509_999],
    ['2026-03-05T14:05Z', 1_772_719_500_000],
    ['1970-01-01T00:00:00Z', 0],
    ['1969-12-31T23:59:59.999Z', -1],
    ['1900-01-01T00:00:00Z', -2_208_988_800_000],
    ['2036-02-07T06:28:16Z', 2_085_978_496_000],
    ['2028-02-29T00:00:00Z', 1_835_395_200_000],
    ['0001-01-01T00:00:00Z', -62_135_596_800_000],
  ])('reads %s to the millisecond', (text, epochMs) => {
    expect(parseInstant('captured_at', text)).toEqual({ ok: true, value: epochMs });
  });

  it.each<[string, string | number]>([
    ['seconds', 1_772_719_200],
    ['milliseconds', 1_772_719_200_000],
    ['microseconds', 1_772_719_200_000_000],
    ['nanoseconds', 1_772_719_200_000_000_000],
    ['seconds as text', '1772719200'],
    ['milliseconds as text', '1772719200000'],
    ['microseconds as text', '1772719200000000'],
    ['nanoseconds as text', '1772719200000000000'],
    ['seconds with a fraction', '1772719200.000'],
  ])('reads one instant counted in %s', (_, count) => {
    expect(parseInstant('captured_at', count)).toEqual({ ok: true, value: 1_772_719_200_000 });
  });

  it.each<[string | number, number]>([
    ['1772719200.25', 1_772_719_200_250],
    [1_772_719_200.25, 1_772_719_200_250],
    ['1772719200.2509', 1_772_719_200_250],
    ['1772719200123.9', 1_772_719_200_123],
    ['1772719200123999', 1_772_719_200_123],
    ['1772719200123999999', 1_772_719_200_123],
    ['-2208988800', -2_208_988_800_000],
  ])('reads the count %s as %i ms', (count, epochMs) => {
    expect(parseInstant('captured_at', count)).toEqual({ ok: true, value: epochMs });
  });

  it.each([-1, 0, -0, 12_345, 73_705_258, 999_999_999])('takes the number %s for a clock that was never set', (count) => {
    expect(parseInstant('captured_at', count)).toEqual({ ok: true, value: Number.NaN });
  });

  it.each<[string | number]>([
    ['177271920012'],
    ['17727192001'],
    [177_271_920_012],
    ['17727192000000'],
    ['20260305140509'],
    ['9'.repeat(30)],
  ])('refuses the count %s, whose unit is in doubt', (count) => {
    expect(parseInstant('captured_at', count)).toMatchObject({
      ok: false,
      error: { code: 'SG_TIME_INVALID', field: 'captured_at', message: expect.stringContaining('its unit is in doubt') },
    });
  });

  it.each(['12', '2026', '0', '-1', '20260305'])('refuses the text %s, which is a day, a year or another column', (text) => {
    expect(parseInstant('captured_at', text)).toMatchObject({ ok: false, error: { code: 'SG_TIME_INVALID' } });
  });

  it.each(['2026-03-05', '2026-03-05T00:00:00', '2026-03-05 00:00:00', '2026-03-05T14:05', '1900-01-01'])(
    'refuses %s, a local time',
    (text) => {
      expect(parseInstant('captured_at', text)).toMatchObject({
        ok: false,
        error: { code: 'SG_TIME_ZONE_MISSING', field: 'captured_at', message: expect.stringContaining('a local time') },
      });
    },
  );

  it.each([
    '49.02-',
    'lot 687',
    '1;2;3',
    '5/2026',
    '3/5/2026 14:05',
    '05.03.2026 14:05:09Z',
    'March 5, 2026 14:05:09Z',
    'Thu, 05 Mar 2026 14:05:09 GMT',
    '2026-3-5T14:05:09Z',
    '26-03-05T14:05:09Z',
    '2026-03-05T14:05:09 America/New_York',
    '2026-03-05T14:05:09 EST',
    '2026-03-05T14:05:09ZZ',
    '2026-03-05T14:05:09+5:00',
    '2026-03-05T14:05:09+19:00',
    '2026-03-05T14:05:09+05:60',
    '2026-03-05T14:05:09.Z',
    '2026-03-05T14Z',
    '2026-03-05Z',
    '20260305T140509Z',
    '2026-W10-4T14:05:09Z',
    '+002026-03-05T14:05:09Z',
    '2026-02-29T14:05:09Z',
    '2026-02-30T14:05:09Z',
    '2026-13-05T14:05:09Z',
    '2026-00-05T14:05:09Z',
    '0000-00-00T00:00:00Z',
    '2026-03-05T24:00:00Z',
    '2026-03-05T14:60:09Z',
    '2026-03-05T14:05:61Z',
    '2026-03-05T14:05:09Z\n2026-03-05T14:05:09Z',
    'now',
    'nan',
    'Infinity',
    'null',
    '1E5',
    '0x1F',
    '',
    ' ',
  ])('refuses "%s", which is no time', (text) => {
    expect(parseInstant('captured_at', text)).toMatchObject({
      ok: false,
      error: { code: 'SG_TIME_INVALID', field: 'captured_at' },
    });
  });

  it.each([Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e21, 1e-9])(
    'refuses the number %d, which is no time',
    (count) => {
      expect(parseInstant('captured_at', count)).toMatchObject({ ok: false, error: { code: 'SG_TIME_INVALID' } });
    },
  );

  it('reads NaN, which a device without a clock says, as a time that cannot be believed', () => {
    expect(parseInstant('captured_at', 'NaN')).toEqual({ ok: true, value: Number.NaN });
    expect(parseInstant('captured_at', Number.NaN)).toEqual({ ok: true, value: Number.NaN });
  });

  it('names the field that it was asked for', () => {
    expect(parseInstant('sent_at', 'now')).toEqual({
      ok: false,
      error: {
        code: 'SG_TIME_INVALID',
        field: 'sent_at',
        message: 'sent_at is "now", which is not a time such as 2026-03-05T14:05:09Z.',
      },
    });
  });
});

describe('the zone of the machine', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it.each([
    ['UTC', 0],
    ['America/Chicago', 6 * 60],
    ['Asia/Kathmandu', -(5 * 60 + 45)],
    ['Pacific/Kiritimati', -14 * 60],
  ])('moves no instant: %s', (zone, offsetMinutes) => {
    vi.stubEnv('TZ', zone);

    expect(new Date(1_767_225_600_000).getTimezoneOffset()).toBe(offsetMinutes);
    expect(parseInstant('captured_at', '2026-03-05T14:05:09Z')).toEqual({ ok: true, value: at0909 });
    expect(parseInstant('captured_at', '2026-03-05T09:05:09-05:00')).toEqual({ ok: true, value: at0909 });
    // The hour that Chicago's clocks leave out.
    expect(parseInstant('captured_at', '2026-03-08T02:30:00Z')).toEqual({ ok: true, value: 1_772_937_000_000 });
    expect(parseInstant('captured_at', '2026-03-05')).toMatchObject({ ok: false, error: { code: 'SG_TIME_ZONE_MISSING' } });
    expect(parseInstant('captured_at', '2026-03-05T00:00:00')).toMatchObject({
      ok: false,
      error: { code: 'SG_TIME_ZONE_MISSING' },
    });
  });
});

describe('parseLocalTime', () => {
  it('reads a wall-clock time of no zone', () => {
    expect(parseLocalTime('2026-11-01 01:30:05.25')).toEqual({
      year: 2026,
      month: 11,
      day: 1,
      hour: 1,
      minute: 30,
      second: 5,
      millisecond: 250,
    });
    expect(parseLocalTime('2026-11-01T01:30')).toMatchObject({ hour: 1, minute: 30, second: 0, millisecond: 0 });
  });

  it.each(['2026-11-01', '2026-11-01T01:30:00Z', '2026-11-01T01:30:00-05:00', '2026-02-30 01:30:00', '01:30', '1772719200', ''])(
    'gives nothing for "%s"',
    (text) => {
      expect(parseLocalTime(text)).toBeUndefined();
    },
  );
});
