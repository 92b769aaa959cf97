/**
 * Checks values against JSON Schemas, as the specification (draft 2020-12) says.
 *
 * In: a schema made by `json-schema.ts`, once; then any value. Out: whether it is valid, and the first reason why not, in the order and
 * words of typebox, against which a test holds it. Typebox's own engine is two hundred files, which every start would wait for. A
 * keyword that is not here is refused when the validator is made, never passed over.
 */
import type { Static, TSchema } from 'typebox';

export interface Fault {
  /** Where in the value, as in `/scanners/0`; empty for the value itself. */
  readonly instancePath: string;
  readonly message: string;
}

export interface Validator<T> {
  isValid(value: unknown): value is T;
  /** Why a value is not valid: the first reason. */
  faultOf(value: unknown): Fault | undefined;
}

export function validatorOf<S extends TSchema>(schema: S): Validator<Static<S>> {
  const check = checkOf(schema as Schema);
  return { isValid: (value): value is Static<S> => check(value) === undefined, faultOf: check };
}

type Schema = Readonly<Record<string, unknown>>;
type Schemas = Readonly<Record<string, Schema>>;
type Json = Readonly<Record<string, unknown>>;
type Check = (value: unknown) => Fault | undefined;

/** What the keywords of one schema check, in the order in which their reasons are given. */
const keywords = new Map<string, (operand: never, schema: Schema) => Check>([
  ['type', (type: keyof typeof isOfType) => refuse(`must be ${type}`, (value) => !isOfType[type](value))],
  ['required', required],
  ['additionalProperties', noOthers],
  ['patternProperties', patternProperties],
  ['properties', properties],
  ['items', items],
  [
    'minItems',
    (least: number) => refuse(`must not have fewer than ${least} items`, (value) => isArray(value) && value.length < least),
  ],
  ['minLength', (least: number) => refuse(`must not have fewer than ${least} characters`, (value) => lengthOf(value) < least)],
  ['maxLength', (most: number) => refuse(`must not have more than ${most} characters`, (value) => lengthOf(value) > most)],
  ['pattern', pattern],
  ['minimum', (least: number) => refuse(`must be >= ${least}`, (value) => typeof value === 'number' && value < least)],
  ['maximum', (most: number) => refuse(`must be <= ${most}`, (value) => typeof value === 'number' && value > most)],
  ['const', (only: unknown) => refuse('must be equal to constant', (value) => value !== only)],
  [
    'enum',
    (allowed: readonly unknown[]) => refuse('must be equal to one of the allowed values', (value) => !allowed.includes(value)),
  ],
  ['anyOf', anyOf],
]);

/** What only describes. */
const annotations = new Set(['title', 'description', 'default']);

const isOfType = {
  array: isArray,
  boolean: (value: unknown) => typeof value === 'boolean',
  integer: Number.isInteger,
  number: Number.isFinite,
  object: isObject,
  string: (value: unknown) => typeof value === 'string',
};

function checkOf(schema: Schema): Check {
  const unknown = Object.keys(schema).find((word) => !keywords.has(word) && !annotations.has(word));
  if (unknown !== undefined) throw new TypeError(`The keyword ${unknown} of a schema is not checked here.`);
  const checks: Check[] = [];
  for (const [word, make] of keywords) if (Object.hasOwn(schema, word)) checks.push(make(schema[word] as never, schema));
  return (value) => firstOf(checks, (check) => check(value));
}

function firstOf<T>(things: readonly T[], faultOf: (thing: T) => Fault | undefined): Fault | undefined {
  for (const thing of things) {
    const fault = faultOf(thing);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function refuse(message: string, isWrong: (value: unknown) => boolean): Check {
  const fault = { instancePath: '', message };
  return (value) => (isWrong(value) ? fault : undefined);
}

function isArray(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** In characters, not in code units; `NaN`, which is neither too short nor too long, of what is no text. */
function lengthOf(value: unknown): number {
  return typeof value === 'string' ? [...value].length : Number.NaN;
}

/** A fault of a part, told as one of the whole. */
function inside(key: string | number, fault: Fault | undefined): Fault | undefined {
  if (fault === undefined) return undefined;
  const name = String(key).replaceAll('~', '~0').replaceAll('/', '~1');
  return { instancePath: `/${name}${fault.instancePath}`, message: fault.message };
}

function required(names: readonly string[]): Check {
  return (value) => {
    if (!isObject(value)) return undefined;
    const missing = names.filter((name) => !Object.hasOwn(value, name));
    return missing.length === 0
      ? undefined
      : { instancePath: '', message: `must have required properties ${missing.join(', ')}` };
  };
}

function noOthers(allowed: unknown, { properties: named = {}, patternProperties: patterned = {} }: Schema): Check {
  if (allowed !== false) throw new TypeError('Of additionalProperties, only false is checked here.');
  const names = new Set(Object.keys(named as Schemas));
  const patterns = Object.keys(patterned as Schemas).map((text) => new RegExp(text, 'u'));
  const isNamed = (key: string) => names.has(key) || patterns.some((one) => one.test(key));
  return (value) => {
    const other = isObject(value) ? Object.keys(value).find((key) => !isNamed(key)) : undefined;
    return other === undefined ? undefined : inside(other, { instancePath: '', message: 'schema is false' });
  };
}

function patternProperties(schemas: Schemas): Check {
  const patterns = Object.entries(schemas).map(([text, schema]) => ({ form: new RegExp(text, 'u'), check: checkOf(schema) }));
  return (value) => {
    if (!isObject(value)) return undefined;
    const entries = Object.entries(value);
    return firstOf(patterns, ({ form, check }) =>
      firstOf(entries, ([key, part]) => (form.test(key) ? inside(key, check(part)) : undefined)),
    );
  };
}

function properties(schemas: Schemas, { required: needed = [] }: Schema): Check {
  const checks = Object.entries(schemas).map(([key, schema]) => {
    return { key, check: checkOf(schema), isNeeded: (needed as readonly string[]).includes(key) };
  });
  return (value) => {
    if (!isObject(value)) return undefined;
    // An optional field that is there without a value is one that is not there.
    return firstOf(checks, ({ key, check, isNeeded }) =>
      Object.hasOwn(value, key) && (isNeeded || value[key] !== undefined) ? inside(key, check(value[key])) : undefined,
    );
  };
}

function items(schema: Schema): Check {
  const check = checkOf(schema);
  return (value) => {
    if (!isArray(value)) return undefined;
    return firstOf([...value.entries()], ([at, item]) => inside(at, check(item)));
  };
}

function pattern(text: string): Check {
  const form = new RegExp(text, 'u');
  return refuse(`must match pattern "${text}"`, (value) => typeof value === 'string' && !form.test(value));
}

/** Where none fits, the reason is that of the first. */
function anyOf(schemas: readonly Schema[]): Check {
  const checks = schemas.map(checkOf);
  return (value) => {
    const faults = checks.map((check) => check(value));
    return faults.includes(undefined) ? undefined : faults[0];
  };
}
