/** One thing that a port promises, as a sentence, and a run that rejects where an adapter does not keep it. */
export interface ContractCase {
  readonly name: string;
  run(): Promise<void>;
}

/** What a port promises, by sentence: each is held against a subject of its own. */
export type Promised<Subject> = Readonly<Record<string, (subject: Subject) => Promise<void>>>;

/** Cases for any test runner: each opens its own subject, and closes it whatever happens. */
export function casesOf<Subject extends { close(): Promise<void> }>(
  open: () => Promise<Subject>,
  promised: Promised<Subject>,
): ContractCase[] {
  return Object.entries(promised).map(([name, hold]) => ({ name, run: () => holdAgainst(open, hold) }));
}

async function holdAgainst<Subject extends { close(): Promise<void> }>(
  open: () => Promise<Subject>,
  hold: (subject: Subject) => Promise<void>,
): Promise<void> {
  const subject = await open();
  try {
    await hold(subject);
  } finally {
    await subject.close();
  }
}
