/** What was thrown says, whatever it is: the message of an error; of several in one that says nothing itself, the message of each. */
export function messageOf(thrown: unknown): string {
  // As of a connection that was tried at several addresses.
  if (thrown instanceof AggregateError && thrown.message === '')
    return thrown.errors.map((one) => messageOf(one).replace(/\.$/, '')).join('; ');
  return thrown instanceof Error ? thrown.message : String(thrown);
}
