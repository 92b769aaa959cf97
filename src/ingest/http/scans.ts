/**
 * `POST /v1/scans`: one scan, an array, or NDJSON.
 *
 * In: a request. Out: an answer for each scan, in the order of the request. What cannot be read is kept and journaled like every
 * other rejection, under the facility "-". Nothing is answered 2xx before the gate says that it is on disk.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../base/clock.ts';
import type { ScanGateError } from '../../base/errors.ts';
import type { Arrival } from '../../gate/arrival.ts';
import type { Gate } from '../../gate/gate.ts';
import type { RawInput } from '../../ledger/ledger.ts';
import type { TimeRules } from '../../scan/occurred-at.ts';
import { type JsonItem, readJsonDocument } from '../../scan/read-json.ts';
import { quoted, type Rejection } from '../../scan/rejection.ts';
import { type Answer, answerOf } from './answer.ts';
import { codedOrThrow, RequestBody } from './body.ts';
import { collect, decodeUtf8, type Line, linesOf } from './body-text.ts';
import { transportScanIdOf } from './idempotency-key.ts';
import { sendAnswer, sendAnswers, sendLines } from './send.ts';

export interface ScansLimits {
  readonly bodyBytesMax: number;
  readonly streamBytesMax: number;
  readonly itemBytesMax: number;
  readonly batchItemsMax: number;
  /** How many scans of one request are with the gate at a time. */
  readonly inFlightMax: number;
  /** How long the next bytes of a body may take to arrive, ms. */
  readonly bodyIdleMsMax: number;
}

export interface ScansOptions {
  readonly gate: Gate;
  readonly clock: Clock;
  readonly timeRules: TimeRules;
  readonly limits: ScansLimits;
}

/** How long the rest of a body that was refused is passed over, so that the client hears why, ms. */
const discardMsMax = 2_000;

/** A request whose body was read, to its end or to what is wrong with it. */
interface Received {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly body: RequestBody;
  readonly bytes: Buffer;
  readonly error?: unknown;
}

export class ScansHandler {
  readonly #gate: Gate;
  readonly #clock: Clock;
  readonly #timeRules: TimeRules;
  readonly #limits: ScansLimits;

  constructor({ gate, clock, timeRules, limits }: ScansOptions) {
    this.#gate = gate;
    this.#clock = clock;
    this.#timeRules = timeRules;
    this.#limits = limits;
  }

  async handle(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const mediaType = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
    if (mediaType === 'application/x-ndjson' || mediaType === 'application/ndjson' || mediaType === 'application/jsonl') {
      return this.#handleLines(request, reply);
    }
    const received = await this.#receive(request, reply);
    if (mediaType !== 'application/json') {
      const shown = mediaType === '' ? 'missing' : quoted(mediaType);
      const message = `The content type is ${shown}; send application/json or application/x-ndjson.`;
      return this.#refuse(received, { code: 'SG_MEDIA_TYPE', message });
    }
    if (received.error !== undefined) {
      return this.#refuse(received, faultOf(codedOrThrow(received.error)));
    }
    return this.#handleJson(received);
  }

  async #handleJson(received: Received): Promise<FastifyReply> {
    const { bytes, request, reply } = received;
    if (bytes.byteLength === 0)
      return this.#refuse(received, { code: 'SG_BODY_EMPTY', message: 'The body is empty; send a scan.' });
    const text = decodeUtf8(bytes);
    if (text === undefined)
      return this.#refuse(received, { code: 'SG_JSON_INVALID', message: 'The body is not UTF-8, so it is not JSON.' });
    const document = readJsonDocument(text);
    if (!document.ok) return this.#refuse(received, document.error);
    const { isArray, items } = document.value;
    const key = transportScanIdOf(request.raw);
    const scanId = key.ok ? key.value : undefined;
    const fault = key.ok ? (isArray ? this.#arrayFault(items, scanId) : undefined) : key.error;
    if (fault !== undefined) {
      const values = items.map(({ value }) => value);
      return this.#refuse(received, fault, isArray ? values : values[0]);
    }
    const receivedAt = this.#clock.nowMs();
    const answers: Answer[] = [];
    for await (const answer of this.#answers(items.map((item) => this.#arrivalOf(item, receivedAt, scanId))))
      answers.push(answer);
    const [only] = answers;
    if (isArray || only === undefined) return sendAnswers(reply, answers);
    return sendAnswer(reply, only);
  }

  #arrayFault(items: readonly JsonItem[], scanId: string | undefined): Rejection | undefined {
    const { batchItemsMax } = this.#limits;
    if (items.length === 0) return { code: 'SG_BODY_EMPTY', message: 'The array is empty; send scans.' };
    if (items.length > batchItemsMax) {
      const message = `The array holds ${items.length} scans; at most ${batchItemsMax} are taken at once.`;
      return { code: 'SG_BATCH_TOO_LARGE', message };
    }
    if (scanId === undefined) return undefined;
    return {
      code: 'SG_REQUEST_INVALID',
      message: 'Idempotency-Key names one scan; in an array each has its own scan_uuid.',
    };
  }

  async #handleLines(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const key = transportScanIdOf(request.raw);
    if (!key.ok || key.value !== undefined) {
      const message = 'Idempotency-Key names one scan; in NDJSON each line has its own scan_uuid.';
      return this.#refuse(await this.#receive(request, reply), { code: 'SG_REQUEST_INVALID', message });
    }
    const { streamBytesMax, itemBytesMax, bodyIdleMsMax } = this.#limits;
    const limits = { bytesMax: streamBytesMax, sentBytesMax: itemBytesMax, idleMsMax: bodyIdleMsMax };
    const received = { request, reply, body: new RequestBody(request.raw, limits), bytes: Buffer.alloc(0) };
    return sendLines(reply, this.#answers(this.#arrivalsOfLines(received)));
  }

  async *#arrivalsOfLines(received: Received): AsyncGenerator<Arrival> {
    let isEmpty = true;
    for await (const line of linesOf(received.body.chunks(), this.#limits.itemBytesMax)) {
      isEmpty = false;
      if (line.error === undefined) yield this.#arrivalOfLine(line);
      else {
        const error = codedOrThrow(line.error);
        yield await this.#broken({ ...received, bytes: line.bytes }, error, faultOf(error));
      }
    }
    if (isEmpty)
      yield this.#unreadable({ code: 'SG_BODY_EMPTY', message: 'The body is empty; send scans.' }, { bytes: Buffer.alloc(0) });
  }

  #arrivalOfLine({ bytes, truncated }: Line): Arrival {
    if (truncated) return this.#unreadable(this.#tooLarge(), { bytes, truncated });
    const text = decodeUtf8(bytes);
    if (text === undefined)
      return this.#unreadable({ code: 'SG_JSON_INVALID', message: 'The line is not UTF-8, so it is not JSON.' }, { bytes });
    const document = readJsonDocument(text);
    if (!document.ok) return this.#unreadable(document.error, { bytes });
    const { isArray, items } = document.value;
    const [item] = items;
    if (!isArray && item !== undefined) return this.#arrivalOf(item, this.#clock.nowMs(), undefined);
    const fault: Rejection = { code: 'SG_FIELD_TYPE', message: 'A line is one JSON object, not an array.' };
    return this.#unreadable(
      fault,
      { bytes },
      items.map(({ value }) => value),
    );
  }

  #arrivalOf(item: JsonItem, receivedAt: number, transportScanId: string | undefined): Arrival {
    const tooLarge = Buffer.byteLength(item.text) > this.#limits.itemBytesMax;
    const fault = tooLarge ? this.#tooLarge() : item.fault;
    return {
      value: item.value,
      transport: 'http',
      receivedAt,
      timeRules: this.#timeRules,
      raw: () => ({ bytes: Buffer.from(item.text) }),
      ...(fault !== undefined && { fault }),
      ...(transportScanId !== undefined && { transportScanId }),
    };
  }

  /** @param value what was read of it all the same: patient data in it must not be kept. */
  #unreadable(fault: Rejection, raw: RawInput, value?: unknown): Arrival {
    return { transport: 'http', receivedAt: this.#clock.nowMs(), fault, value, raw: () => raw };
  }

  #tooLarge(): Rejection {
    return { code: 'SG_ITEM_TOO_LARGE', message: `The scan is larger than ${this.#limits.itemBytesMax} bytes.` };
  }

  async #receive(request: FastifyRequest, reply: FastifyReply): Promise<Received> {
    const { bodyBytesMax, bodyIdleMsMax } = this.#limits;
    const body = new RequestBody(request.raw, { bytesMax: bodyBytesMax, sentBytesMax: bodyBytesMax, idleMsMax: bodyIdleMsMax });
    return { request, reply, body, ...(await collect(body.chunks())) };
  }

  /** Refuses a whole request, after what came of it is kept. */
  async #refuse(received: Received, fault: Rejection, value?: unknown): Promise<FastifyReply> {
    const { error, bytes, reply } = received;
    const arrival =
      error === undefined ? this.#unreadable(fault, { bytes }, value) : await this.#broken(received, codedOrThrow(error), fault);
    return sendAnswer(reply, await this.#submit(arrival));
  }

  /** What came of a body that was not read to its end. The connection ends with the answer, unless the rest of it comes soon. */
  async #broken({ request, reply, body, bytes }: Received, error: ScanGateError, fault: Rejection): Promise<Arrival> {
    if (error.code !== 'SG_REQUEST_TIMEOUT') await body.discardRest(discardMsMax);
    if (!request.raw.complete) {
      if (!reply.sent) void reply.header('connection', 'close');
      reply.raw.once('finish', () => request.raw.socket.destroySoon());
    }
    const sent = body.sent;
    return this.#unreadable(fault, { bytes: sent.byteLength > 0 ? sent : bytes, truncated: true });
  }

  /** Answers in the order of the arrivals, with a bounded number of them under way. */
  async *#answers(arrivals: Iterable<Arrival> | AsyncIterable<Arrival>): AsyncGenerator<Answer> {
    const underWay: Promise<Answer>[] = [];
    for await (const arrival of arrivals) {
      underWay.push(this.#submit(arrival));
      const first = underWay.length < this.#limits.inFlightMax ? undefined : underWay.shift();
      if (first !== undefined) yield await first;
    }
    for (const answer of underWay) yield await answer;
  }

  async #submit(arrival: Arrival): Promise<Answer> {
    return answerOf(await this.#gate.submit(arrival));
  }
}

function faultOf({ code, message }: ScanGateError): Rejection {
  return { code, message };
}
