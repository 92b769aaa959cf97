/** The four requests of etcd that claims make, on a map of this process, and what can happen to each of them on its way. */
import type { Fetch } from '../../../src/claim/etcd-calls.ts';

interface Stored {
  readonly value: string;
  readonly lease: string;
  readonly revision: number;
}

interface Put {
  readonly key: string;
  readonly value: string;
  readonly lease?: string;
  readonly ignore_lease?: boolean;
}

interface Compare {
  readonly create_revision?: string;
  readonly mod_revision?: string;
}

interface Body {
  readonly key?: string;
  readonly ID?: string;
  readonly compare?: readonly [Compare];
  readonly success?: readonly [{ readonly request_put: Put }];
}

/** `lose the reply`: applied, and nothing comes back. A status: not applied, and refused with it. Text: the reply, instead of the right one. */
export type Fault = 'lose the reply' | 'refuse the connection' | { readonly status: number } | { readonly text: string };

export class FakeEtcd {
  readonly stored = new Map<string, Stored>();
  /** Addresses asked, in order. */
  readonly asked: string[] = [];
  readonly revoked: string[] = [];
  readonly granted: string[] = [];
  /** What happens to the next request of a path; nothing, where there is nothing left. */
  readonly faults = new Map<string, Fault[]>();
  #revision = 1;

  readonly fetch: Fetch = async (url, { body }) => {
    this.asked.push(url);
    const path = new URL(url).pathname;
    const fault = this.faults.get(path)?.shift();
    if (fault === 'refuse the connection') throw new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') });
    if (typeof fault === 'object' && 'status' in fault) {
      return { status: fault.status, text: async () => JSON.stringify({ error: `etcdserver: ${fault.status}` }) };
    }
    const reply = this.#apply(path, JSON.parse(body) as Body & { TTL?: string });
    if (fault === 'lose the reply') throw new TypeError('fetch failed', { cause: new Error('other side closed') });
    return { status: 200, text: async () => (fault === undefined ? JSON.stringify(reply) : fault.text) };
  };

  valueOf(key: string): string | undefined {
    const stored = this.stored.get(Buffer.from(key).toString('base64'));
    return stored && Buffer.from(stored.value, 'base64').toString();
  }

  #apply(path: string, body: Body & { TTL?: string }): object {
    switch (path) {
      case '/v3/lease/grant':
        this.granted.push(body.TTL ?? '');
        return { ID: String(this.granted.length), TTL: body.TTL };
      case '/v3/lease/revoke':
        this.revoked.push(body.ID ?? '');
        return {};
      case '/v3/kv/range':
        return this.#range(body.key ?? '');
      default:
        return this.#transact(body);
    }
  }

  #range(key: string): object {
    const stored = this.stored.get(key);
    return stored === undefined ? {} : { kvs: [{ key, ...stored, mod_revision: String(stored.revision) }] };
  }

  #transact({ compare: [comparison] = [{}], success }: Body): object {
    const put = success?.[0].request_put;
    if (put === undefined) throw new TypeError('A transaction without a put.');
    const stored = this.stored.get(put.key);
    const holds =
      comparison.create_revision === '0' ? stored === undefined : String(stored?.revision) === comparison.mod_revision;
    if (!holds) return { responses: [{ response_range: this.#range(put.key) }] };
    this.#revision += 1;
    this.stored.set(put.key, { value: put.value, lease: put.lease ?? stored?.lease ?? '', revision: this.#revision });
    return { header: { revision: String(this.#revision) }, succeeded: true, responses: [{ response_put: {} }] };
  }
}
