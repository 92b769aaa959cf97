// One worker of a peer, behind the same HTTP as ours, so that the same devices can send the same scans to it. It reads a scan as ours does;
// only what makes a retry one scan is the peer's own.
//
//     PEER=recipe PEER_SENTINEL_PORT=26379 PEER_POSTGRES=postgres://… node bench/peers/worker.js
import { createServer } from 'node:http';
import { parseScan } from 'scangate';
import { openNodeIdempotency } from './node-idempotency.js';
import { PeerBook } from './peer-book.js';
import { openPostgresKey } from './postgres-key.js';
import { openPowertools } from './powertools.js';
import { startPrimaryLink } from './primary-link.js';
import { openRecipe } from './recipe.js';

const peers = {
  recipe: openRecipe,
  powertools: openPowertools,
  'node-idempotency': openNodeIdempotency,
  'postgres-key': openPostgresKey,
};

const { PEER = '', PEER_SENTINEL_PORT, PEER_POSTGRES } = process.env;
const open = peers[PEER];
if (open === undefined) throw new Error(`PEER is one of ${Object.keys(peers).join(', ')}, not '${PEER}'.`);

// A client library that rejects a promise of its own must not end the worker: what it guards is decided by the request.
process.on('unhandledRejection', () => undefined);

const answerMsMax = 10_000;
const book = new PeerBook(PEER_POSTGRES);
const peer = await open({ redisUrl: await startPrimaryLink(Number(PEER_SENTINEL_PORT)), book });

const inward = new Set(['receive']);
const eitherWay = new Set(['transfer', 'return']);

function movementOf({ product, quantity, scanType, direction }) {
  const isInward = inward.has(scanType) || (eitherWay.has(scanType) && direction === 'in');
  return { product: product.ndc11 ?? product.ndc12 ?? product.gtin14, delta: isInward ? quantity : `-${quantity}` };
}

async function answered(bytes) {
  const parsed = parseScan(JSON.parse(bytes.toString('utf8')), { receivedAt: Date.now() });
  if (!parsed.ok) return [422, { outcome: 'rejected', code: parsed.error.rejection.code }];
  const scan = parsed.value;
  const late = new Promise((_, reject) => setTimeout(reject, answerMsMax, new Error('No answer in time.')).unref());
  const { outcome, entryId } = await Promise.race([peer.decide(scan, movementOf(scan)), late]);
  if (outcome === 'committed') return [201, { outcome, entry: { id: entryId } }];
  return [200, { outcome, ...(entryId !== undefined && { of: { id: entryId } }) }];
}

async function serve(request, response) {
  const chunks = [];
  request.on('error', () => undefined);
  try {
    for await (const chunk of request) chunks.push(chunk);
    const [status, answer] = await answered(Buffer.concat(chunks));
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    response.writeHead(503, { 'content-type': 'application/json' }).end(JSON.stringify({ outcome: 'unavailable', message }));
  }
}

const server = createServer((request, response) => void serve(request, response));
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address();
  console.log(JSON.stringify({ event: 'listening', url: `http://127.0.0.1:${port}` }));
});
