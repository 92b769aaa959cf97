/** Asks again and again until there is an answer. @throws after the deadline. */
export async function until<T>(ask: () => T | undefined | Promise<T | undefined>, withinMs = 10_000, pauseMs = 10): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (performance.now() > deadline) throw new Error(`Nothing came within ${withinMs} ms of: ${ask.toString()}`);
    await waited(pauseMs);
  }
}

export function waited(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
