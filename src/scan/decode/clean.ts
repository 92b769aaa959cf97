/**
 * From what a scanner sent to the text of the symbol: prefix, suffix and symbology identifier taken off, repairs of the profile made,
 * separators as 0x1D.
 */
import { ok, type Result } from '../../base/result.ts';
import { codePointName, quoted } from '../rejection.ts';
import { groupSeparator } from './element-string.ts';
import { invertCase, repairLayout } from './keyboard.ts';
import type { ScannerProfile } from './profile.ts';
import { type DecodeFault, refuse } from './reading.ts';
import { type Symbology, symbologyOf } from './symbology.ts';

export interface CleanedRead {
  readonly text: string;
  readonly symbology?: Symbology;
  /** A space stood behind it, which is data in one place: as the check character of HIBC. */
  readonly spaceBehind: boolean;
  /** The profile changed something. */
  readonly repaired: boolean;
}

export function cleanRead(raw: string, profile: ScannerProfile): Result<CleanedRead, DecodeFault> {
  const sent = withoutOuterSpace(raw);
  const repaired = repair(unframe(sent, profile), profile);
  const identifier = /^\][A-Za-z][0-9A-Za-z]/.exec(repaired)?.[0];
  const symbology = identifier === undefined ? undefined : symbologyOf(identifier);
  if (identifier !== undefined && symbology === undefined) {
    return refuse('unknown_symbology', `${quoted(identifier)} is not a symbology identifier.`);
  }
  const text = separated(repaired.slice(identifier?.length ?? 0), profile);
  const bad = foreignCharacter(text);
  if (bad !== undefined) {
    return refuse(
      'bad_charset',
      `The barcode holds ${quoted(bad)} (${codePointName(bad)}), which no barcode here can. Does the host have another keyboard layout?`,
    );
  }
  if (text.replaceAll(groupSeparator, '') === '') return refuse('empty', 'The barcode is empty.');
  return ok({
    text,
    spaceBehind: sent.length < raw.length && / [\r\n\t]*$/.test(raw.slice(-8)),
    repaired: repaired !== sent,
    ...(symbology !== undefined && { symbology }),
  });
}

/** What scanners put around a read: CR, LF, TAB and spaces. A loop, because a regular expression is quadratic in spaces inside. */
function withoutOuterSpace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isOuterSpace(text.charCodeAt(start))) start += 1;
  while (end > start && isOuterSpace(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

function isOuterSpace(code: number): boolean {
  return code === 0x0d || code === 0x0a || code === 0x09 || code === 0x20;
}

function unframe(text: string, { prefix = '', suffix = '' }: ScannerProfile): string {
  const begun = text.startsWith(prefix) ? text.slice(prefix.length) : text;
  return suffix !== '' && begun.endsWith(suffix) ? withoutOuterSpace(begun.slice(0, -suffix.length)) : begun;
}

function repair(text: string, { keyboardLayout, capsLock }: ScannerProfile): string {
  const typed = keyboardLayout === undefined ? text : repairLayout(text, keyboardLayout);
  return capsLock === true ? invertCase(typed) : typed;
}

function separated(text: string, { separatorAliases = [] }: ScannerProfile): string {
  return separatorAliases.reduce((result, alias) => (alias === '' ? result : result.replaceAll(alias, groupSeparator)), text);
}

/** The first character that is neither printable ASCII nor the separator. */
function foreignCharacter(text: string): string | undefined {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if ((code < 0x20 && code !== 0x1d) || code > 0x7e) return String.fromCodePoint(text.codePointAt(at) ?? code);
  }
  return undefined;
}
