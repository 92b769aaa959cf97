/** The validator against an independent one, that of typebox, over values that are nearly right. */
import fc from 'fast-check';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/schema';
import { describe, expect, it } from 'vitest';
import { Type } from '../../src/base/json-schema.ts';
import { validatorOf } from '../../src/base/validator.ts';
import { pageQuerySchema } from '../../src/ingest/http/read-routes.ts';
import { wireScanSchema } from '../../src/scan/wire-schema.ts';
import { configSchema } from '../../src/service/config.ts';

type Schema = Readonly<Record<string, unknown>>;
type Schemas = Readonly<Record<string, Schema>>;

/** What a JSON text can hold, and what only a program can. */
const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom(undefined, Number.NaN, Number.POSITIVE_INFINITY, 0, 1, 1.5, -1, '', '*', 'a*', '\u{1F48A}', [], {}),
);

/** Values that fit a schema, or nearly. */
function near(schema: Schema): fc.Arbitrary<unknown> {
  const nearly = fc.oneof({ weight: 30, arbitrary: fitting(schema) }, { weight: 1, arbitrary: anything });
  if (schema['default'] === undefined) return nearly;
  return fc.oneof({ weight: 20, arbitrary: fc.constant(schema['default']) }, { weight: 1, arbitrary: nearly });
}

function fitting(schema: Schema): fc.Arbitrary<unknown> {
  const { minimum = -3, maximum = 10_000, maxLength = 12 } = schema as { minimum?: number; maximum?: number; maxLength?: number };
  if (schema['enum'] !== undefined) return fc.constantFrom(...(schema['enum'] as unknown[]));
  if (schema['anyOf'] !== undefined) return fc.oneof(...(schema['anyOf'] as Schema[]).map(near));
  if (schema['const'] !== undefined) return fc.constant(schema['const']);
  switch (schema['type']) {
    case 'integer':
      return fc.oneof(fc.integer({ min: minimum, max: maximum }), fc.constantFrom(minimum - 1, maximum + 1));
    case 'number':
      return fc.double();
    case 'boolean':
      return fc.boolean();
    case 'array':
      return fc.array(near(schema['items'] as Schema), { maxLength: 3 });
    case 'object':
      return objectNear(schema);
    case 'string':
      return fc.oneof(
        fc.string({ maxLength: maxLength + 1, unit: 'binary' }),
        fc.string({ minLength: maxLength, maxLength: maxLength + 2 }),
        fc.constantFrom('1', '1000', '1001', 'BT-*', 'B*T'),
      );
    default:
      return anything;
  }
}

function objectNear(schema: Schema): fc.Arbitrary<unknown> {
  const { properties = {}, patternProperties = {} } = schema as { properties?: Schemas; patternProperties?: Schemas };
  const parts = Object.fromEntries(Object.entries(properties).map(([key, part]) => [key, near(part)]));
  const requiredKeys = (schema['required'] ?? []) as string[];
  const named = fc.oneof(
    { weight: 9, arbitrary: fc.record(parts, { requiredKeys }) },
    { weight: 1, arbitrary: fc.record(parts, { requiredKeys: [] }) },
  );
  const keys = fc.constantFrom('slow', 'a-1', 'default', 'A', '', 'x/y~z', 'port', '__proto__');
  const others = fc.dictionary(keys, fc.oneof(...Object.values(patternProperties).map(near), anything), { maxKeys: 2 });
  const none = { weight: 4, arbitrary: fc.constant({}) };
  return fc.tuple(named, fc.oneof(none, { weight: 1, arbitrary: others })).map(([own, more]) => ({ ...own, ...more }));
}

const schemas: Readonly<Record<string, TSchema>> = {
  'a scan': wireScanSchema,
  settings: configSchema,
  'a page of a query': pageQuerySchema,
  'a text with bounds': Type.String({ minLength: 2, maxLength: 4, pattern: '^[a-z]' }),
  'a literal': Type.Object({ kind: Type.Literal('line') }),
  'anything by name': Type.Record(Type.String(), Type.Unknown()),
};

describe('a validator', () => {
  it.each(Object.keys(schemas))(
    'agrees with that of typebox on %s: whether it is valid, and the first reason why not',
    (name) => {
      const schema = schemas[name] ?? {};
      const ours = validatorOf(schema);
      const theirs = Compile(schema);
      const seen = { valid: 0, invalid: 0 };
      fc.assert(
        fc.property(near(schema as Schema), (value) => {
          const fault = ours.faultOf(value);
          seen[fault === undefined ? 'valid' : 'invalid'] += 1;
          const [isValid, [first]] = theirs.Errors(value);
          const expected =
            isValid || first === undefined ? undefined : { instancePath: first.instancePath, message: first.message };
          expect(fault).toEqual(expected);
          expect(ours.isValid(value)).toBe(theirs.Check(value));
        }),
        { numRuns: 3_000 },
      );
      expect(Math.min(seen.valid, seen.invalid)).toBeGreaterThan(50);
    },
  );

  it('refuses a keyword that it does not check', () => {
    expect(() => validatorOf({ type: 'string', format: 'uuid' })).toThrow('The keyword format of a schema is not checked here.');
    expect(() => validatorOf({ properties: { a: { multipleOf: 2 } } })).toThrow('multipleOf');
    expect(() => validatorOf({ additionalProperties: {} })).toThrow('Of additionalProperties, only false is checked here.');
  });
});
