/** Values of options that can be given several times. */
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
