import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import bwipjs from 'bwip-js/node';
import { beforeAll, describe, expect, it } from 'vitest';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import { decodeBarcode } from '../../../../src/scan/decode/decode.ts';
import type { Reading } from '../../../../src/scan/decode/reading.ts';

beforeAll(() => {
  const wasm = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm');
  prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(readFileSync(wasm)).buffer } });
});

interface Picture {
  readonly identifier: string;
  readonly reading: Reading;
}

/** Draws a symbol, reads the picture as a scanner does, and decodes the bytes that it would send. */
async function drawnAndRead(bcid: string, text: string): Promise<Picture> {
  const picture = await bwipjs.toBuffer({ bcid, text, scale: 3, paddingwidth: 20, paddingheight: 20, backgroundcolor: 'FFFFFF' });
  const [symbol, ...others] = await readBarcodes(new Uint8Array(picture), { tryHarder: true });
  expect(others).toEqual([]);
  if (symbol === undefined) throw new Error(`Nothing was read from the picture of ${text}.`);
  const sent = Buffer.concat([Buffer.from(symbol.symbologyIdentifier, 'latin1'), symbol.bytes]);
  const reading = decodeBarcode(sent, { scanYear: 2026 });
  if (!reading.ok) throw new Error(reading.error.message);
  return { identifier: symbol.symbologyIdentifier, reading: reading.value };
}

const wholePackage = {
  gtin14: '00304060512016',
  ndc11: '00406051201',
  lotNumber: 'aB-12/3',
  serialNumber: 'SN12345',
  expirationDate: '2026-12-31',
  flags: [],
};

describe('a symbol that was drawn and read from its picture', () => {
  it.each([
    ['gs1datamatrix', ']d2', '(01)00304060512016(21)SN12345(17)261231(10)aB-12/3'],
    ['gs1datamatrix', ']d2', '(10)aB-12/3(17)261231(21)SN12345(01)00304060512016'],
    ['gs1-128', ']C1', '(01)00304060512016(17)261231(10)aB-12/3(21)SN12345'],
    ['gs1qrcode', ']Q3', '(01)00304060512016(10)aB-12/3(21)SN12345(17)261231'],
    ['databarexpanded', ']e0', '(01)00304060512016(10)aB-12/3(21)SN12345(17)261231'],
    ['gs1dlqrcode', ']Q1', 'https://id.gs1.org/01/00304060512016/10/aB-12%2F3/21/SN12345?17=261231'],
    ['gs1dldatamatrix', ']d1', 'https://id.gs1.org/01/00304060512016/10/aB-12%2F3/21/SN12345?17=261231'],
  ])('says product, lot, serial and expiry: %s %s %s', async (bcid, identifier, text) => {
    const picture = await drawnAndRead(bcid, text);

    expect(picture.identifier).toBe(identifier);
    expect(picture.reading).toMatchObject(wholePackage);
  });

  it.each([
    ['upca', ']E0', '304060512016', { gtin14: '00304060512016', ndc11: '00406051201', packagingIndicator: 0 }],
    ['ean13', ']E0', '6291041500213', { gtin14: '06291041500213', ndc11: undefined }],
    ['ean8', ']E4', '12345670', { gtin14: '00000012345670' }],
    ['upce', ']E0', '07838604', { gtin14: '00078000003864' }],
    ['itf14', ']I1', '10304060512013', { gtin14: '10304060512013', packagingIndicator: 1, flags: ['packaging_level'] }],
    ['code39', ']A0', '00406051201', { ndc11: '00406051201', carrier: 'ndc' }],
    ['hibcdatamatrix', ']d1', 'A123BJC5D6E71', { hibc: { lic: 'A123', pcn: 'BJC5D6E7', unitOfMeasure: 1 } }],
  ])('says its product: %s', async (bcid, identifier, text, product) => {
    const picture = await drawnAndRead(bcid, text);

    expect(picture.identifier).toBe(identifier);
    expect(picture.reading).toMatchObject(product);
  });
});
