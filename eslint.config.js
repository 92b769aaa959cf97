import tseslint from 'typescript-eslint';

const bannedOutside = (names, where) =>
  names.map((selector) => ({
    selector,
    message: `Only ${where} may use this: take a clock, an id source or a setting instead.`,
  }));

const clockReads = [
  "CallExpression[callee.object.name='Date'][callee.property.name='now']",
  "NewExpression[callee.name='Date'][arguments.length=0]",
  "CallExpression[callee.object.name='Math'][callee.property.name='random']",
];
const surroundings = [
  "MemberExpression[object.name='process'][property.name='env']",
  "CallExpression[callee.name='setTimeout']",
  "CallExpression[callee.name='setInterval']",
];

export default [
  { ignores: ['dist/', 'node_modules/', 'coverage/'] },
  {
    files: ['**/*.ts'],
    plugins: { '@typescript-eslint': tseslint.plugin },
    languageOptions: {
      parser: tseslint.parser,
      parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/return-await': ['error', 'in-try-catch'],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/only-throw-error': 'error',
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/base/**'],
    rules: { 'no-restricted-syntax': ['error', ...bannedOutside(clockReads, 'base/')] },
  },
  {
    files: ['src/{scan,identity,claim,ledger,gate}/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', ...bannedOutside([...clockReads, ...surroundings], 'base/, service/ and cli/')] },
  },
];
