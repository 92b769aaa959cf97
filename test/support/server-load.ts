/**
 * Scanners that post without a pause, and send again what they have no answer for, as scanners do: over restarts, until it is
 * acknowledged. Each physical scan has a serial number of its own.
 */
import { Agent } from 'node:http';
import { type Address, type Answered, post, postLines, type ScanAnswer } from './http-client.ts';
import { dispense, recently } from './http-client-scans.ts';

/** One 2xx that a scanner has heard. */
export interface Receipt {
  readonly serial: string;
  readonly outcome: string;
  readonly entryId: string;
}

export interface LoadOptions {
  readonly scanners: number;
  /** The server to post to, now or as soon as there is one. */
  readonly server: () => Promise<Address>;
}

export class Load {
  readonly receipts: Receipt[] = [];
  /** The serial numbers of everything that was scanned so far. */
  readonly serials: string[] = [];
  /** Statuses that no scanner ought to see, with their bodies. */
  readonly surprises: string[] = [];
  readonly #server: LoadOptions['server'];
  readonly #agent = new Agent({ keepAlive: true });
  readonly #running: Promise<void>[];
  #stopping = false;

  constructor({ scanners, server }: LoadOptions) {
    this.#server = server;
    this.#running = Array.from({ length: scanners }, (_, index) => this.#scanner(index));
  }

  /** No new scans; resolves when all that were made are acknowledged. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await Promise.all(this.#running);
    this.#agent.destroy();
  }

  async #scanner(index: number): Promise<void> {
    for (let count = 0; !this.#stopping; count += 1) {
      const size = index % 4 === 3 ? 5 : 1;
      const scans = Array.from({ length: size }, (_, item) => this.#scan(index, count * size + item));
      await this.#untilAcknowledged(scans, index % 8 === 7 ? 'ndjson' : size > 1 ? 'array' : 'single');
      // Some pull the plug of the network after the answer: the same again, later.
      if (count % 10 === 9) await this.#untilAcknowledged(scans, 'array');
    }
  }

  #scan(index: number, count: number): Record<string, unknown> {
    const serial = `${index}-${count}`;
    this.serials.push(serial);
    return dispense('load', {
      scanner_id: `SCN-${index}`,
      serial_number: serial,
      captured_at: recently + count,
      scan_uuid: count % 2 === 0 ? `t-${serial}` : undefined,
    });
  }

  async #untilAcknowledged(scans: readonly Record<string, unknown>[], form: 'single' | 'array' | 'ndjson'): Promise<void> {
    let left = scans;
    while (left.length > 0) {
      const answers = await this.#send(left, form);
      left = left.filter((scan, index) => !this.#isAcknowledged(scan, answers[index]));
    }
  }

  async #send(scans: readonly Record<string, unknown>[], form: 'single' | 'array' | 'ndjson'): Promise<readonly ScanAnswer[]> {
    const server = await this.#server();
    const sending = { agent: this.#agent };
    const sent =
      form === 'ndjson' ? postLines(server, scans, sending) : post(server, form === 'single' ? scans[0] : scans, sending);
    const answered = await sent.catch(() => undefined);
    if (answered === undefined) return [];
    return form === 'single' || answered.status === 503 ? [this.#single(answered)] : answered.answers;
  }

  #single({ text, status }: Answered): ScanAnswer {
    return { ...(JSON.parse(text.split('\n')[0] ?? '{}') as ScanAnswer), http: status };
  }

  #isAcknowledged(scan: Record<string, unknown>, answer: ScanAnswer | undefined): boolean {
    const entryId = (answer?.entry ?? answer?.of)?.id;
    if (answer === undefined || answer.outcome === 'unavailable') return false;
    if (answer.outcome !== 'committed' && answer.outcome !== 'suppressed') this.surprises.push(JSON.stringify(answer));
    if (entryId !== undefined) this.receipts.push({ serial: String(scan['serial_number']), outcome: answer.outcome, entryId });
    return entryId !== undefined;
  }
}
