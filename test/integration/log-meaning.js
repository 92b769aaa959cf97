/** Of the CSV logs that the scripts beside this file import. */
export const logMeaning = {
  format: 'csv',
  columns: {},
  constants: { facility_uuid: 'F1', scanner_id: 'S1', scan_type: 'dispense' },
  ignoredColumns: [],
  ignoresUnmapped: false,
  hasDecimalComma: false,
};
