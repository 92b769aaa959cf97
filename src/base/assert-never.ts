/** Closes a tagged union: the compiler refuses a case that was forgotten. */
export function assertNever(value: never): never {
  throw new TypeError(`Unexpected value: ${JSON.stringify(value)}`);
}
