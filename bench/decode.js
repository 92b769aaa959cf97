// How many barcodes one core decodes in a second, beside another parser on the same text. Needs the build: npm run bench:decode
import gs1 from 'gs1-barcode-parser-mod';
import { decodeBarcode } from '../dist/scan/decode/decode.js';

const payload = ']d2010030406051201621SN12345\u001d1726123110AB12';
const rounds = 5;
const decodes = 200_000;

const subjects = {
  scangate: () => decodeBarcode(payload, { scanYear: 2026 }),
  'gs1-barcode-parser-mod': () => gs1.parseBarcode(payload),
};

/** The best of some rounds, by the processor time of this process: what else runs on the machine does not count. */
function perSecond(act) {
  const rates = Array.from({ length: rounds }, () => {
    const start = process.cpuUsage();
    for (let count = 0; count < decodes; count += 1) act();
    const { user, system } = process.cpuUsage(start);
    return (decodes / (user + system)) * 1e6;
  });
  return Math.max(...rates);
}

const rates = Object.fromEntries(Object.entries(subjects).map(([name, act]) => [name, perSecond(act)]));
for (const [name, rate] of Object.entries(rates))
  console.log(`${name}: ${Math.round(rate).toLocaleString('en-US')} decodes per processor second`);
console.log(`ratio: ${(rates.scangate / rates['gs1-barcode-parser-mod']).toFixed(1)}`);
