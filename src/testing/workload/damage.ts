/** Barcodes that are no scan, whatever the scanner meant: each of these can be known to be damaged from its text alone. */
import type { Random } from './random.ts';

/** Two symbols read as one. */
export function gluedBarcode(random: Random, serial: string): string {
  return random.pick([
    // The identifier of the second symbol in the midst of the text.
    `]d2010030093573201517270800\u001D10A1207]d20100306416052252172912151000431`,
    // The separator is lost: the lot is longer than a lot can be.
    `010030093573201517270800${`10A1207${serial}`}0100306416052252`,
    // One product, and then another.
    `]d20100300935732015\u001D0100306416052252\u001D21${serial}`,
    // Two linear codes, one behind the other.
    '300935732015306416052252',
  ]);
}

/** Cut off, or with a wrong digit. */
export function damagedBarcode(random: Random, serial: string): string {
  return random.pick([
    // Breaks off in the date, in the product, before the lot.
    `]d201003009357320151727`,
    `]d20100300935732`,
    `010030093573201517270800${'10'}`,
    // A check digit that is not that of the product.
    `010030093573201${random.pick(['0', '1', '3', '9'])}17270800${'21'}${serial}`,
    `00306416052${random.pick(['1', '3'])}52`,
    // A month and a day that do not exist.
    `01003009357320151727${random.pick(['1300', '0231'])}21${serial}`,
    // An element without a value.
    `]d20100300935732015\u001D10\u001D21${serial}`,
  ]);
}
