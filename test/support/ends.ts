/**
 * What is done whenever a test or a test file has ended. Modules that several files share are read once for all of them: a hook of vitest
 * that one of them sets by itself would run for the first file alone.
 */
type End = () => unknown;

const ends: Readonly<Record<'test' | 'file', End[]>> = { test: [], file: [] };

/** For a module that test files share. */
export function afterEveryTest(end: End): void {
  ends.test.push(end);
}

/** For a module that test files share. */
export function afterEveryFile(end: End): void {
  ends.file.push(end);
}

/** The latest first, as vitest does it: what was set later may need what was set before. One that fails keeps no other from ending. */
export async function ended(what: 'test' | 'file'): Promise<void> {
  const errors: unknown[] = [];
  for (const end of ends[what].toReversed()) {
    try {
      await end();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, `What lasts as long as a ${what} has not ended.`);
}
