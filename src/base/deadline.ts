/**
 * Waits for a promise, but not for ever. What it stands for goes on; only the waiting ends.
 *
 * When the event loop was held up, a timer that has run out comes before the answers that have arrived meanwhile; so these are read
 * before anything is called late.
 *
 * @returns the value, or `late` when it has not come within `withinMs`.
 */
export async function within<T, L>(withinMs: number, promise: Promise<T>, late: L): Promise<T | L> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<L>((resolve) => {
    timer = setTimeout(() => setImmediate(resolve, late), withinMs);
  });
  try {
    return await Promise.race([promise, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
