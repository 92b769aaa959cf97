/**
 * Is aborted by the first SIGINT or SIGTERM; a second one ends the process at once.
 *
 * @param reasonOf why, as whoever listens is told it.
 */
export function abortedBySignals(reasonOf: (signal: 'SIGINT' | 'SIGTERM') => unknown): AbortSignal {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort(reasonOf(signal)));
  return stopping.signal;
}
