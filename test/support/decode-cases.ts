import { readFileSync } from 'node:fs';
import { type DecodeContext, decodeBarcode } from '../../src/scan/decode/decode.ts';
import { ndc10InGtin } from '../../src/scan/decode/gtin.ts';
import { invertCase, type KeyboardLayout, repairLayout } from '../../src/scan/decode/keyboard.ts';
import type { ScannerProfile } from '../../src/scan/decode/profile.ts';
import type { DecodeFault, Reading } from '../../src/scan/decode/reading.ts';
import { readNdc } from '../../src/scan/ndc.ts';
import { productOf } from '../../src/scan/product.ts';

/** One input with the facts that were collected about it from standards, reference engines and reports of users. */
export interface BarcodeCase {
  readonly id: string;
  readonly input: string;
  readonly kind: string;
  readonly expected: Facts;
  readonly note: string;
  readonly context?: CaseContext;
}

interface CaseContext {
  readonly refDate?: string;
  readonly separatorAlias?: string;
  readonly layout?: KeyboardLayout;
  readonly capsLock?: boolean;
  readonly symbology?: 'upce';
}

/** What a case says, or what was understood, under the names that the files of cases use. */
export type Facts = Readonly<Record<string, unknown>>;

export const certainCases: readonly BarcodeCase[] = read('barcodes.json');
export const policyCases: readonly BarcodeCase[] = read('barcodes-policy.json');

function read(name: string): BarcodeCase[] {
  return JSON.parse(readFileSync(new URL(`../cases/${name}`, import.meta.url), 'utf8')) as BarcodeCase[];
}

/** The scanner and the day that a case assumes. */
export function contextOf({ context = {} }: BarcodeCase): DecodeContext {
  return { scanYear: Number((context.refDate ?? '2026').slice(0, 4)), profile: profileOf(context) };
}

function profileOf({ separatorAlias, layout, capsLock, symbology }: CaseContext): ScannerProfile {
  return {
    ...(separatorAlias !== undefined && { separatorAliases: [separatorAlias] }),
    ...(layout !== undefined && { keyboardLayout: layout }),
    ...(capsLock !== undefined && { capsLock }),
    ...(symbology !== undefined && { eightDigits: symbology }),
  };
}

/** What is understood of the input of a case. */
export function factsOf(barcode: BarcodeCase): Facts {
  if (barcode.kind === 'ndc_text') return ndcFacts(barcode.input);
  if (barcode.kind === 'keyboard_layout' && barcode.expected['value'] !== undefined) return repairFacts(barcode);
  const reading = decodeBarcode(barcode.input, contextOf(barcode));
  return reading.ok ? readingFacts(reading.value) : faultFacts(reading.error);
}

function faultFacts({ reason, message, candidates }: DecodeFault): Facts {
  return { result: candidates === undefined ? 'reject' : 'ambiguous', reason, message, candidates };
}

function ndcFacts(input: string): Facts {
  const ndc = readNdc(input);
  return ndc.ok ? { result: 'ok', ...ndc.value } : faultFacts(ndc.error);
}

function repairFacts({ input, context = {} }: BarcodeCase): Facts {
  const typed = repairLayout(input, context.layout ?? 'us');
  return { result: 'ok', value: context.capsLock === true ? invertCase(typed) : typed };
}

function readingFacts(reading: Reading): Facts {
  const { gtin14, expirationDate, expirationTime, hibc, parts } = reading;
  const elements = parts.filter(({ source }) => source.startsWith('AI '));
  return {
    result: 'ok',
    gtin14,
    gtin12: gtin14?.slice(2),
    packagingIndicator: reading.packagingIndicator,
    ndc10: gtin14 === undefined ? undefined : ndc10InGtin(gtin14),
    ndc11: reading.ndc11,
    ndc12: reading.ndc12,
    ndc11Candidates: reading.ndc11Candidates,
    lot: reading.lotNumber,
    serial: reading.serialNumber,
    expiryRaw: elements.find(({ source }) => source === 'AI 17')?.text,
    expiry: expirationTime === undefined ? expirationDate : `${expirationDate}T${expirationTime}`,
    expiryMonth: expirationDate?.slice(0, 7),
    productionDate: reading.productionDate,
    count: reading.count,
    quantity: reading.count,
    sscc: reading.sscc,
    logisticUnit: reading.sscc !== undefined && productOf(reading) === undefined,
    ai: Object.fromEntries(elements.map(({ source, text }) => [source.slice(3), text])),
    ...hibc,
    secondary: reading.carrier === 'hibc' && hibc === undefined,
    carrier: reading.carrier,
    flags: reading.flags,
  };
}
