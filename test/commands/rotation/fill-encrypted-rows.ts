import pg from 'pg';
import { ENCRYPTED_COLUMNS } from '../../../src/platform/encrypted-columns.ts';
import { generateId } from '../../../src/shared/ids.ts';
import type { TestApp } from '../../helper.ts';
import { encryptLegacyField } from '../../shared/crypto/legacy-envelope.ts';
import { getCommandSettings } from '../keys-helper.ts';

const BATCH_SIZE = 2_000;

/** Shares of codes (every other one MEDICAL), scans, users and waiting mails. */
const TABLE_SHARES = [4, 4, 1, 1];

const INSERT_STATEMENTS = {
  qr_codes: `INSERT INTO qr_codes (id, account_id, kind, mode, title, slug, data, visibility, design)
    SELECT id, owner, marker, 'DYNAMIC', 'Filled', 'code', bytes, '{}', '{"size": 512, "margin": 4}'
    FROM given`,
  scans: `INSERT INTO scans (id, qr_code_id, account_id, type, class, class_rule, visitor_hash, position, ip_truncated, user_agent)
    SELECT id, (SELECT max(id) FROM qr_codes), owner, 'public', 'HUMAN', 'DEFAULT', '\\x00', bytes, '192.0.2.0', 'test'
    FROM given`,
  users: `INSERT INTO users (id, email, phone) SELECT id, id || '@filled.example', bytes FROM given`,
  outgoing_mails: `INSERT INTO outgoing_mails (id, template, content) SELECT id, 'OTP', bytes FROM given`,
};

export const FILLED_COLUMNS: Readonly<Record<string, string>> = {
  qr_codes: 'data',
  scans: 'position',
  users: 'phone',
  outgoing_mails: 'content',
};

export function createFilledValue(table: string, id: string): { filled: string } {
  return { filled: `${table} ${id}` };
}

/** Insert `rows` encrypted values, half of them in versions 1 and 2; returns their ids by table. */
export async function fillEncryptedRows(
  app: TestApp,
  accountId: string,
  rows: number,
): Promise<Map<string, Set<string>>> {
  const client = new pg.Client({ connectionString: getCommandSettings(app).DATABASE_OWNER_URL });
  await client.connect();
  const filled = new Map<string, Set<string>>();
  try {
    for (const [index, [table, insert]] of Object.entries(INSERT_STATEMENTS).entries()) {
      const ids = Array.from({ length: Math.ceil((rows * (TABLE_SHARES[index] ?? 0)) / 10) }, () =>
        generateId(),
      );
      filled.set(table, new Set(ids));
      for (let from = 0; from < ids.length; from += BATCH_SIZE) {
        const batch = ids
          .slice(from, from + BATCH_SIZE)
          .map((id, n) => encryptValue(table, id, accountId, n));
        await client.query(
          `WITH given AS (SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bytea[])
           AS given (id, owner, marker, bytes)) ${insert}`,
          [
            batch.map(({ id }) => id),
            batch.map(({ owner }) => owner),
            batch.map(({ marker }) => marker),
            batch.map(({ bytes }) => bytes),
          ],
        );
      }
    }
    await client.query('ANALYZE');
  } finally {
    await client.end();
  }
  return filled;

  function encryptValue(table: string, id: string, owner: string, n: number) {
    const column = ENCRYPTED_COLUMNS.find((known) => known.table === table)?.column ?? '';
    const marker = n % 2 === 0 ? 'MEDICAL' : 'PET';
    const algorithm = table === 'qr_codes' && marker === 'MEDICAL' ? 'CBC_HMAC' : 'GCM';
    const ownerId = table === 'users' ? id : table === 'outgoing_mails' ? '' : owner;
    const location = { table, column, rowId: id, ownerId };
    const { fieldCipher, keyRing } = app.services;
    const { primary, keys } = keyRing.current();
    const key = { id: primary, bytes: keys.get(primary)?.export() ?? Buffer.alloc(0) };
    const value = createFilledValue(table, id);
    const isOld = n % 4 < 2;
    const bytes = isOld
      ? encryptLegacyField(key, { ...location, algorithm }, Buffer.from(JSON.stringify(value)))
      : fieldCipher.encrypt(location, value, algorithm);
    return { id, owner, marker, bytes };
  }
}
