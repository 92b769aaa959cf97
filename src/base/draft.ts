/** What is filled in step by step before it is given away as what nobody changes: to spread parts into one takes longer. */
export type Draft<T> = { -readonly [Field in keyof T]: T[Field] };
