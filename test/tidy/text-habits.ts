/** What the text of the repository must not hold. */
import { type Report, reportOf, type SourceFile } from './source-file.ts';

/** The repository speaks of the product alone: not of who made it, where, or in which order. */
const strangers: readonly (readonly [RegExp, string])[] = [
  [/\bissues? (?:#\s?|no\.? ?)?\d+/i, 'a number of a tracker'],
  [/\bissue #/i, 'a number of a tracker'],
  [/\b(?:PR|pull request|ticket|closes|fixes|refs) #\d+/i, 'a number of a tracker'],
  [/\bTODO\b(?!: \w+ \w+ \w+)/, 'a TODO without a reason'],
  [/\b(?:FIXME|XXX)\b/, 'a FIXME'],
  [/\bhelpers?\b/i, 'a helper: say what it does'],
  [/\b(?:this|another|earlier|previous|next|later|my) session\b/i, 'a session of work'],
  [/\b(?:the|this) (?:assistant|workplace|brief)\b/i, 'the circumstances of its making'],
  [/(?:^|[\s("'`])\/(?:work|home|root|Users)\//, 'a path of one machine'],
  [/(?<![\w-])[a-k]\d\d(?![\w-])/, 'the number of a case: describe the situation'],
];

export function checkWords(files: readonly SourceFile[]): Report {
  return reportOf(files, ({ path, text }) =>
    text.split('\n').flatMap((line, index) => {
      const found = strangers.find(([pattern]) => pattern.test(line));
      return found === undefined ? [] : [`${path}:${index + 1}: ${found[1]}: ${line.trim().slice(0, 100)}`];
    }),
  );
}

/** In the language of the compiler, but not in the oldest Node.js that the package says it runs on. */
const tooNew =
  /\b(?:Map|Object)\.groupBy\b|\bPromise\.(?:withResolvers|try)\b|\bArray\.fromAsync\b|\bRegExp\.escape\b|\bIterator\.from\b|\.(?:union|intersection|symmetricDifference|isSubsetOf|isSupersetOf|isDisjointFrom)\(/;

export function checkOldestNode(files: readonly SourceFile[]): Report {
  return reportOf(files, ({ path, text }) =>
    text.split('\n').flatMap((line, index) => {
      const found = tooNew.exec(line)?.[0];
      return found === undefined ? [] : [`${path}:${index + 1}: ${found} is not in Node.js 20.`];
    }),
  );
}

/** Looks at the packages of a lock file. An address in it would bind every installation to one registry. */
export function checkLockFile({ path, text }: SourceFile): Report {
  const { packages = {} } = JSON.parse(text) as { packages?: Readonly<Record<string, Readonly<Record<string, unknown>>>> };
  return reportOf(Object.entries(packages), ([name, fields]) => {
    const bound =
      Object.hasOwn(fields, 'resolved') || /(?:registry|mirror|artifactory|nexus)[^"]*\.[a-z]+\//i.test(JSON.stringify(fields));
    return bound ? [`${path}: ${name} says where it was fetched from. Keep "resolved" out of the lock file.`] : [];
  });
}
