// AWS Powertools idempotency over Redis, outside of Lambda: a context that says how long a handler may take makes a run that died
// repeatable, as its documentation asks for.
import { IdempotencyConfig, makeIdempotent } from '@aws-lambda-powertools/idempotency';
import { CachePersistenceLayer } from '@aws-lambda-powertools/idempotency/cache';
import { createClient } from 'redis';
import { requestKeyOf } from './request-key.js';

const handlerMsMax = 5_000;

export async function openPowertools({ redisUrl, book }) {
  process.env.AWS_LAMBDA_FUNCTION_NAME ??= 'dispense';
  const client = createClient({ url: redisUrl, commandsQueueMaxLength: 10_000, socket: { connectTimeout: 2_000 } });
  client.on('error', () => undefined);
  await client.connect();
  const config = new IdempotencyConfig({
    eventKeyJmesPath: 'requestKey',
    throwOnNoIdempotencyKey: true,
    expiresAfterSeconds: 86_400,
  });
  config.registerLambdaContext({ getRemainingTimeInMillis: () => handlerMsMax });
  const ran = new WeakSet();
  const commit = makeIdempotent(
    async (event) => {
      ran.add(event);
      return { entryId: await book.insert(event.scan, event.movement) };
    },
    { persistenceStore: new CachePersistenceLayer({ client }), config },
  );
  return {
    async decide(scan, movement) {
      const event = { requestKey: requestKeyOf(scan), scan, movement };
      const { entryId } = await commit(event);
      return { outcome: ran.has(event) ? 'committed' : 'suppressed', entryId };
    },
    close: () => client.destroy(),
  };
}
