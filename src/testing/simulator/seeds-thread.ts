/** The thread in which seeds are run, one for each core. In: which seeds. Out: one message with the figures of them all. */
import { parentPort, workerData } from 'node:worker_threads';
import { runSeeds, type SeedsOptions } from './run-seeds.ts';

const port = parentPort;
if (port === null) throw new TypeError('This file runs in a worker thread.');
port.postMessage(await runSeeds(workerData as SeedsOptions));
