/**
 * Settings: one schema for flags, environment and file. Later wins: file, environment, flag. Unknown keys and nonsense refuse to
 * start with one sentence.
 */

import { readFileSync } from 'node:fs';
import type { Static } from 'typebox';
import { ScanGateError } from '../base/errors.ts';
import { Type } from '../base/json-schema.ts';
import { messageOf } from '../base/message-of.ts';
import { validatorOf } from '../base/validator.ts';
import type { ScannerPolicy } from '../gate/arrival.ts';
import { defaultScannerClass, type ScannerClass } from '../identity/scanner-class.ts';
import { keyboardLayouts } from '../scan/decode/keyboard.ts';
import type { ScannerProfile } from '../scan/decode/profile.ts';
import { defaultTimeRules, type TimeRules } from '../scan/occurred-at.ts';
import { readJson } from '../scan/read-json.ts';

const dayMs = 86_400_000;

const windowFields = {
  window_ms: Type.Integer({
    minimum: 1,
    maximum: dayMs,
    description: 'How long two scans of one content are one physical scan.',
  }),
  guard_ms: Type.Integer({ minimum: 0, maximum: dayMs, description: 'How much longer than the window a claim is kept.' }),
  distinct_ids: Type.Enum(['ignore', 'trust'], { description: 'trust: different scan ids are different scans.' }),
  review_gap_ms: Type.Integer({
    minimum: 0,
    maximum: dayMs,
    description: 'From this gap on, a suppression by content is put up for review.',
  }),
};

const profileSchema = Type.Object(
  {
    prefix: Type.Optional(Type.String({ minLength: 1 })),
    suffix: Type.Optional(Type.String({ minLength: 1 })),
    separator_aliases: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
    keyboard_layout: Type.Optional(Type.Enum([...keyboardLayouts])),
    caps_lock: Type.Optional(Type.Boolean()),
    eight_digits: Type.Optional(Type.Enum(['gtin8', 'upce'])),
  },
  {
    additionalProperties: false,
    description:
      'What is wrong with the text of barcodes, and is repaired: prefix, suffix, separator_aliases, keyboard_layout, caps_lock, eight_digits.',
  },
);

const scannerClassSchema = Type.Object(
  {
    window_ms: Type.Optional(windowFields.window_ms),
    guard_ms: Type.Optional(windowFields.guard_ms),
    distinct_ids: Type.Optional(windowFields.distinct_ids),
    review_gap_ms: Type.Optional(windowFields.review_gap_ms),
    profile: Type.Optional(profileSchema),
    // An id, or the beginning of ids and one star.
    scanners: Type.Array(Type.String({ pattern: '^(?:[^*]+\\*?|\\*)$' }), { minItems: 1 }),
  },
  { additionalProperties: false },
);

/** Keys are the names in the file; `--window-ms` and `SCANGATE_WINDOW_MS` are the same setting. */
export const configSchema = Type.Object(
  {
    host: Type.String({ minLength: 1, default: '127.0.0.1', description: 'Address to listen on.' }),
    port: Type.Integer({ minimum: 0, maximum: 65_535, default: 8080, description: 'Port to listen on; 0 takes a free one.' }),
    data: Type.String({ minLength: 1, default: './data', description: 'Directory of the embedded ledger.' }),
    postgres: Type.String({
      default: '',
      description: 'Ledger of a fleet, as in postgres://role:password@host/database; empty: the embedded ledger in `data`.',
    }),
    postgres_connections_max: Type.Integer({
      minimum: 2,
      maximum: 1_000,
      default: 8,
      description: 'Most connections to PostgreSQL of one process.',
    }),
    allow_unsafe_ledger: Type.Boolean({
      default: false,
      description: 'Start although PostgreSQL may lose what it has committed.',
    }),
    redis: Type.String({
      default: '',
      description:
        'Claims, as in redis://host, redis+sentinel://host/master or redis+cluster://host; empty: none, the ledger decides alone.',
    }),
    etcd: Type.String({
      default: '',
      description: 'Claims in etcd instead, as in http://host:2379,http://host:2379; empty: none.',
    }),
    redis_deadline_ms: Type.Integer({
      minimum: 1,
      maximum: 60_000,
      default: 150,
      description: 'How long a call of Redis may take before the ledger decides alone.',
    }),
    redis_replicas: Type.Integer({
      minimum: 0,
      maximum: 100,
      default: 0,
      description: 'How many replicas a claim waits for; 0: none. The number that had it is recorded.',
    }),
    redis_replicas_ms: Type.Integer({
      minimum: 1,
      maximum: 60_000,
      default: 50,
      description: 'How long a claim waits for replicas or disks; shorter than redis_deadline_ms.',
    }),
    redis_wait_aof: Type.Boolean({
      default: false,
      description: 'A claim waits until it is on disk, of the master and of redis_replicas replicas (WAITAOF); that is recorded.',
    }),
    claim_keys: Type.Enum(['content', 'recipe'], {
      default: 'content',
      description: "recipe: the recipe's own keys, for fleets in which some workers still run it.",
    }),
    pre_filter: Type.Boolean({
      default: false,
      description: 'A scan that is certainly new to this process goes to the ledger beside its claim, not after it.',
    }),
    pre_filter_scans_per_s: Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      default: 10_000,
      description: 'Scans a second of one process that the pre-filter is made for.',
    }),
    allow_eviction: Type.Boolean({
      default: false,
      description: 'Start although Redis may drop claims when its memory is full.',
    }),
    window_ms: { ...windowFields.window_ms, default: defaultScannerClass.windowMs },
    guard_ms: { ...windowFields.guard_ms, default: defaultScannerClass.guardMs },
    distinct_ids: { ...windowFields.distinct_ids, default: defaultScannerClass.distinctIds },
    review_gap_ms: { ...windowFields.review_gap_ms, default: defaultScannerClass.reviewGapMs },
    profile: { ...profileSchema, default: {} },
    scanner_classes: Type.Record(Type.String({ pattern: '^(?!default$)[a-z0-9][a-z0-9_-]{0,31}$' }), scannerClassSchema, {
      additionalProperties: false,
      default: {},
      description:
        'Classes of scanners with settings of their own: {"name":{"scanners":["BT-*"],"window_ms":1000}}. The first that fits counts.',
    }),
    unknown_product: Type.Enum(['quarantine', 'commit'], {
      default: 'quarantine',
      description: 'What becomes of a scan whose product a loaded product directory does not know.',
    }),
    captured_age_ms_max: Type.Integer({
      minimum: 1,
      default: defaultTimeRules.ageMsMax,
      description: 'How old a captured_at may be to be believed.',
    }),
    captured_ahead_ms_max: Type.Integer({
      minimum: 0,
      default: defaultTimeRules.aheadMsMax,
      description: 'How far ahead a captured_at may be to be believed.',
    }),
    body_bytes_max: Type.Integer({
      minimum: 1_024,
      default: 8 * 1024 * 1024,
      description: 'Largest JSON body, as sent and inflated.',
    }),
    stream_bytes_max: Type.Integer({
      minimum: 1_024,
      default: 1024 * 1024 * 1024,
      description: 'Largest NDJSON body, inflated.',
    }),
    item_bytes_max: Type.Integer({ minimum: 256, default: 64 * 1024, description: 'Largest single scan.' }),
    batch_items_max: Type.Integer({ minimum: 1, default: 10_000, description: 'Most scans in one JSON array.' }),
    queue_items_max: Type.Integer({ minimum: 1, default: 10_000, description: 'Most scans that may wait for the ledger.' }),
    answer_ms_max: Type.Integer({
      minimum: 1,
      maximum: dayMs,
      default: 15_000,
      description: 'How long an answer waits for the ledger.',
    }),
    check_on_start: Type.Boolean({
      default: true,
      description: 'Look through the structure of the ledger file before the first scan.',
    }),
    allow_network_file_system: Type.Boolean({
      default: false,
      description: 'Start although the data directory is on a network file system.',
    }),
  },
  { additionalProperties: false },
);

export type Config = Static<typeof configSchema>;
export type ConfigKey = keyof Config;

const configValidator = validatorOf(configSchema);
export const configKeys = Object.keys(configSchema.properties) as readonly ConfigKey[];

export interface ConfigSources {
  /** By key of the schema, as text. */
  readonly flags: Partial<Record<ConfigKey, string>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Path of a JSON file; `SCANGATE_CONFIG` when left out. */
  readonly file?: string;
}

const prefix = 'SCANGATE_';

/** What the validator says of a key that the schema does not have. */
const unknownKey = 'schema is false';

/** @throws ScanGateError `SG_CONFIG_INVALID` with one sentence that names the setting. */
export function loadConfig({ flags, environment, file }: ConfigSources): Config {
  const path = file ?? environment[`${prefix}CONFIG`];
  const given: Record<string, unknown> = {
    ...(path === undefined ? {} : fromFile(path)),
    ...fromEnvironment(environment),
    ...fromTexts(flags, (key) => `--${key.replaceAll('_', '-')}`),
  };
  const config: unknown = { ...defaults(), ...given };
  if (configValidator.isValid(config)) return config;
  const fault = configValidator.faultOf(config);
  const name = fault?.instancePath.slice(1).replaceAll('/', '.') ?? 'a setting';
  throw invalid(`${name} ${fault?.message === unknownKey ? 'is not a setting' : (fault?.message ?? 'makes no sense')}`);
}

/** Which class a scanner belongs to: the first one that lists it, by its id or by a prefix with `*`; else the default. */
export function scannerPolicyOf(config: Config): ScannerPolicy {
  const fallback: ScannerClass = classOf('default', config, config);
  const classes = Object.entries(config.scanner_classes).map(([name, settings]) => ({
    scannerClass: classOf(name, settings, config),
    patterns: settings.scanners.map(matcher),
  }));
  return (scannerId) => classes.find(({ patterns }) => patterns.some((matches) => matches(scannerId)))?.scannerClass ?? fallback;
}

/** The classes by name, that of all other scanners first. */
export function scannerClassesOf(config: Config): ScannerClass[] {
  const named = Object.entries(config.scanner_classes).map(([name, settings]) => classOf(name, settings, config));
  return [classOf('default', config, config), ...named];
}

/** The longest life of a claim, of all classes. */
export function claimMsMaxOf(config: Config): number {
  return Math.max(...scannerClassesOf(config).map(({ windowMs, guardMs }) => windowMs + guardMs));
}

/** How far the clock of a device is believed. */
export function timeRulesOf({ captured_age_ms_max, captured_ahead_ms_max }: Config): TimeRules {
  return { ageMsMax: captured_age_ms_max, aheadMsMax: captured_ahead_ms_max };
}

function classOf(name: string, own: Partial<Config>, config: Config): ScannerClass {
  return {
    name,
    windowMs: own.window_ms ?? config.window_ms,
    guardMs: own.guard_ms ?? config.guard_ms,
    distinctIds: own.distinct_ids ?? config.distinct_ids,
    reviewGapMs: own.review_gap_ms ?? config.review_gap_ms,
    ...profileOf(own.profile ?? config.profile),
  };
}

function profileOf(settings: Config['profile']): { profile?: ScannerProfile } {
  if (Object.keys(settings).length === 0) return {};
  const { prefix, suffix, separator_aliases, keyboard_layout, caps_lock, eight_digits } = settings;
  const profile = {
    ...(prefix !== undefined && { prefix }),
    ...(suffix !== undefined && { suffix }),
    ...(separator_aliases !== undefined && { separatorAliases: separator_aliases }),
    ...(keyboard_layout !== undefined && { keyboardLayout: keyboard_layout }),
    ...(caps_lock !== undefined && { capsLock: caps_lock }),
    ...(eight_digits !== undefined && { eightDigits: eight_digits }),
  };
  return { profile };
}

function matcher(pattern: string): (scannerId: string) => boolean {
  if (!pattern.endsWith('*')) return (scannerId) => scannerId === pattern;
  return (scannerId) => scannerId.startsWith(pattern.slice(0, -1));
}

function defaults(): Record<string, unknown> {
  const properties = configSchema.properties as Record<ConfigKey, { default?: unknown }>;
  return Object.fromEntries(configKeys.map((key) => [key, properties[key].default]));
}

function fromFile(path: string): Record<string, unknown> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw invalid(`the configuration file ${path} cannot be read (${messageOf(error)})`);
  }
  const parsed = readJson(text);
  if (!parsed.ok) throw invalid(`in the configuration file ${path}: ${parsed.error.message.replace(/\.$/, '')}`);
  if (typeof parsed.value !== 'object' || parsed.value === null || Array.isArray(parsed.value)) {
    throw invalid(`the configuration file ${path} is not a JSON object`);
  }
  for (const key of Object.keys(parsed.value)) if (!isKey(key)) throw invalid(`${key} in ${path} is not a setting`);
  return parsed.value as Record<string, unknown>;
}

function fromEnvironment(environment: ConfigSources['environment']): Record<string, unknown> {
  const texts: Partial<Record<ConfigKey, string>> = {};
  for (const [name, text] of Object.entries(environment)) {
    if (!name.startsWith(prefix) || name === `${prefix}CONFIG` || text === undefined) continue;
    const key = name.slice(prefix.length).toLowerCase();
    if (!isKey(key)) throw invalid(`${name} is not a setting`);
    texts[key] = text;
  }
  return fromTexts(texts, (key) => prefix + key.toUpperCase());
}

function fromTexts(texts: Partial<Record<ConfigKey, string>>, nameOf: (key: ConfigKey) => string): Record<string, unknown> {
  return Object.fromEntries(
    configKeys.filter((key) => texts[key] !== undefined).map((key) => [key, fromText(key, texts[key] ?? '', nameOf(key))]),
  );
}

function fromText(key: ConfigKey, text: string, name: string): unknown {
  const { type } = configSchema.properties[key] as { type?: string };
  const { default: standard } = configSchema.properties[key] as { default?: unknown };
  if (text.trim() === '' && standard !== '') throw invalid(`${name} is empty`);
  if (type === 'integer') {
    if (!/^-?\d{1,15}$/.test(text)) throw invalid(`${name} is "${text}", which is not a whole number`);
    return Number(text);
  }
  if (type === 'boolean') {
    if (text !== 'true' && text !== 'false') throw invalid(`${name} is "${text}", which is neither true nor false`);
    return text === 'true';
  }
  if (type !== 'object') return text;
  const parsed = readJson(text);
  if (!parsed.ok) throw invalid(`${name} is not JSON`);
  return parsed.value;
}

function isKey(key: string): key is ConfigKey {
  return Object.hasOwn(configSchema.properties, key);
}

function invalid(what: string): ScanGateError {
  return new ScanGateError('SG_CONFIG_INVALID', `Settings: ${what}.`);
}
