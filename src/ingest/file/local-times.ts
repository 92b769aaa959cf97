/**
 * Local times of a file, in the zone that was given for it; never in that of the machine.
 *
 * In autumn an hour occurs twice. The rows of one scanner are taken to be in the order in which they were scanned: such a time is the
 * earlier of its two instants, unless that lies before the scanner's previous row. See docs/decisions/import-ambiguous-local-times.md.
 *
 * State: the instant of the previous row of each scanner. It is the same again when a file is read again from its start.
 */
import { ok, type Result } from '../../base/result.ts';
import { parseInstant, parseLocalTime } from '../../scan/instant.ts';
import { quoted, type Rejection, reject } from '../../scan/rejection.ts';
import { normaliseText } from '../../scan/text.ts';
import { ZoneOffsets } from './zone-offsets.ts';

export interface RowTimes {
  readonly captured_at?: string | number;
  readonly sent_at?: string | number;
}

export interface ResolvedTimes {
  /** Local times with the offset that the zone had, as in `2026-11-01 01:30:00-05:00`; others as they came. */
  readonly times: RowTimes;
  readonly isAmbiguous: boolean;
}

export class LocalTimes {
  readonly #offsets: ZoneOffsets | undefined;
  readonly #previousAt = new Map<string, number>();

  constructor(zone: string | undefined) {
    this.#offsets = zone === undefined ? undefined : new ZoneOffsets(zone);
  }

  /**
   * The times of a row. Rows have to be given in the order of the file.
   *
   * @param latestAt epoch ms; a time after it cannot be believed, and says nothing about the rows that follow.
   */
  ofRow(times: RowTimes, scanner: string, latestAt: number): Result<ResolvedTimes, Rejection> {
    const captured = this.#resolve('captured_at', times.captured_at, this.#previousAt.get(scanner));
    if (!captured.ok) return captured;
    const { at } = captured.value;
    if (at !== undefined && at <= latestAt) this.#previousAt.set(scanner, at);
    const sent = this.#resolve('sent_at', times.sent_at, at);
    if (!sent.ok) return sent;
    const isAmbiguous = captured.value.isAmbiguous || sent.value.isAmbiguous;
    return ok({ times: { ...captured.value.time, ...sent.value.time }, isAmbiguous });
  }

  /** @param notBefore epoch ms: of two instants, the earliest that is not before it. */
  #resolve(
    field: keyof RowTimes,
    raw: string | number | undefined,
    notBefore = Number.NEGATIVE_INFINITY,
  ): Result<ResolvedTime, Rejection> {
    if (raw === undefined) return ok({ time: {}, isAmbiguous: false });
    const local = typeof raw === 'number' ? undefined : parseLocalTime(raw);
    if (local === undefined) return ok({ time: { [field]: raw }, at: this.#instantOf(field, raw), isAmbiguous: false });
    if (this.#offsets === undefined) {
      return reject(
        'SG_TIME_ZONE_MISSING',
        field,
        `${field} is ${quoted(raw)}, a local time. Say in which zone with --zone, as in --zone America/New_York.`,
      );
    }
    const candidates = this.#offsets.at(local).map((offset) => {
      const value = normaliseText(String(raw)) + offset;
      return { time: { [field]: value }, at: this.#instantOf(field, value) };
    });
    const chosen = candidates.find(({ at }) => at !== undefined && at >= notBefore) ?? candidates.at(-1);
    if (chosen !== undefined) return ok({ ...chosen, isAmbiguous: candidates.length > 1 });
    return reject(
      'SG_TIME_NONEXISTENT',
      field,
      `${field} is ${quoted(raw)}, which the clocks of ${this.#offsets.zone} left out when they were put forward.`,
    );
  }

  /** Asked for only where there may be local times to be ordered after it. */
  #instantOf(field: string, raw: string | number): number | undefined {
    const instant = this.#offsets === undefined ? undefined : parseInstant(field, raw);
    return instant?.ok === true ? instant.value : undefined;
  }
}

interface ResolvedTime {
  readonly time: RowTimes;
  readonly at?: number | undefined;
  readonly isAmbiguous: boolean;
}
