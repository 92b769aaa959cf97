/** Files of a product directory, read into one. */
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { SqliteProductDirectory } from '../../src/directory/sqlite-product-directory.ts';
import {
  type DirectoryImportOptions,
  type DirectoryImportSummary,
  importDirectory,
} from '../../src/ingest/directory/import-directory.ts';
import type { Listing } from '../../src/scan/listing.ts';
import { fdaFiles, newFolder, packages, packageText, products, productText, windows1252, write } from './directory-files.ts';

interface Imported {
  readonly summary: DirectoryImportSummary;
  readonly refused: readonly string[];
  readonly directory: SqliteProductDirectory;
  listings(...ndc12: string[]): (Listing | undefined)[];
}

async function imported(
  paths: readonly string[],
  options: Partial<DirectoryImportOptions> = {},
  directory = new SqliteProductDirectory(join(newFolder(), 'directory.sqlite')),
): Promise<Imported> {
  const refused: string[] = [];
  const onRefused: DirectoryImportOptions['onRefused'] = ({ file, line, message }) => {
    refused.push(`${file.split('/').at(-1)}:${line}: ${message}`);
  };
  const summary = await importDirectory({ paths, directory, onRefused, ...options });
  return { summary, refused, directory, listings: (...ndc12) => ndc12.map((ndc) => directory.listing(ndc)) };
}

/** What the six packages of the files are, by hand. */
const expected: readonly (readonly [string, Listing])[] = [
  [
    '060274061001',
    {
      dea_schedule: 'CII',
      product_name: 'Zohydro™',
      package_form: 'CAPSULE, EXTENDED RELEASE, 10 mg/1; 60 CAPSULE, EXTENDED RELEASE in 1 BOTTLE',
      units_per_container: '60',
    },
  ],
  [
    '011014008001',
    {
      dea_schedule: 'CII',
      product_name: 'dexmethylphenidate',
      package_form: 'CAPSULE, 5 mg/1; 2 POUCH in 1 CASE > 5000 CAPSULE in 1 POUCH',
      units_per_container: '10000',
    },
  ],
  [
    '011071090201',
    {
      dea_schedule: 'CIII',
      product_name: 'L’Été – Ÿ',
      package_form: 'TABLET, 2 mg/1; 3 BLISTER PACK in 1 CARTON / 10 TABLET in 1 BLISTER PACK',
      units_per_container: '30',
    },
  ],
  [
    '000591024000',
    {
      dea_schedule: 'CIV',
      product_name: 'Lorazepam…',
      package_form: 'TABLET, .5 mg/1; 100 TABLET in 1 BOTTLE',
      units_per_container: '100',
    },
  ],
  [
    '016262000901',
    { dea_schedule: 'CV', product_name: 'lacosamide', package_form: '1 DRUM in 1 DRUM', units_per_container: '1' },
  ],
  [
    '000002080001',
    {
      dea_schedule: 'none',
      product_name: 'Sterile Diluent',
      package_form: 'INJECTION, SOLUTION, 1 mL/mL; 1 VIAL in 1 CARTON (0002-0800-01)  > 10 mL in 1 VIAL',
      units_per_container: '10',
    },
  ],
];

describe("FDA's two files", () => {
  it.each(['product first', 'package first'])('are taken together, with the %s', async (order) => {
    const { product, pack } = fdaFiles();
    const { summary, refused, directory, listings } = await imported(
      order === 'product first' ? [product, pack] : [pack, product],
    );
    expect([summary, refused]).toEqual([{ packages: 6, refused: 0 }, []]);
    expect(listings(...expected.map(([ndc]) => ndc))).toEqual(expected.map(([, listing]) => listing));
    expect(directory.isLoaded()).toBe(true);
    expect([directory.ndc11Of('6027461001'), directory.ndc11Of('1101400801')]).toEqual(['60274061001', '11014008001']);
  });

  it('in UTF-8 with a byte-order mark, or as the option says, are the same', async () => {
    const [product, pack] = [productText(products), packageText(packages)];
    const marked = await imported([write('product.txt', `\ufeff${product}`), write('package.txt', `\ufeff${pack}`)]);
    const told = await imported([write('product.txt', product), write('package.txt', pack)], { encoding: 'utf-8' });
    for (const { listings } of [marked, told]) {
      expect(listings(...expected.map(([ndc]) => ndc))).toEqual(expected.map(([, listing]) => listing));
    }
  });

  it('have rows that are no packages: each is named by its line, and the others are taken', async () => {
    const product = write('product.txt', windows1252(productText([...products, ['0002-1200', 'Amyvid', '', '', '', '', 'DEA']])));
    const text = packageText([
      ['0002-1200', '0002-1200-30', '30 mL in 1 VIAL'],
      ...packages,
      ['11014-0081', '11014-0081-1', 'not among the products'],
      ['11014-0080', '11014-0080', 'a product, not a package'],
    ]);
    const pack = write('package.txt', Buffer.concat([windows1252(text), Buffer.of(0x81), Buffer.from('\r\n')]));
    const { summary, refused } = await imported([product, pack]);
    expect(summary).toEqual({ packages: 6, refused: 4 });
    expect(refused.map((line) => line.split(': ')[0])).toEqual([
      'package.txt:2',
      'package.txt:9',
      'package.txt:10',
      'package.txt:11',
    ]);
    expect(refused[0]).toContain('"DEA" is no DEA schedule');
    expect(refused[1]).toContain('"11014-0081_id"');
  });
});

const plain = [
  'NDC,Schedule,Name,Package Form,Units',
  '="00093721410",none,Metformin,TABLET,100',
  '0641-6052-25,C-II,Meperidine – 25 mg,VIAL,25',
  '42023-0179-05,3,Buprenorphine,,',
  '0228-2027-00,IV,Alprazolam,"BOTTLE, 10 ""loose""",10',
  '16262-012-01,cv,,,',
  '',
].join('\r\n');

const listedPlainly: readonly (readonly [string, Listing])[] = [
  ['000093721410', { dea_schedule: 'none', product_name: 'Metformin', package_form: 'TABLET', units_per_container: '100' }],
  ['000641605225', { dea_schedule: 'CII', product_name: 'Meperidine – 25 mg', package_form: 'VIAL', units_per_container: '25' }],
  ['042023017905', { dea_schedule: 'CIII', product_name: 'Buprenorphine' }],
  [
    '000228202700',
    { dea_schedule: 'CIV', product_name: 'Alprazolam', package_form: 'BOTTLE, 10 "loose"', units_per_container: '10' },
  ],
  ['016262001201', { dea_schedule: 'CV' }],
];

describe('a list of one’s own', () => {
  const utf16 = (text: string, isBigEndian: boolean) => {
    const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
    return isBigEndian ? bytes.swap16() : bytes;
  };

  it.each<[string, string | Uint8Array]>([
    ['in UTF-8', plain],
    ['in UTF-8 with a byte-order mark, as Excel saves it', `\ufeff${plain}`],
    [
      'in UTF-16, separated by tabs, as Excel saves Unicode text',
      utf16(
        plain.replace('"BOTTLE, 10 ""loose"""', 'BOTTLE~').replaceAll(',', '\t').replace('BOTTLE~', '"BOTTLE, 10 ""loose"""'),
        false,
      ),
    ],
    ['in UTF-16 of the other byte order', utf16(plain, true)],
    ['separated by semicolons', plain.replace('"BOTTLE, 10', 'BOTTLE~').replaceAll(',', ';').replace('BOTTLE~', '"BOTTLE, 10')],
  ])('is read %s', async (_how, content) => {
    const { summary, refused, listings } = await imported([write('list.csv', content)]);
    expect([summary, refused]).toEqual([{ packages: 5, refused: 0 }, []]);
    expect(listings(...listedPlainly.map(([ndc]) => ndc))).toEqual(listedPlainly.map(([, listing]) => listing));
  });

  it('is read in Windows-1252 where that is said', async () => {
    const { listings } = await imported([write('list.csv', windows1252(plain))], { encoding: 'windows-1252' });
    expect(listings('000641605225')[0]?.product_name).toBe('Meperidine – 25 mg');
  });

  it('has rows that are no packages: each is named by its line, and the others are taken', async () => {
    const path = write(
      'list.csv',
      'ndc,schedule\n0093-5732-01,CII\n0093-5732-02,\n6332372303,CII\n0093-5732-03,VI\n0093-5732-04,CII,more\n\n0591-0744-00,4\n',
    );
    const { summary, refused, listings } = await imported([path]);
    expect(summary).toEqual({ packages: 2, refused: 4 });
    expect(refused.map((line) => line.split(': ')[0])).toEqual(['list.csv:3', 'list.csv:4', 'list.csv:5', 'list.csv:6']);
    expect(listings('000093573201', '000093573202', '000591074400')).toEqual([
      { dea_schedule: 'CII' },
      undefined,
      { dea_schedule: 'CIV' },
    ]);
  });
});

describe('files that are not what they should be', () => {
  const scans = () => write('scans.csv', 'scan_uuid,ndc,lot_number\nA,00093721410,L\n');
  const list = () => write('list.csv', plain);

  it.each<[string, () => string[], string]>([
    ['only the products', () => [fdaFiles().product], "Give FDA's product.txt and package.txt together"],
    ['only the packages', () => [fdaFiles().pack], "Give FDA's product.txt and package.txt together"],
    ['the products twice', () => [fdaFiles().product, fdaFiles().product], "Give FDA's product.txt and package.txt together"],
    ['two lists', () => [list(), list()], "Give FDA's product.txt and package.txt together"],
    ['three files', () => [fdaFiles().product, fdaFiles().pack, list()], "Give FDA's product.txt and package.txt together"],
    ['a list of something else', () => [scans()], 'is no list of packages'],
    ['one of two that is something else', () => [fdaFiles().product, scans()], 'is no list of packages'],
    ['an empty file', () => [write('empty.csv', '')], 'is empty'],
    ['a directory', () => [newFolder()], 'is a directory'],
    ['a file that is not there', () => [join(newFolder(), 'none.txt')], 'There is no file'],
    [
      'a picture',
      () => [write('a.png', Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0))],
      'is no list of packages',
    ],
  ])('are refused by one sentence, and leave the directory as it was: %s', async (_what, pathsOf, sentence) => {
    const directory = new SqliteProductDirectory(join(newFolder(), 'directory.sqlite'));
    const refusal = importDirectory({ paths: pathsOf(), directory });
    await expect(refusal).rejects.toMatchObject({ code: 'SG_INPUT_FILE' });
    await expect(refusal).rejects.toThrow(sentence);
    expect(directory.isLoaded()).toBe(false);
  });
});

/** Stops after its so-many-th transaction, as a process that is killed. */
async function stopped(directory: SqliteProductDirectory, paths: readonly string[], afterTransactions: number): Promise<void> {
  let count = 0;
  const onProgress = () => {
    count += 1;
    if (count === afterTransactions) throw new Error('The power failed.');
  };
  await expect(importDirectory({ paths, directory, packagesPerTransaction: 2, onProgress })).rejects.toThrow('The power failed.');
}

describe('an import that was stopped', () => {
  it('is not loaded, and goes on where it stopped, with its files in either order', async () => {
    const { product, pack } = fdaFiles();
    const path = join(newFolder(), 'directory.sqlite');
    await stopped(new SqliteProductDirectory(path), [product, pack], 2);
    const directory = new SqliteProductDirectory(path);
    expect([directory.isLoaded(), directory.listing('000591024000')?.dea_schedule, directory.listing('016262000901')]).toEqual([
      false,
      'CIV',
      undefined,
    ]);
    const { summary, listings } = await imported([pack, product], { packagesPerTransaction: 2 }, directory);
    expect(summary).toEqual({ packages: 2, refused: 0, resumed_at_line: 6 });
    expect(listings(...expected.map(([ndc]) => ndc))).toEqual(expected.map(([, listing]) => listing));
    expect(directory.isLoaded()).toBe(true);
  });

  it('begins anew where a file has changed', async () => {
    const { product, pack } = fdaFiles();
    const directory = new SqliteProductDirectory(join(newFolder(), 'directory.sqlite'));
    await stopped(directory, [product, pack], 2);
    const changed = write('package.txt', windows1252(packageText(packages.slice(0, 5))));
    expect((await imported([product, changed], {}, directory)).summary).toEqual({ packages: 5, refused: 0 });
  });

  it('does not make a directory forget that it had been loaded', async () => {
    const { product, pack } = fdaFiles();
    const path = join(newFolder(), 'directory.sqlite');
    await imported([product, pack], {}, new SqliteProductDirectory(path));
    await stopped(new SqliteProductDirectory(path), [product, pack], 1);
    expect(new SqliteProductDirectory(path).isLoaded()).toBe(true);
  });
});

test('a list takes the place of what is listed under its NDCs, and leaves the rest', async () => {
  const { product, pack } = fdaFiles();
  const { directory } = await imported([product, pack]);
  const list = write('list.csv', 'ndc,schedule,name\n60274-0610-01,CIII,Hydrocodone\n');
  const { listings } = await imported([list], {}, directory);
  expect(listings('060274061001', '000591024000')).toEqual([
    { dea_schedule: 'CIII', product_name: 'Hydrocodone' },
    expected[3]?.[1],
  ]);
  expect(directory.ndc11Of('6027461001')).toBe('60274061001');
});
