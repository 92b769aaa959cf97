/** Clients of the workers over HTTP. An answer that does not come in time is none, and the connection is given up. */
import { Agent, request } from 'node:http';
import type { Answer, Attempt } from '../workload/client.ts';
import type { AnswerOf } from './system.ts';

/** After how long a device takes a connection for dead, ms. It sends again long before, and is content with whichever answer comes first. */
const answerMsMax = 20_000;

export interface WorkerAddress {
  readonly name: string;
  readonly url: string;
}

export interface Sender {
  readonly send: (attempt: Attempt) => Promise<Answer | undefined>;
  /** How often an answer did not come, or could not be understood. */
  readonly unanswered: () => number;
  close(): void;
}

export function httpSender(answerOf: AnswerOf, workers: readonly WorkerAddress[]): Sender {
  // A device has a connection of its own: none waits because those of others hang, or what was given up long ago would be all that is sent.
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 256 });
  const urls = new Map(workers.map(({ name, url }) => [name, new URL('/v1/scans', url)]));
  let unanswered = 0;
  let isClosed = false;
  const send = async ({ worker, item }: Attempt): Promise<Answer | undefined> => {
    const url = urls.get(worker);
    if (url === undefined) throw new RangeError(`There is no worker ${worker}.`);
    // What is sent after the end is in no history: it must not reach a worker.
    if (isClosed) return undefined;
    const answer = await posted(agent, url, item)
      .then(({ status, text }) => answerOf(status, text))
      .catch(() => undefined);
    if (answer === undefined) unanswered += 1;
    return answer;
  };
  const close = (): void => {
    isClosed = true;
    agent.destroy();
  };
  return { send, unanswered: () => unanswered, close };
}

function posted(agent: Agent, url: URL, body: string): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const outgoing = request(url, { method: 'POST', agent, headers }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () => {
        clearTimeout(timer);
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString('utf8') });
      });
    });
    const timer = setTimeout(() => outgoing.destroy(new Error('It took too long.')), answerMsMax);
    outgoing.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    outgoing.on('close', () => {
      clearTimeout(timer);
      reject(new Error('The connection ended.'));
    });
    outgoing.end(body);
  });
}
