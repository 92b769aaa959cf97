/** The thread in which seeds are run, one for each core. In: which seeds, again and again. Out: a message with the figures of each lot. */
import { parentPort } from 'node:worker_threads';
import { runSeeds, type SeedsOptions } from './run-seeds.ts';

const port = parentPort;
if (port === null) throw new TypeError('This file runs in a worker thread.');
port.on('message', (options: SeedsOptions) => {
  void runSeeds(options).then((figures) => port.postMessage(figures));
});
