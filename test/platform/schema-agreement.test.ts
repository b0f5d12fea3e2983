import type { Test } from 'tap';
import { cloneDatabase } from '../helper.ts';
import { runQuery } from '../scratch-folder.ts';
import { t } from '../tap.ts';
import { diffSchema, readSchemaFiles } from './schema-diff.ts';

/**
 * Differences that Prisma's language cannot express. The engine ignores checks, partial indexes, indexes on
 * expressions, INCLUDE columns of indexes, generated columns, triggers, functions, comments, and the schemas
 * `partitions` and `reporting`.
 */
const ALLOWED = [
  'DROP INDEX "documents_search_idx"',
  'ALTER TABLE "scan_rollups" DROP CONSTRAINT "scan_rollups_pkey", ADD CONSTRAINT "scan_rollups_pkey" PRIMARY KEY ("subject_id", "bucket_size", "starts_at")',
];

async function differences(t: Test, change = 'SELECT'): Promise<string[]> {
  const database = await cloneDatabase(t);
  t.teardown(database.drop);
  await runQuery(database.owner, change);
  return diffSchema(database.owner, await readSchemaFiles('prisma/schema'));
}

t.test('the migrated database matches prisma/schema', async (t) => {
  t.same(await differences(t), ALLOWED);
});

t.test('finds a difference between the database and prisma/schema', async (t) => {
  const changes = {
    'a renamed column': 'ALTER TABLE documents RENAME COLUMN note TO remark',
    'a new column': 'ALTER TABLE documents ADD COLUMN colour text',
    'another type': 'ALTER TABLE documents ALTER COLUMN current_version TYPE bigint',
    'another precision': 'ALTER TABLE report_schedules ALTER COLUMN next_send_at TYPE timestamptz(6)',
    'a column that may be null': 'ALTER TABLE documents ALTER COLUMN kind DROP NOT NULL',
    'another default': "ALTER TABLE documents ALTER COLUMN kind SET DEFAULT 'PASSPORT'",
    'a new table': 'CREATE TABLE trays (id text PRIMARY KEY)',
    'a missing table': 'DROP TABLE geocoded_cells',
    'a missing index': 'DROP INDEX documents_account_id_idx',
    'another order in an index':
      'DROP INDEX documents_account_id_idx; CREATE INDEX documents_account_id_idx ON documents (account_id, created_at, id)',
    'a missing unique constraint':
      'ALTER TABLE document_grants DROP CONSTRAINT document_grants_document_id_email_hash_key',
    'another action of a foreign key':
      'ALTER TABLE documents DROP CONSTRAINT documents_account_id_fkey, ADD CONSTRAINT documents_account_id_fkey FOREIGN KEY (account_id) REFERENCES users (id) ON DELETE CASCADE',
  };
  for (const [name, change] of Object.entries(changes)) {
    t.strictNotSame(await differences(t, change), ALLOWED, name);
  }
});
