/** A client of the HTTP interface that adds nothing of its own: no retry, no header but those of HTTP. */
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import type { JournalRecord } from '../../src/ledger/journal-record.ts';
import type { LedgerLine } from '../../src/ledger/ledger-line.ts';

export interface EntryRef {
  readonly id: string;
  readonly facility_uuid: string;
  readonly line: number;
}

/** Any answer to one scan; which fields are there depends on the outcome. */
export interface ScanAnswer {
  readonly outcome: string;
  readonly scan_uuid?: string;
  readonly entry?: EntryRef;
  readonly of?: EntryRef;
  readonly claim_key?: string;
  readonly gap_ms?: number;
  readonly code?: string;
  readonly field?: string;
  readonly message?: string;
  readonly quarantine_id?: string;
  readonly [field: string]: unknown;
}

export interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The body as JSON: of a single answer. */
  readonly answer: ScanAnswer;
  /** The body as JSON: of an array or of NDJSON. */
  readonly answers: readonly ScanAnswer[];
}

export interface Sending {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly agent?: Agent;
}

export interface Address {
  readonly url: string;
}

const oneConnectionEach = new Agent({ keepAlive: false });

/** Sends a body as it is. @throws when the connection ends without an answer. */
export function send({ url }: Address, path: string, body: string | Buffer, sending: Sending = {}): Promise<Answered> {
  const { method = 'POST', headers = {}, agent = oneConnectionEach } = sending;
  return new Promise((resolve, reject) => {
    const outgoing = request(new URL(path, url), { method, headers, agent }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () => {
        resolve(answered(response.statusCode ?? 0, response.headers, Buffer.concat(parts).toString('utf8')));
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** Posts what is to be one scan or an array: text and bytes as they are, anything else as JSON. */
export function post(server: Address, body: unknown, { headers = {}, ...sending }: Sending = {}): Promise<Answered> {
  const bytes = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  return send(server, '/v1/scans', bytes, { ...sending, headers: { 'content-type': 'application/json', ...headers } });
}

/** Posts NDJSON: each item that is text as it is, anything else as JSON. */
export function postLines(server: Address, items: readonly unknown[], sending: Sending = {}): Promise<Answered> {
  const lines = items.map((item) => `${typeof item === 'string' ? item : JSON.stringify(item)}\n`);
  return post(server, lines.join(''), { ...sending, headers: { 'content-type': 'application/x-ndjson', ...sending.headers } });
}

export function get(server: Address, path: string): Promise<Answered> {
  return send(server, path, '', { method: 'GET' });
}

export async function getJson<T>(server: Address, path: string): Promise<T> {
  return JSON.parse((await get(server, path)).text) as T;
}

/** All ledger lines, of one facility where it is named. */
export function ledgerLines(server: Address, facility?: string): Promise<LedgerLine[]> {
  return allPages<LedgerLine>(server, '/v1/ledger', facility);
}

/** All journal records, of one facility where it is named. */
export function journalRecords(server: Address, facility?: string): Promise<JournalRecord[]> {
  return allPages<JournalRecord>(server, '/v1/journal', facility);
}

async function allPages<T>(server: Address, path: string, facility: string | undefined): Promise<T[]> {
  const all: T[] = [];
  const named = facility === undefined ? '' : `&facility_uuid=${encodeURIComponent(facility)}`;
  for (let after = '0'; ; ) {
    const page = await getJson<{ items: T[]; next: string }>(server, `${path}?limit=1000&after=${after}${named}`);
    if (page.items.length === 0) return all;
    all.push(...page.items);
    after = page.next;
  }
}

function answered(status: number, headers: IncomingHttpHeaders, text: string): Answered {
  return {
    status,
    headers,
    text,
    get answer() {
      return JSON.parse(text) as ScanAnswer;
    },
    get answers() {
      if (text.startsWith('[')) return JSON.parse(text) as ScanAnswer[];
      return text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as ScanAnswer);
    },
  };
}
