/** What a spreadsheet makes of a long product code: its last digits are gone. */
export const scientificNumber = /^\d+(?:[.,]\d*)?e[+-]?\d+$/i;
