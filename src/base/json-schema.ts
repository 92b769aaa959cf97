/**
 * Makes JSON Schemas.
 *
 * The schemas are those of typebox, and so are their types. What makes them is ours: typebox reads seven hundred files for it, which
 * every start of the program and of each worker would wait for.
 */
import type TypeBox from 'typebox';

type Kind =
  | 'Array'
  | 'Boolean'
  | 'Enum'
  | 'Integer'
  | 'Literal'
  | 'Number'
  | 'Object'
  | 'Optional'
  | 'Record'
  | 'String'
  | 'Union'
  | 'Unknown';

/** What typebox marks a field with that may be left out. It is no part of the schema as JSON. */
const optional = '~optional';

type Schema = Readonly<Record<string, unknown>>;

const makers = {
  Array: (items: Schema, options?: Schema) => ({ type: 'array', items, ...options }),
  Boolean: (options?: Schema) => ({ type: 'boolean', ...options }),
  Enum: (values: readonly string[], options?: Schema) => ({ enum: [...values], ...options }),
  Integer: (options?: Schema) => ({ type: 'integer', ...options }),
  Literal: (value: string, options?: Schema) => ({ type: typeof value, const: value, ...options }),
  Number: (options?: Schema) => ({ type: 'number', ...options }),
  Object: (properties: Readonly<Record<string, Schema>>, options?: Schema) => {
    const required = Object.keys(properties).filter((name) => properties[name]?.[optional] !== true);
    return { type: 'object', ...(required.length > 0 && { required }), properties, ...options };
  },
  Optional: (schema: Schema) => Object.defineProperty({ ...schema }, optional, { value: true }),
  /** An object whose keys are texts of a pattern, or any. */
  Record: ({ pattern = '^.*$' }: { readonly pattern?: string }, value: Schema, options?: Schema) => ({
    type: 'object',
    patternProperties: { [pattern]: value },
    ...options,
  }),
  String: (options?: Schema) => ({ type: 'string', ...options }),
  Union: (anyOf: readonly Schema[], options?: Schema) => ({ anyOf: [...anyOf], ...options }),
  Unknown: (options?: Schema) => ({ ...options }),
};

/** As in typebox. */
export const Type = makers as unknown as Pick<typeof TypeBox, Kind>;
