/** Lets the clock of a real server go on: the one thing of it that a test cannot set. */
export function waited(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
