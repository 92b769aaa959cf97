import { Temporal } from 'temporal-polyfill';
import type { LocalTime } from '../../scan/instant.ts';

/** Which offsets a wall clock of a zone has at a local time, by the time zone database of the runtime. */
export class ZoneOffsets {
  readonly zone: string;
  /** The last day that was asked for, and its offset where it has only one: the rows of a log lie close together. */
  #lastDay = '';
  #offsetOfDay: string | undefined;

  constructor(zone: string) {
    this.zone = zone;
  }

  /** As in `-05:00`, the one of the earlier instant first. Two where the hour is repeated; none where it is left out. */
  at(local: LocalTime): readonly string[] {
    const day = `${local.year}-${local.month}-${local.day}`;
    if (day !== this.#lastDay) {
      this.#offsetOfDay = offsetOfDay(local, this.zone);
      this.#lastDay = day;
    }
    return this.#offsetOfDay === undefined ? offsetsAt(local, this.zone) : [this.#offsetOfDay];
  }
}

function offsetOfDay(local: LocalTime, zone: string): string | undefined {
  const start = Temporal.PlainDate.from(local).toZonedDateTime(zone);
  return start.hoursInDay === 24 ? start.offset : undefined;
}

function offsetsAt(local: LocalTime, zone: string): string[] {
  const wall = Temporal.PlainDateTime.from(local);
  const instants = (['earlier', 'later'] as const).map((disambiguation) => wall.toZonedDateTime(zone, { disambiguation }));
  const offsets = instants.filter((instant) => instant.toPlainDateTime().equals(wall)).map(({ offset }) => offset);
  return [...new Set(offsets)];
}
