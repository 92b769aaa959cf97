/** Recomputes books in PostgreSQL as `verify` does, with the role of the gate. */
import type { Books } from './postgres-books.ts';

/** Every break that is found, in words. */
export async function breaksIn(books: Books): Promise<string[]> {
  const { breaks, facilities } = await (await books.open({ allowUnsafeLedger: true })).audit();
  if (facilities.length === 0) throw new Error('The books are empty: there was nothing to audit.');
  return breaks.map(({ facility_uuid, at, message }) => `${facility_uuid}, ${at}: ${message}`);
}
