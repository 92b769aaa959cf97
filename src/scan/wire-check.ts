import { ok, type Result } from '../base/result.ts';
import { quoted, type Rejection, reject } from './rejection.ts';
import { type WireField, type WireScan, wireFields, wireScanSchema, wireScanValidator } from './wire-schema.ts';

const required: readonly string[] = wireScanSchema.required;

/** Whether a JSON value has the fields of a scan, each of its JSON type; else the first reason why not. */
export function checkShape(input: unknown): Result<WireScan, Rejection> {
  if (wireScanValidator.isValid(input)) return ok(input);
  return explainShape(input);
}

function explainShape(input: unknown): { ok: false; error: Rejection } {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return reject('SG_FIELD_TYPE', undefined, `A scan is a JSON object, not ${jsonType(input)}.`);
  }
  for (const [field, value] of Object.entries(input)) {
    if (!wireFields.includes(field as WireField)) return unknownField(field);
    if (value === null) return reject('SG_FIELD_NULL', field, `${field} is null. Leave the field out instead.`);
  }
  for (const field of required) {
    if (!Object.hasOwn(input, field)) return reject('SG_FIELD_MISSING', field, `${field} is missing.`);
  }
  const field = wireScanValidator.faultOf(input)?.instancePath.split('/')[1] as WireField;
  return wrongValue(field, (input as Record<string, unknown>)[field]);
}

function unknownField(field: string): { ok: false; error: Rejection } {
  const near = wireFields.find((known) => squeeze(known) === squeeze(field));
  const hint =
    near === undefined ? 'Nothing is ignored: remove it, or see the fields of a scan at /v1/openapi.json.' : `Is it ${near}?`;
  return reject('SG_FIELD_UNKNOWN', field, `A scan has no field ${quoted(field)}. ${hint}`);
}

function squeeze(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

function wrongValue(field: WireField, value: unknown): { ok: false; error: Rejection } {
  const schema = wireScanSchema.properties[field] as { enum?: readonly string[]; anyOf?: unknown };
  if (schema.enum !== undefined && typeof value === 'string') {
    return reject('SG_FIELD_VALUE', field, `${field} is ${quoted(value)}; it is one of ${schema.enum.join(', ')}.`);
  }
  if (schema.anyOf !== undefined && typeof value === 'number') {
    return reject('SG_FIELD_TYPE', field, `${field} is ${value}, which JSON cannot hold. Send it as text.`);
  }
  const wanted = schema.anyOf === undefined ? 'text' : 'text or a number';
  const hint = typeof value === 'number' ? ' Numbers lose leading zeros: send it in quotation marks.' : '';
  return reject('SG_FIELD_TYPE', field, `${field} is ${jsonType(value)}; it is ${wanted}.${hint}`);
}

function jsonType(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'string') return 'text';
  if (typeof value === 'object') return 'an object';
  return `a ${typeof value}`;
}
