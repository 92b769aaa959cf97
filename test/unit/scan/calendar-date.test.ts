import { describe, expect, it } from 'vitest';
import { isCalendarDate, parseCalendarDate } from '../../../src/scan/calendar-date.ts';

describe('parseCalendarDate', () => {
  it.each(['2026-04-30', '2028-02-29', '2000-02-29', '2026-12-31', '2026-01-01'])('takes %s, a date of the calendar', (text) => {
    expect(parseCalendarDate('expiration_date', text)).toEqual({ ok: true, value: text });
  });

  it.each([
    '2026-02-30',
    '2026-02-29',
    '2100-02-29',
    '2026-04-31',
    '2026-06-31',
    '2026-09-31',
    '2026-11-31',
    '2026-13-01',
    '2026-00-10',
    '2026-04-00',
  ])('refuses %s, which no calendar has, instead of rolling it over', (text) => {
    expect(parseCalendarDate('expiration_date', text)).toMatchObject({ ok: false, error: { code: 'SG_DATE_INVALID' } });
  });

  it.each([
    '260430',
    '20260430',
    '2026-4-30',
    '2026/04/30',
    '30.04.2026',
    '04/30/2026',
    '2026-04-30T00:00:00Z',
    '46142',
    '2026-04',
    '-2026-04-30',
    '２０２６-04-30',
    '',
  ])('refuses "%s", which has another form', (text) => {
    expect(parseCalendarDate('expiration_date', text)).toMatchObject({
      ok: false,
      error: { code: 'SG_DATE_INVALID', field: 'expiration_date' },
    });
  });

  it('does not mind white space and invisible characters around the date', () => {
    expect(parseCalendarDate('expiration_date', '\uFEFF 2026-04-30\r\n')).toEqual({ ok: true, value: '2026-04-30' });
  });

  it('names the field and shows the text in its sentence', () => {
    expect(parseCalendarDate('expiration_date', '2026-02-30')).toEqual({
      ok: false,
      error: {
        code: 'SG_DATE_INVALID',
        field: 'expiration_date',
        message: 'expiration_date is "2026-02-30", which is not a date of the calendar such as 2026-12-31.',
      },
    });
  });
});

describe('isCalendarDate', () => {
  it('knows the leap years of the Gregorian calendar', () => {
    const leapYears = [1896, 1900, 1904, 1996, 2000, 2004, 2023, 2024, 2100, 2400].filter((year) => isCalendarDate(year, 2, 29));

    expect(leapYears).toEqual([1896, 1904, 1996, 2000, 2004, 2024, 2400]);
  });

  it('refuses what is not a whole day of a month', () => {
    expect(isCalendarDate(2026, 1, 0)).toBe(false);
    expect(isCalendarDate(2026, 1, 32)).toBe(false);
    expect(isCalendarDate(2026, 1, Number.NaN)).toBe(false);
  });
});
