import type { Clock } from '../base/clock.ts';
import { within } from '../base/deadline.ts';
import type { ScanGateError } from '../base/errors.ts';
import { messageOf } from '../base/message-of.ts';
import type { HealthReport } from '../ingest/http/server.ts';
import type { System } from './system.ts';

/** How long a failed transaction makes the server unready: after that, traffic is let in to see whether it works again. */
const failureMs = 10_000;

/** How long the ledger may take to say how it is: whoever asks for health does not wait long. */
export const statusMsMax = 1_000;

/**
 * Whether scans can be taken. Live: the process answers. Ready: it is not stopping, and the ledger writes. Claims that do not answer
 * make nothing unready: the ledger decides alone.
 */
export class Health {
  readonly #clock: Clock;
  #failure: { readonly at: number; readonly code: string; readonly message: string } | undefined;
  #stopping = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  appended(error: ScanGateError | undefined): void {
    this.#failure = error && { at: this.#clock.nowMs(), code: error.code, message: error.message };
  }

  stopping(): void {
    this.#stopping = true;
  }

  async report({
    mode,
    gate,
    ledger: reader,
    claims,
  }: Pick<System, 'mode' | 'gate' | 'ledger' | 'claims'>): Promise<HealthReport> {
    const now = this.#clock.nowMs();
    const failing = this.#failure !== undefined && now - this.#failure.at < failureMs;
    const status = reader.status().catch((error: unknown) => ({ error: messageOf(error) }));
    const ledger = await within(statusMsMax, status, { error: `It has not answered within ${statusMsMax} ms.` });
    return {
      live: true,
      ready: !this.#stopping && !failing && !('error' in ledger),
      stopping: this.#stopping,
      at: now,
      mode,
      queue_depth: gate.queueDepth,
      ledger:
        'error' in ledger
          ? ledger
          : { kind: ledger.kind, path: ledger.path, bytes: ledger.bytes, committed_at: ledger.committedAt ?? null },
      claims: claims?.report ?? null,
      last_failure: this.#failure ?? null,
    };
  }
}
