import { Temporal } from 'temporal-polyfill';

/** Clocks of every zone are set in steps of this, and at a multiple of it. */
const stepMs = 900_000;
const knownStepsMax = 10_000;

/** On which day of a zone an instant lies, as in `2026-03-05`. */
export class Days {
  readonly #zone: string;
  readonly #known = new Map<number, string>();

  /** @param zone IANA name. @throws RangeError when there is none of that name. */
  constructor(zone: string) {
    this.#zone = zone;
    this.of(0);
  }

  of(epochMs: number): string {
    const step = Math.floor(epochMs / stepMs);
    const known = this.#known.get(step);
    if (known !== undefined) return known;
    const day = Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO(this.#zone).toPlainDate().toString();
    if (this.#known.size >= knownStepsMax) this.#known.clear();
    this.#known.set(step, day);
    return day;
  }

  /** Noon of a day, as it goes over the wire. */
  noonOf(day: string): string {
    const noon = Temporal.PlainDate.from(day).toZonedDateTime({ timeZone: this.#zone, plainTime: '12:00' });
    return noon.toString({ timeZoneName: 'never', smallestUnit: 'second' });
  }
}
