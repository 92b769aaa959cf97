/**
 * Calls of etcd through its JSON gateway that always come back: each port method with one deadline, and each failure with a reason.
 *
 * In: a path and a message. Out: the reply of the first endpoint that has one, or why there is none. What can go wrong: a node that is
 * gone, hangs or has lost its cluster; then the next endpoint is asked, while there is time. So a message can be applied twice, and has to
 * be one that can: everything here compares revisions. 64-bit numbers are text, as the gateway writes them.
 */

import { within } from '../base/deadline.ts';
import { messageOf } from '../base/message-of.ts';
import { fail, ok, type Result } from '../base/result.ts';

/** As in the browser and in Node.js; another one brings TLS of its own, or a proxy. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchReply>;

export interface FetchInit {
  readonly method: 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
}

export interface FetchReply {
  readonly status: number;
  text(): Promise<string>;
}

export interface EtcdSettings {
  readonly endpoints: readonly string[];
  readonly deadlineMs: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: Fetch;
}

/** A JSON object, of which nothing more is known. */
export type Message = Readonly<Record<string, unknown>>;

const late = Symbol('late');

interface Failure {
  readonly reason: string;
  /** Whether another node could do better. */
  readonly isOfNode: boolean;
}

export class EtcdCalls {
  readonly #settings: EtcdSettings;
  /** The endpoint that answered last. */
  #current = 0;
  #closed = false;

  constructor(settings: EtcdSettings) {
    this.#settings = settings;
  }

  /** When what begins now has to be over, by the process's own monotonic clock. */
  deadline(): number {
    return performance.now() + this.#settings.deadlineMs;
  }

  /** Never throws. */
  async post(path: string, message: Message, deadlineAt: number): Promise<Result<Message, string>> {
    const { endpoints, deadlineMs } = this.#settings;
    const first = this.#current;
    let reason = `etcd has not answered within ${deadlineMs} ms.`;
    for (let turn = 0; turn < endpoints.length; turn += 1) {
      const leftMs = Math.ceil(deadlineAt - performance.now());
      if (this.#closed || leftMs <= 0) break;
      const index = (first + turn) % endpoints.length;
      // Each endpoint that is still to be asked gets the same share of what is left.
      const tried = await this.#try(`${endpoints[index]}${path}`, message, Math.ceil(leftMs / (endpoints.length - turn)));
      if (tried.ok) {
        this.#current = index;
        return tried;
      }
      reason = tried.error.reason;
      if (!tried.error.isOfNode) break;
    }
    return fail(this.#closed ? 'The claims were closed.' : reason);
  }

  close(): void {
    this.#closed = true;
  }

  async #try(url: string, message: Message, withinMs: number): Promise<Result<Message, Failure>> {
    const { headers, fetch } = this.#settings;
    const controller = new AbortController();
    const init = { method: 'POST', headers, body: JSON.stringify(message), signal: controller.signal } as const;
    try {
      const read = await within(
        withinMs,
        fetch(url, init).then(async (reply) => ({ status: reply.status, text: await reply.text() })),
        late,
      );
      if (read !== late) return understood(read.status, read.text);
      return fail({ reason: `etcd has not answered within ${withinMs} ms.`, isOfNode: true });
    } catch (error) {
      return fail({ reason: `etcd cannot be reached: ${causeOf(error)}`, isOfNode: true });
    } finally {
      controller.abort();
    }
  }
}

function understood(status: number, text: string): Result<Message, Failure> {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return fail({ reason: `etcd answered ${status} without JSON.`, isOfNode: true });
  }
  if (!isMessage(message))
    return fail({ reason: `etcd answered ${status} with something that is not an object.`, isOfNode: true });
  if (status === 200) return ok(message);
  return fail({ reason: `etcd says: ${String(message['error'] ?? status)}.`, isOfNode: status >= 500 });
}

export function isMessage(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function causeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? messageOf(error.cause) : '';
  return cause === '' ? messageOf(error) : cause;
}
