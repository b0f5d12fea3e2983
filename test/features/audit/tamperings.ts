import type pg from 'pg';
import { AUDIT_ENTRY_COLUMNS_SQL } from '../../../src/features/audit/trail.repository.ts';
import type { TrailFinding } from '../../../src/features/audit/trail-finding.ts';
import {
  type AuditTrailEntry,
  computeAuditSeal,
  formatAuditBatchMember,
} from '../../../src/features/audit/trail-format.rules.ts';
import { generateId } from '../../../src/shared/ids.ts';

export interface TamperingTarget {
  /** Connected as the schema owner with the trail's triggers disabled, which the application role cannot do. */
  client: pg.Client;
  last: number;
  random(from: number, to: number): number;
}

/** Expected kind and sequence; null for an unsealed entry. */
export type ExpectedFinding = Pick<TrailFinding, 'kind' | 'sequence'>;

export interface Tampering {
  name: string;
  restoresOlderCopy?: boolean;
  tamper(target: TamperingTarget): Promise<ExpectedFinding>;
}

/** Disable the triggers that reject changes. Only the table owner can, and it shows in the catalog. */
export const DISABLE_TRIGGERS_SQL = ['audit_entries', 'audit_seals', 'audit_seal_batches']
  .map((table) => `ALTER TABLE ${table} DISABLE TRIGGER USER`)
  .join(';');

const ENTRY_CHANGES_SQL = [
  `severity = CASE severity WHEN 'LOW' THEN 'HIGH' ELSE 'LOW' END`,
  `outcome = CASE outcome WHEN 'DENIED' THEN 'SUCCESS' ELSE 'DENIED' END`,
  `created_at = created_at - interval '1 millisecond'`,
  `changes = changes || ARRAY['']`,
  `changes = array_remove(changes, '')`,
  `action = action || '_X'`,
  `request_id = request_id || ' '`,
  `actor_reference = 'aaaaaaaaaaaaaaaaaaaaaaaa'`,
  `account_reference = 'aaaaaaaaaaaaaaaaaaaaaaaa'`,
  `resource_id = ''`,
  `operation = 'other'`,
  `resource_type = resource_type || operation, operation = ''`,
  `ip_hash = '\\x00'`,
];

export const TAMPERINGS: readonly Tampering[] = [
  createChangeTampering('one column of an entry', async () => {}),
  createChangeTampering('an entry, and its seal made to fit', (target, sequence) =>
    recomputeAuditSeals(target, sequence, sequence),
  ),
  createChangeTampering('an entry, and all later seals made to fit', (target, sequence) =>
    recomputeAuditSeals(target, sequence, target.last),
  ),
  {
    name: 'changed: an entry, all later seals, and the batches without their signatures',
    async tamper(target) {
      const sequence = target.random(1, target.last);
      await changeEntry(target, sequence);
      await recomputeAuditSeals(target, sequence, target.last);
      await rewriteBatches(target.client, sequence);
      return { kind: 'SIGNATURE', sequence: (await findBatchAt(target.client, sequence)).first };
    },
  },
  {
    name: 'changed: a seal',
    async tamper({ client, last, random }) {
      const sequence = random(1, last);
      await client.query('UPDATE audit_seals SET seal_hash = sha256(seal_hash) WHERE sequence = $1', [
        sequence,
      ]);
      return { kind: 'CHANGED', sequence };
    },
  },
  createRemovalTampering('an entry', async () => {}),
  createRemovalTampering('an entry and its seal', async ({ client }, sequence) => {
    await client.query('DELETE FROM audit_seals WHERE sequence = $1', [sequence]);
  }),
  createRemovalTampering(
    'an entry and its seal, and the later ones moved up and made to fit',
    async (target, sequence) => {
      await target.client.query('DELETE FROM audit_seals WHERE sequence = $1', [sequence]);
      await shiftAuditSeals(target.client, sequence, -1);
      await recomputeAuditSeals(target, sequence, target.last - 1);
    },
  ),
  {
    name: 'removed: a whole batch',
    async tamper({ client, last, random }) {
      const { rows } = await client.query('SELECT count(*)::int AS all FROM audit_seal_batches');
      const { rows: chosen } = await client.query(
        'SELECT first_sequence::int AS first, last_sequence::int AS last FROM audit_seal_batches ORDER BY 1 OFFSET $1 LIMIT 1',
        [random(0, rows[0].all - 2)],
      );
      await removeEntries(client, chosen[0].first, chosen[0].last);
      await client.query('DELETE FROM audit_seals WHERE sequence BETWEEN $1 AND $2', [
        chosen[0].first,
        chosen[0].last,
      ]);
      await client.query('DELETE FROM audit_seal_batches WHERE first_sequence = $1', [chosen[0].first]);
      return chosen[0].last < last
        ? { kind: 'REMOVED', sequence: chosen[0].first }
        : { kind: 'CUT_OFF', sequence: chosen[0].first };
    },
  },
  {
    name: 'inserted: an entry',
    async tamper({ client }) {
      await insertEntry(client);
      return { kind: 'INSERTED', sequence: null };
    },
  },
  {
    name: 'inserted: an entry with a seal at the end that fits',
    async tamper(target) {
      await insertAuditSeal(target.client, target.last + 1, await insertEntry(target.client));
      await recomputeAuditSeals(target, target.last + 1, target.last + 1);
      return { kind: 'INSERTED', sequence: target.last + 1 };
    },
  },
  {
    name: 'inserted: an entry with a seal in the middle, and all later ones made to fit',
    async tamper(target) {
      const sequence = target.random(1, target.last);
      await shiftAuditSeals(target.client, sequence - 1, 1);
      await insertAuditSeal(target.client, sequence, await insertEntry(target.client));
      await recomputeAuditSeals(target, sequence, target.last + 1);
      return { kind: 'INSERTED', sequence };
    },
  },
  createReorderTampering('two neighbours', async (target, first) => {
    await swapAuditSeals(target.client, first, first + 1);
  }),
  createReorderTampering('two far from each other', async (target, first) => {
    await swapAuditSeals(target.client, first, target.random(first + 1, target.last));
  }),
  createReorderTampering('two, and all later seals made to fit', async (target, first) => {
    await swapAuditSeals(target.client, first, target.random(first + 1, target.last));
    await recomputeAuditSeals(target, first, target.last);
  }),
  createTruncationTampering('the last entries and their seals', async () => {}),
  createTruncationTampering('the last entries with seals and batches', async ({ client }, sequence) => {
    await client.query('DELETE FROM audit_seal_batches WHERE last_sequence >= $1', [sequence]);
  }),
  {
    name: 'cut off: all of it',
    async tamper({ client }) {
      await client.query(
        'TRUNCATE audit_entries, audit_origins, audit_seals, audit_seal_batches, audit_unsealed',
      );
      return { kind: 'CUT_OFF', sequence: 1 };
    },
  },
  {
    name: 'older database put back',
    restoresOlderCopy: true,
    tamper: async ({ last }) => ({ kind: 'OLDER_DATABASE', sequence: last + 1 }),
  },
];

function createChangeTampering(
  label: string,
  hide: (target: TamperingTarget, sequence: number) => Promise<void>,
): Tampering {
  return {
    name: `changed: ${label}`,
    async tamper(target) {
      const sequence = target.random(1, target.last);
      await changeEntry(target, sequence);
      await hide(target, sequence);
      return { kind: 'CHANGED', sequence };
    },
  };
}

function createRemovalTampering(
  label: string,
  hide: (target: TamperingTarget, sequence: number) => Promise<void>,
): Tampering {
  return {
    name: `removed: ${label}`,
    async tamper(target) {
      // Removing the last entry would be a truncation.
      const sequence = target.random(1, target.last - 1);
      await removeEntries(target.client, sequence, sequence);
      await hide(target, sequence);
      return { kind: 'REMOVED', sequence };
    },
  };
}

function createReorderTampering(
  label: string,
  swap: (target: TamperingTarget, first: number) => Promise<void>,
): Tampering {
  return {
    name: `reordered: ${label}`,
    async tamper(target) {
      const first = target.random(1, target.last - 1);
      await swap(target, first);
      return { kind: 'REORDERED', sequence: first };
    },
  };
}

function createTruncationTampering(
  label: string,
  hide: (target: TamperingTarget, sequence: number) => Promise<void>,
): Tampering {
  return {
    name: `cut off: ${label}`,
    async tamper(target) {
      const sequence = target.random(1, target.last);
      await removeEntries(target.client, sequence, target.last);
      await target.client.query('DELETE FROM audit_seals WHERE sequence >= $1', [sequence]);
      await hide(target, sequence);
      return { kind: 'CUT_OFF', sequence };
    },
  };
}

async function changeEntry({ client, random }: TamperingTarget, sequence: number): Promise<void> {
  const { rowCount } = await client.query(
    `UPDATE audit_entries SET ${ENTRY_CHANGES_SQL[random(0, ENTRY_CHANGES_SQL.length - 1)]}
     WHERE id = (SELECT entry_id FROM audit_seals WHERE sequence = $1)`,
    [sequence],
  );
  if (rowCount !== 1) throw new Error('Nothing was changed.');
}

async function removeEntries(client: pg.Client, from: number, through: number): Promise<void> {
  const entryFilter = 'IN (SELECT entry_id FROM audit_seals WHERE sequence BETWEEN $1 AND $2)';
  await client.query(`DELETE FROM audit_origins WHERE entry_id ${entryFilter}`, [from, through]);
  await client.query(`DELETE FROM audit_entries WHERE id ${entryFilter}`, [from, through]);
}

async function insertEntry(client: pg.Client): Promise<string> {
  const id = generateId();
  await client.query(
    `INSERT INTO audit_entries (id, action, severity, resource_type, outcome, operation, request_id)
     VALUES ($1, 'LOGIN_SUCCEEDED', 'LOW', 'SESSION', 'SUCCESS', 'accounts.logIn', 'r')`,
    [id],
  );
  return id;
}

async function insertAuditSeal(client: pg.Client, sequence: number, entryId: string): Promise<void> {
  await client.query(`INSERT INTO audit_seals VALUES ($1, $2, sha256('\\x00'))`, [sequence, entryId]);
}

/** Shift the sequence of all seals after a position, through a free range to avoid conflicts. */
async function shiftAuditSeals(client: pg.Client, after: number, offset: number): Promise<void> {
  await client.query('UPDATE audit_seals SET sequence = sequence + 1000000000 WHERE sequence > $1', [after]);
  await client.query(
    'UPDATE audit_seals SET sequence = sequence - 1000000000 + $1 WHERE sequence > 1000000000',
    [offset],
  );
}

async function swapAuditSeals(client: pg.Client, one: number, other: number): Promise<void> {
  const { rows } = await client.query(
    'DELETE FROM audit_seals WHERE sequence IN ($1, $2) RETURNING sequence::int, entry_id, seal_hash',
    [one, other],
  );
  for (const { sequence, entry_id, seal_hash } of rows) {
    const target = sequence === one ? other : one;
    await client.query('INSERT INTO audit_seals VALUES ($1, $2, $3)', [target, entry_id, seal_hash]);
  }
}

async function recomputeAuditSeals(
  { client }: TamperingTarget,
  from: number,
  through: number,
): Promise<void> {
  const { rows: before } = await client.query(
    `SELECT encode(seal_hash, 'hex') AS hash FROM audit_seals WHERE sequence = $1`,
    [from - 1],
  );
  const { rows } = await client.query<AuditTrailEntry & { sequence: number }>(
    `SELECT sequence::int AS sequence, ${AUDIT_ENTRY_COLUMNS_SQL} FROM audit_seals
     JOIN audit_entries AS entry ON entry.id = entry_id WHERE sequence BETWEEN $1 AND $2 ORDER BY sequence`,
    [from, through],
  );
  let hash = before[0]?.hash ?? '00'.repeat(32);
  const hashes = rows.map(({ sequence, ...entry }) => {
    hash = computeAuditSeal(hash, sequence, entry);
    return hash;
  });
  await client.query(
    `UPDATE audit_seals SET seal_hash = decode(hash, 'hex')
     FROM unnest($1::bigint[], $2::text[]) AS made (place, hash) WHERE sequence = place`,
    [rows.map(({ sequence }) => sequence), hashes],
  );
}

/** Rewrite the batches from a position with the current seals; valid signatures cannot be created. */
async function rewriteBatches(client: pg.Client, from: number): Promise<void> {
  const { rows } = await client.query<{ first: number; last: number }>(
    'SELECT first_sequence::int AS first, last_sequence::int AS last FROM audit_seal_batches WHERE last_sequence >= $1',
    [from],
  );
  for (const { first, last } of rows) {
    const { rows: auditSeals } = await client.query<{ id: string; hash: string }>(
      `SELECT entry_id AS id, encode(seal_hash, 'hex') AS hash FROM audit_seals
       WHERE sequence BETWEEN $1 AND $2 ORDER BY sequence`,
      [first, last],
    );
    await client.query(
      `UPDATE audit_seal_batches SET last_hash = decode($2, 'hex'), members = decode($3, 'hex') WHERE last_sequence = $1`,
      [
        last,
        auditSeals.at(-1)?.hash,
        auditSeals.map(({ id, hash }) => formatAuditBatchMember(id, hash)).join(''),
      ],
    );
  }
}

async function findBatchAt(client: pg.Client, sequence: number): Promise<{ first: number }> {
  const { rows } = await client.query<{ first: number }>(
    `SELECT first_sequence::int AS first FROM audit_seal_batches
     WHERE last_sequence >= $1 ORDER BY last_sequence LIMIT 1`,
    [sequence],
  );
  return rows[0] ?? { first: 0 };
}
