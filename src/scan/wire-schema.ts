import type { Static } from 'typebox';
import { Type } from '../base/json-schema.ts';
import { validatorOf } from '../base/validator.ts';
import { directions, scanTypes, units } from './scan-type.ts';

/**
 * A scan on the wire: the one schema that gives the type, the validation and the OpenAPI page. It says which fields there
 * are and of which JSON type; what their text may be is decided field by field in `parseScan`.
 */
export const wireScanSchema = Type.Object(
  {
    facility_uuid: Type.String({
      description: 'The registered location, 1 to 64 characters; a UUID is usual. Compared as given.',
    }),
    scanner_id: Type.String({ description: 'The device, 1 to 64 characters.' }),
    scan_type: Type.Enum([...scanTypes], { description: 'What happened to the stock.' }),
    barcode: Type.Optional(
      Type.String({
        description: 'What the scanner read, as text, instead of ndc, gtin and what follows; sent beside them it must agree.',
      }),
    ),
    barcode_base64: Type.Optional(
      Type.String({ description: 'The same as bytes in base64: keeps the group separator, which JSON text may lose.' }),
    ),
    ndc: Type.Optional(
      Type.String({ description: '10 digits with hyphens (4-4-2, 5-3-2, 5-4-1), 11 or 12 digits with or without.' }),
    ),
    gtin: Type.Optional(Type.String({ description: '12, 13 or 14 digits with the check digit.' })),
    lot_number: Type.Optional(Type.String({ description: '1 to 64 characters; case and leading zeros are data.' })),
    serial_number: Type.Optional(Type.String({ description: '1 to 64 characters; case and leading zeros are data.' })),
    expiration_date: Type.Optional(Type.String({ description: 'A calendar date, as in 2026-12-31.' })),
    quantity: Type.Optional(
      Type.Union([Type.String(), Type.Number()], {
        description: 'Decimal with at most 6 fractional digits; 1 when left out.',
        default: 1,
      }),
    ),
    unit: Type.Optional(Type.Enum([...units], { description: 'Each, millilitre or gram.', default: 'EA' })),
    direction: Type.Optional(Type.Enum([...directions], { description: 'For transfer and return: into or out of this stock.' })),
    scan_uuid: Type.Optional(
      Type.String({ description: 'Minted once per trigger pull; the same in every retransmission. 1 to 128 characters.' }),
    ),
    captured_at: Type.Optional(
      Type.Union([Type.String(), Type.Number()], {
        description: 'When the trigger was pulled, by the clock of the device: RFC 3339 with an offset.',
      }),
    ),
    sent_at: Type.Optional(
      Type.Union([Type.String(), Type.Number()], { description: 'When this transmission left the device, by the same clock.' }),
    ),
    reference: Type.Optional(
      Type.String({ description: 'An opaque prescription or order number, 1 to 128 characters. Never a person.' }),
    ),
    reason: Type.Optional(Type.String({ description: 'Why; an adjust needs it. 1 to 500 characters.' })),
    actor: Type.Optional(Type.String({ description: 'Who pulled the trigger, 1 to 128 characters.' })),
  },
  { additionalProperties: false, title: 'Scan' },
);

export type WireScan = Static<typeof wireScanSchema>;
export type WireField = keyof WireScan;

export const wireScanValidator = validatorOf(wireScanSchema);

export const wireFields = Object.keys(wireScanSchema.properties) as readonly WireField[];

/** How many characters each text field may have. */
export const textLengthMax = {
  facility_uuid: 64,
  scanner_id: 64,
  lot_number: 64,
  serial_number: 64,
  scan_uuid: 128,
  reference: 128,
  reason: 500,
  actor: 128,
} as const satisfies Partial<Record<WireField, number>>;

export type TextField = keyof typeof textLengthMax;
