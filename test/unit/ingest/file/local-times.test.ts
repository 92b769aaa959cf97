import { afterEach, describe, expect, it } from 'vitest';
import { LocalTimes, type RowTimes } from '../../../../src/ingest/file/local-times.ts';
import { ZoneOffsets } from '../../../../src/ingest/file/zone-offsets.ts';
import { parseLocalTime } from '../../../../src/scan/instant.ts';

const never = Number.POSITIVE_INFINITY;

/** What the times of the rows of one scanner become: text, with a star where it is ambiguous, or the code of the refusal. */
function resolved(zone: string | undefined, rows: readonly (RowTimes | string)[], latestAt = never): string[] {
  const times = new LocalTimes(zone);
  return rows.map((row) => {
    const result = times.ofRow(typeof row === 'string' ? { captured_at: row } : row, 'F1|S1', latestAt);
    if (!result.ok) return result.error.code;
    const { captured_at = '', sent_at } = result.value.times;
    return `${captured_at}${sent_at === undefined ? '' : ` ${sent_at}`}${result.value.isAmbiguous ? ' *' : ''}`;
  });
}

function offsets(zone: string, text: string): readonly string[] {
  const local = parseLocalTime(text);
  if (local === undefined) throw new Error(`${text} is no local time.`);
  return new ZoneOffsets(zone).at(local);
}

describe('the offsets of a wall clock', () => {
  it.each([
    ['America/New_York', '2026-03-05 14:00:00', ['-05:00']],
    ['America/New_York', '2026-07-05 14:00:00', ['-04:00']],
    ['America/New_York', '2026-03-08 01:59:59', ['-05:00']],
    ['America/New_York', '2026-03-08 02:00:00', []],
    ['America/New_York', '2026-03-08 02:59:59', []],
    ['America/New_York', '2026-03-08 03:00:00', ['-04:00']],
    ['America/New_York', '2026-11-01 00:59:59', ['-04:00']],
    ['America/New_York', '2026-11-01 01:00:00', ['-04:00', '-05:00']],
    ['America/New_York', '2026-11-01 01:59:59', ['-04:00', '-05:00']],
    ['America/New_York', '2026-11-01 02:00:00', ['-05:00']],
    ['Asia/Kathmandu', '2026-03-08 02:30:00', ['+05:45']],
    ['Australia/Lord_Howe', '2026-04-05 01:45:00', ['+11:00', '+10:30']],
    ['Australia/Lord_Howe', '2026-10-04 02:15:00', []],
    ['Europe/London', '2026-10-25 01:30:00', ['+01:00', '+00:00']],
    ['UTC', '2026-11-01 01:30:00', ['+00:00']],
    ['America/Havana', '2026-11-01 00:30:00', ['-04:00', '-05:00']],
  ])('of %s at %s are %j', (zone, text, expected) => {
    expect(offsets(zone, text)).toEqual(expected);
  });
});

describe('local times', () => {
  const { TZ } = process.env;
  afterEach(() => {
    if (TZ === undefined) delete process.env['TZ'];
    else process.env['TZ'] = TZ;
  });

  it.each(['UTC', 'America/Chicago', 'Asia/Kathmandu'])('mean the same on a machine whose zone is %s', (machineZone) => {
    process.env['TZ'] = machineZone;
    expect(resolved('America/New_York', ['2026-03-05T00:00:00', '2026-03-05 00:00:00.25'])).toEqual([
      '2026-03-05T00:00:00-05:00',
      '2026-03-05 00:00:00.25-05:00',
    ]);
  });

  it('are refused without a zone, while a time with an offset needs none', () => {
    expect(resolved(undefined, ['2026-03-05 00:00:00', '2026-03-05T00:00:00+05:45', '2026-03-05T00:00:00Z'])).toEqual([
      'SG_TIME_ZONE_MISSING',
      '2026-03-05T00:00:00+05:45',
      '2026-03-05T00:00:00Z',
    ]);
  });

  it('leave everything else as it came, for the rules of every transport', () => {
    const rows = ['49.02-', '2026', '2026-03-05', '1772719200', 'NaN'];
    expect(resolved('America/New_York', rows)).toEqual(rows);
    expect(resolved('America/New_York', [{ captured_at: 1772719200000 }, {}])).toEqual(['1772719200000', '']);
  });

  it('are refused when the clocks left them out in spring', () => {
    expect(resolved('America/New_York', ['2026-03-08 02:30:00'])).toEqual(['SG_TIME_NONEXISTENT']);
  });

  it('of a repeated hour follow the order of the file', () => {
    const rows = [
      '2026-11-01 00:59:00',
      '2026-11-01 01:30:00',
      '2026-11-01 01:45:00',
      '2026-11-01 01:30:00',
      '2026-11-01 01:30:00',
      '2026-11-01 02:00:00',
    ];
    expect(resolved('America/New_York', rows)).toEqual([
      '2026-11-01 00:59:00-04:00',
      '2026-11-01 01:30:00-04:00 *',
      '2026-11-01 01:45:00-04:00 *',
      '2026-11-01 01:30:00-05:00 *',
      '2026-11-01 01:30:00-05:00 *',
      '2026-11-01 02:00:00-05:00',
    ]);
  });

  it('of a repeated hour are those of the later one when the rows before them are in it', () => {
    expect(resolved('America/New_York', ['2026-11-01T06:10:00Z', '2026-11-01 01:20:00'])).toEqual([
      '2026-11-01T06:10:00Z',
      '2026-11-01 01:20:00-05:00 *',
    ]);
    expect(resolved('America/New_York', ['2026-11-01 01:20:00-05:00', '2026-11-01 01:20:00'])).toEqual([
      '2026-11-01 01:20:00-05:00',
      '2026-11-01 01:20:00-05:00 *',
    ]);
  });

  it('of a repeated hour are not led astray by a row that cannot be believed', () => {
    const rows = ['2036-02-07T06:28:16Z', '2026-11-01 01:20:00'];
    expect(resolved('America/New_York', rows, 1_796_083_200_000)).toEqual([
      '2036-02-07T06:28:16Z',
      '2026-11-01 01:20:00-04:00 *',
    ]);
  });

  it('of two scanners are ordered apart', () => {
    const times = new LocalTimes('America/New_York');
    times.ofRow({ captured_at: '2026-11-01 01:45:00-05:00' }, 'F1|S1', never);
    const other = times.ofRow({ captured_at: '2026-11-01 01:30:00' }, 'F1|S2', never);
    expect(other).toMatchObject({ ok: true, value: { times: { captured_at: '2026-11-01 01:30:00-04:00' } } });
  });

  it('of sending are not before those of the scan', () => {
    expect(resolved('America/New_York', [{ captured_at: '2026-11-01 01:50:00', sent_at: '2026-11-01 01:10:00' }])).toEqual([
      '2026-11-01 01:50:00-04:00 2026-11-01 01:10:00-05:00 *',
    ]);
  });
});
