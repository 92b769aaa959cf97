/** What the texts of options stand for. */
import { ScanGateError } from '../base/errors.ts';
import { quoted } from '../scan/rejection.ts';

export function addName(name: string, names: readonly string[] = []): readonly string[] {
  return [...names, name];
}

export function addPair(text: string, pairs: Readonly<Record<string, string>> = {}): Record<string, string> {
  const [, field = '', value = ''] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
  if (field === '') throw new ScanGateError('SG_CONFIG_INVALID', `${quoted(text)} is not FIELD=…, as in quantity=qty.`);
  if (Object.hasOwn(pairs, field)) throw new ScanGateError('SG_CONFIG_INVALID', `${field} is given twice.`);
  return Object.fromEntries([...Object.entries(pairs), [field, value]]);
}

/** What stands between the columns of a file: one character, of which a tab can be written as `tab`, as `\t` or as itself. */
export function asDelimiter(text: string): string {
  const delimiter = text === 'tab' || text === '\\t' ? '\t' : text;
  if (/^(?:\t|[^"\s])$/u.test(delimiter)) return delimiter;
  throw new ScanGateError(
    'SG_CONFIG_INVALID',
    `The delimiter is ${quoted(text)}; it is one character or tab, and neither a quote nor a space.`,
  );
}
