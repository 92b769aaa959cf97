// The book of a peer: one table in PostgreSQL, as somebody would make it who keeps dispenses there.
import pg from 'pg';
import { randomIds } from 'scangate';

/** `request_key` is used only by the peer whose guard is a unique key; `claim_key` only to say what a duplicate is one of. */
export const peerTables = `
  CREATE TABLE dispenses (
    entry_id uuid PRIMARY KEY,
    transmission text NOT NULL,
    facility_uuid text NOT NULL,
    scanner_id text NOT NULL,
    product text NOT NULL,
    delta text NOT NULL,
    occurred_at bigint NOT NULL,
    request_key text UNIQUE,
    claim_key text
  );
  CREATE INDEX dispenses_claim ON dispenses (claim_key)`;

export class PeerBook {
  #pool;

  constructor(url) {
    this.#pool = new pg.Pool({ connectionString: url, max: 4, connectionTimeoutMillis: 3_000, query_timeout: 5_000 });
    this.#pool.on('error', () => undefined);
  }

  /** One row, committed when this resolves. @returns its entry id, or nothing where the key is there already. */
  async insert({ facilityUuid, scannerId, actor, occurredAt }, { product, delta }, { requestKey = null, claimKey = null } = {}) {
    const { rows } = await this.#pool.query(
      `INSERT INTO dispenses VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (request_key) DO NOTHING RETURNING entry_id`,
      [randomIds.uuid(), actor, facilityUuid, scannerId, product, delta, occurredAt, requestKey, claimKey],
    );
    return rows[0]?.entry_id;
  }

  async entryOf(column, key) {
    const { rows } = await this.#pool.query(`SELECT entry_id FROM dispenses WHERE ${column} = $1`, [key]);
    return rows[0]?.entry_id;
  }

  close() {
    return this.#pool.end();
  }
}
