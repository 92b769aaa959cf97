import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import Table from 'cli-table3';
import { Command } from 'commander';
import { systemClock } from '../base/clock.ts';
import type { ProductDirectory } from '../directory/product-directory.ts';
import { SqliteProductDirectory } from '../directory/sqlite-product-directory.ts';
import { identityText } from '../identity/identify.ts';
import type { ScannerClass } from '../identity/scanner-class.ts';
import { decodeBarcode } from '../scan/decode/decode.ts';
import { type DecodeFault, type Reading, readingFlags } from '../scan/decode/reading.ts';
import type { Listing } from '../scan/listing.ts';
import { parseScan } from '../scan/parse-scan.ts';
import type { Scan } from '../scan/scan.ts';
import { scannerPolicyOf } from '../service/config.ts';
import { productsPathIn } from '../service/data-directory.ts';
import { settingsOf, withSettings } from './settings.ts';

interface Flags {
  readonly json?: true;
  readonly base64?: true;
  readonly facility: string;
  readonly scanner: string;
  readonly at?: string;
}

/** One payload, and what was understood of it. */
interface Decoded {
  readonly payload: string;
  readonly reading?: Reading;
  readonly fault?: DecodeFault;
  /** What the product directory says of it. */
  readonly listing?: Listing;
  /** The identity text of a dispense of one, or why it would be refused. */
  readonly identity?: string;
  readonly refused?: string;
}

export function decodeCommand(): Command {
  const command = new Command('decode')
    .description('Show what is understood of a barcode, part by part, and the identity it would have. Nothing is recorded.')
    .argument('[payload]', 'what the scanner sends; one a line from stdin when left out')
    .option('--json', 'one JSON object a payload')
    .option('--base64', 'payloads are bytes in base64')
    .option('--facility <id>', 'facility of the identity', 'FACILITY')
    .option('--scanner <id>', 'scanner of the identity: its class decides the profile', 'SCANNER')
    .option('--at <time>', 'when it was scanned, for the century of dates; now when left out');
  return withSettings(command, ['data', 'profile', 'scanner_classes']).action(async (payload: string | undefined) => {
    const flags = command.opts<Flags>();
    const config = settingsOf(command);
    const scannerClass = scannerPolicyOf(config)(flags.scanner, flags.facility);
    const directory = directoryIn(config.data);
    let failed = false;
    for await (const one of payload === undefined ? createInterface({ input: process.stdin }) : [payload]) {
      const decoded = decode(one, flags, scannerClass, directory);
      failed ||= decoded.fault !== undefined;
      console.log(flags.json === true ? JSON.stringify(decoded) : text(decoded));
    }
    if (failed) process.exitCode = 1;
  });
}

/** The product directory beside the ledger, if one was made. */
function directoryIn(data: string): ProductDirectory | undefined {
  const path = productsPathIn(data);
  return existsSync(path) ? new SqliteProductDirectory(path, { readonly: true }) : undefined;
}

function decode(payload: string, flags: Flags, scannerClass: ScannerClass, products: ProductDirectory | undefined): Decoded {
  const directory = (ndc10: string): string | undefined => products?.ndc11Of(ndc10);
  const scan = parseScan(wireOf(payload, flags), {
    receivedAt: systemClock.nowMs(),
    timeRules: { ageMsMax: Number.POSITIVE_INFINITY, aheadMsMax: Number.POSITIVE_INFINITY },
    decoding: { profileOf: () => scannerClass.profile, directory },
  });
  const raw = flags.base64 === true ? Buffer.from(payload, 'base64') : payload;
  const scanYear = new Date(scan.ok ? scan.value.occurredAt : systemClock.nowMs()).getUTCFullYear();
  const reading = decodeBarcode(raw, { scanYear, directory, profile: scannerClass.profile ?? {} });
  if (!reading.ok) return { payload, fault: reading.error };
  const listing = products?.listing(reading.value.ndc12 ?? '');
  return { payload, reading: reading.value, ...(listing !== undefined && { listing }), ...identityOf(scan, scannerClass) };
}

function wireOf(payload: string, { base64, facility, scanner, at }: Flags): unknown {
  const barcode = base64 === true ? { barcode_base64: payload } : { barcode: payload };
  return {
    facility_uuid: facility,
    scanner_id: scanner,
    scan_type: 'dispense',
    ...barcode,
    ...(at !== undefined && { captured_at: at }),
  };
}

function identityOf(scan: ReturnType<typeof parseScan>, scannerClass: ScannerClass): { identity: string } | { refused: string } {
  return scan.ok
    ? { identity: identityText(scan.value satisfies Scan, scannerClass) }
    : { refused: scan.error.rejection.message };
}

function text({ payload, reading, listing, fault, identity, refused }: Decoded): string {
  if (reading === undefined) return `${JSON.stringify(payload)}\nrefused: ${fault?.reason ?? ''}. ${fault?.message ?? ''}`;
  const parts = new Table({ head: ['part', 'text', 'at'], style: { head: [], border: [] } });
  for (const { source, text: said, at } of reading.parts) parts.push([source, said, at]);
  const { carrier, symbology, parts: _, flags, hibc, ...fields } = reading;
  const said = Object.entries({ ...fields, ...hibc, ...listing }).filter(([, value]) => value !== undefined);
  return [
    JSON.stringify(payload),
    `${carrier}${symbology === undefined ? '' : ` in ${symbology.name} (${symbology.id})`}`,
    parts.toString(),
    ...said.map(([name, value]) => `${name}: ${String(value)}`),
    ...flags.map((flag) => `flag ${flag}: ${readingFlags[flag]}`),
    identity === undefined ? `would be refused: ${refused ?? ''}` : `identity: ${identity}`,
  ].join('\n');
}
