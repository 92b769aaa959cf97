/**
 * The one registry of coded errors. A code is never used again for something else.
 *
 * `kind` says where it is met: a `scan` code refuses one scan, a `request` code refuses a whole HTTP request or file, an
 * `unavailable` code asks for a retry, a `startup` code ends the process with one sentence.
 */
export const errorCodes = {
  SG_FIELD_UNKNOWN: { kind: 'scan', about: 'A field that a scan does not have. Nothing is ignored.' },
  SG_FIELD_MISSING: { kind: 'scan', about: 'A field that every scan of this type needs is not there.' },
  SG_FIELD_TYPE: { kind: 'scan', about: 'A field is not of the type that it must have. Nothing is coerced.' },
  SG_FIELD_NULL: { kind: 'scan', about: 'A field is null. Leave it out instead.' },
  SG_FIELD_EMPTY: { kind: 'scan', about: 'A field is empty, or holds nothing but white space and invisible characters.' },
  SG_FIELD_LONG: { kind: 'scan', about: 'A field is longer than allowed.' },
  SG_FIELD_CHARACTER: { kind: 'scan', about: 'A field holds a character that no identity may hold; its code point is named.' },
  SG_FIELD_VALUE: { kind: 'scan', about: 'A field is not one of the values that it may have.' },
  SG_FIELDS_DISAGREE: { kind: 'scan', about: 'Two fields, or a field and a header, say different things.' },
  SG_PATIENT_DATA: { kind: 'scan', about: 'A field whose name looks like patient data. Its value is not kept.' },
  SG_BARCODE_INVALID: { kind: 'scan', about: 'A barcode that cannot be read; the reason says why.' },
  SG_PRODUCT_MISSING: { kind: 'scan', about: 'Neither an NDC nor a GTIN.' },
  SG_PRODUCT_UNLISTED: {
    kind: 'scan',
    about: 'The product directory does not know the product, so nobody can tell whether it is controlled.',
  },
  SG_PRODUCT_PLACEHOLDER: { kind: 'scan', about: 'An NDC or GTIN of nothing but zeros.' },
  SG_NDC_INVALID: { kind: 'scan', about: 'Not an NDC: the digits or the hyphens are wrong.' },
  SG_NDC_AMBIGUOUS: { kind: 'scan', about: 'Ten digits without hyphens, which fit more than one NDC.' },
  SG_GTIN_INVALID: { kind: 'scan', about: 'Not a GTIN of 12, 13 or 14 digits.' },
  SG_CHECK_DIGIT: { kind: 'scan', about: 'The check digit is wrong: a scan error, not an unknown product.' },
  SG_SPREADSHEET_DAMAGE: { kind: 'scan', about: 'A number that a spreadsheet has damaged: digits are gone.' },
  SG_DATE_INVALID: { kind: 'scan', about: 'Not a calendar date in the form 2026-12-31.' },
  SG_TIME_INVALID: { kind: 'scan', about: 'Not an instant in a form that is understood.' },
  SG_TIME_ZONE_MISSING: { kind: 'scan', about: 'A local time without a zone or an offset.' },
  SG_TIME_NONEXISTENT: { kind: 'scan', about: 'A local time that the clock change of its zone left out.' },
  SG_TIME_UNUSABLE: {
    kind: 'scan',
    about: 'A row of a file has neither a believable time nor a scan id, so it could not be imported twice safely.',
  },
  SG_QUANTITY_INVALID: { kind: 'scan', about: 'Not a quantity.' },
  SG_QUANTITY_RANGE: { kind: 'scan', about: 'A quantity that this type of scan cannot have.' },
  SG_DIRECTION: { kind: 'scan', about: 'A direction is missing where it decides the sign, or given where the type has one.' },
  SG_REASON_MISSING: { kind: 'scan', about: 'An adjustment without a reason.' },
  SG_NUMBER_INEXACT: { kind: 'scan', about: 'A JSON number that cannot be read without rounding. Send it as text.' },
  SG_KEY_REPEATED: { kind: 'scan', about: 'A JSON object holds the same key twice.' },
  SG_ITEM_TOO_LARGE: { kind: 'scan', about: 'One scan is larger than allowed.' },
  SG_ITEM_TOO_DEEP: { kind: 'scan', about: 'JSON nested deeper than a scan can be.' },
  SG_ROW_COLUMNS: { kind: 'scan', about: 'A row of a file has more or fewer columns than its header.' },
  SG_ROW_QUOTE: { kind: 'scan', about: 'A row of a file opens a quote that is not closed.' },
  SG_ENCODING_INVALID: { kind: 'scan', about: 'Bytes that are not text in the encoding given.' },

  SG_CONFLICT: { kind: 'scan', about: 'The scan id was used before with other content. The first entry stands.' },

  SG_JSON_INVALID: { kind: 'request', about: 'Not JSON.' },
  SG_BODY_EMPTY: { kind: 'request', about: 'Nothing was sent.' },
  SG_BODY_TOO_LARGE: { kind: 'request', about: 'The body, as sent or inflated, is larger than allowed.' },
  SG_BATCH_TOO_LARGE: { kind: 'request', about: 'An array holds more scans than allowed.' },
  SG_MEDIA_TYPE: { kind: 'request', about: 'A content type other than JSON or NDJSON.' },
  SG_CONTENT_ENCODING: { kind: 'request', about: 'A content encoding other than gzip, or a body that is not what it says.' },
  SG_REQUEST_INVALID: { kind: 'request', about: 'A parameter of the request is not understood.' },
  SG_REQUEST_TIMEOUT: { kind: 'request', about: 'The rest of the request did not arrive in time.' },
  SG_NOT_FOUND: { kind: 'request', about: 'There is nothing under this address, key or id.' },
  SG_QUARANTINE_RESOLVED: { kind: 'request', about: 'What is to be released or discarded was released or discarded before.' },
  SG_INTERNAL: { kind: 'request', about: 'A defect of ScanGate. Nothing was acknowledged.' },

  SG_QUEUE_FULL: { kind: 'unavailable', about: 'More scans wait for the ledger than it can hold. Send it again.' },
  SG_LEDGER_BUSY: { kind: 'unavailable', about: 'Another process holds the ledger. Send it again.' },
  SG_LEDGER_SLOW: { kind: 'unavailable', about: 'The ledger has not answered in time. Send it again: it is counted once.' },
  SG_LEDGER_FULL: { kind: 'unavailable', about: 'The disk of the ledger is full.' },
  SG_LEDGER_FAILED: { kind: 'unavailable', about: 'The ledger cannot write.' },
  SG_LEDGER_REFERENCE: { kind: 'unavailable', about: 'What the ledger holds contradicts itself; verify it.' },
  SG_SHUTTING_DOWN: { kind: 'unavailable', about: 'The server is stopping. Send it again, here or elsewhere.' },

  SG_CLAIM_FAILED: { kind: 'unavailable', about: 'The claims cannot be asked, so nobody knows who may commit. Send it again.' },
  SG_CLAIM_HELD: {
    kind: 'unavailable',
    about: 'Somebody else holds the claim and has not said that it is committed. Send it again.',
  },
  SG_CLAIM_OVERTAKEN: {
    kind: 'unavailable',
    about: 'A later scan of the same content holds the claim, which says nothing of this one any more.',
  },
  SG_LEASE_OVER: { kind: 'unavailable', about: 'The lease ran out before the commit could begin. Send it again.' },
  SG_LOOKUP_FAILED: { kind: 'unavailable', about: 'The look-up of a pick in your ledger failed. Send it again.' },
  SG_COMMIT_UNKNOWN: {
    kind: 'unavailable',
    about: 'The commit ended without saying whether anything was written. Send it again.',
  },
  SG_COMMIT_REFUSED: { kind: 'unavailable', about: 'The commit says that it has written nothing. Send it again.' },

  SG_CONFIG_INVALID: { kind: 'startup', about: 'A setting is unknown or makes no sense.' },
  SG_DATA_PATH: { kind: 'startup', about: 'The data directory or its file cannot be used.' },
  SG_DATA_LOCKED: { kind: 'startup', about: 'Another server uses this data directory.' },
  SG_DATA_DAMAGED: { kind: 'startup', about: 'The ledger file is damaged.' },
  SG_DATA_VERSION: { kind: 'startup', about: 'The ledger was written by another version, or waits for "scangate migrate".' },
  SG_DATABASE: { kind: 'startup', about: 'The database of the ledger cannot be reached or used.' },
  SG_DATABASE_UNSAFE: { kind: 'startup', about: 'The database may lose what it has said is committed.' },
  SG_UNSAFE: { kind: 'startup', about: 'Redis or the database is set up so that scans could be counted twice or lost.' },
  SG_REDIS: { kind: 'startup', about: 'Redis cannot be reached or used by a command that needs it.' },
  SG_NETWORK_FILE_SYSTEM: { kind: 'startup', about: 'The data directory is on a network file system, where SQLite is not safe.' },
  SG_ADDRESS: { kind: 'startup', about: 'The address cannot be listened on.' },
  SG_INPUT_FILE: { kind: 'startup', about: 'The file to import cannot be read, or does not have what the command needs.' },
  SG_HISTORY_INVALID: { kind: 'startup', about: 'The history of a run cannot be read, or is cut off.' },
} as const satisfies Record<string, { kind: 'scan' | 'request' | 'unavailable' | 'startup'; about: string }>;

export type ErrorCode = keyof typeof errorCodes;

type CodesOf<K> = { [C in ErrorCode]: (typeof errorCodes)[C]['kind'] extends K ? C : never }[ErrorCode];
export type ScanCode = CodesOf<'scan'>;
export type UnavailableCode = CodesOf<'unavailable'>;

/** An error with a code of the registry and a sentence that a person understands. */
export class ScanGateError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ScanGateError';
    this.code = code;
  }

  /** Whether the same thing, sent again later, can succeed. */
  get retryable(): boolean {
    return errorCodes[this.code].kind === 'unavailable';
  }
}
