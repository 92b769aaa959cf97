/**
 * What of `migrations/` holds the rules of the ledger, as PostgreSQL writes it down, and what of it a database lacks. A rule of the same
 * name that says something else is none.
 */
import type { Rule } from './postgres-probe.ts';

const uniqueIndexes: Readonly<Record<string, string>> = {
  facilities_pkey: 'facilities USING btree (facility_uuid)',
  ledger_lines_entry_id_key: 'ledger_lines USING btree (entry_id)',
  ledger_lines_facility_uuid_line_key: 'ledger_lines USING btree (facility_uuid, line)',
  ledger_lines_scan: 'ledger_lines USING btree (scan_uuid, scanner_id, facility_uuid) WHERE (scan_uuid IS NOT NULL)',
  ledger_lines_reverses: 'ledger_lines USING btree (reverses) WHERE (reverses IS NOT NULL)',
  journal_records_facility_uuid_seq_key: 'journal_records USING btree (facility_uuid, seq)',
  suppressed_scan_ids_pkey: 'suppressed_scan_ids USING btree (scan_uuid, scanner_id, facility_uuid)',
  quarantine_id_key: 'quarantine USING btree (id)',
  quarantine_resolutions_pkey: 'quarantine_resolutions USING btree (quarantine_id)',
  scanners_pkey: 'scanners USING btree (facility_uuid, scanner_id)',
  checkpoints_pkey: 'checkpoints USING btree (key)',
};

const windowRange = 'int8range(occurred_at, (occurred_at + window_ms))';

const constraints: Readonly<Record<string, string>> = {
  ledger_lines_window: `EXCLUDE USING gist (identity_uuid WITH =, facility_uuid WITH =, ${windowRange} WITH &&)`,
  ledger_lines_reverses_fkey: 'FOREIGN KEY (reverses) REFERENCES scangate.ledger_lines(entry_id)',
  journal_records_entry_id_fkey: 'FOREIGN KEY (entry_id) REFERENCES scangate.ledger_lines(entry_id)',
  suppressed_scan_ids_entry_id_fkey: 'FOREIGN KEY (entry_id) REFERENCES scangate.ledger_lines(entry_id)',
  quarantine_resolutions_quarantine_id_fkey: 'FOREIGN KEY (quarantine_id) REFERENCES scangate.quarantine(id)',
};

const change = 'BEFORE DELETE OR UPDATE OR TRUNCATE';
const refuseChange = 'FOR EACH STATEMENT EXECUTE FUNCTION scangate.refuse_change()';
const position = 'FOR EACH STATEMENT EXECUTE FUNCTION scangate.begin_positions';
const added = 'REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION scangate';

const triggers: Readonly<Record<string, string>> = {
  ledger_lines_change: `${change} ON scangate.ledger_lines ${refuseChange}`,
  journal_records_change: `${change} ON scangate.journal_records ${refuseChange}`,
  suppressed_scan_ids_change: `${change} ON scangate.suppressed_scan_ids ${refuseChange}`,
  quarantine_change: `${change} ON scangate.quarantine ${refuseChange}`,
  quarantine_resolutions_change: `${change} ON scangate.quarantine_resolutions ${refuseChange}`,
  facilities_loss: 'BEFORE DELETE OR TRUNCATE ON scangate.facilities FOR EACH STATEMENT EXECUTE FUNCTION scangate.refuse_loss()',
  ledger_lines_positions: `BEFORE INSERT ON scangate.ledger_lines ${position}('1')`,
  journal_records_positions: `BEFORE INSERT ON scangate.journal_records ${position}('2')`,
  quarantine_positions: `BEFORE INSERT ON scangate.quarantine ${position}('3')`,
  ledger_lines_added: `AFTER INSERT ON scangate.ledger_lines ${added}.lines_added()`,
  journal_records_added: `AFTER INSERT ON scangate.journal_records ${added}.records_added()`,
  suppressed_scan_ids_added: `AFTER INSERT ON scangate.suppressed_scan_ids ${added}.scan_ids_added()`,
  facilities_move: 'AFTER INSERT OR UPDATE ON scangate.facilities FOR EACH ROW EXECUTE FUNCTION scangate.head_moves()',
};

const expected: readonly (readonly [name: string, definition: string])[] = [
  ...Object.entries(constraints),
  ...Object.entries(uniqueIndexes).map(([name, on]) => [name, `CREATE UNIQUE INDEX ${name} ON scangate.${on}`] as const),
  ...Object.entries(triggers).map(([name, does]) => [name, `CREATE TRIGGER ${name} ${does}`] as const),
];

export const rulesCount = expected.length;

/** What is not as it should be, each as in "ledger_lines_window is missing". */
export function brokenRules(rules: readonly Rule[]): string[] {
  return expected.flatMap(([name, definition]) => {
    const named = rules.filter((rule) => rule.name === name);
    const same = named.find((rule) => rule.definition === definition);
    if (same === undefined) return [`${name} ${named.length === 0 ? 'is missing' : 'says something else'}`];
    // The index of a constraint has its name, and has to be valid as well.
    return named.every((rule) => rule.in_force) ? [] : [`${name} is not in force`];
  });
}
