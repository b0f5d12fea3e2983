import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { ENCRYPTED_COLUMNS, UNENCRYPTED_BYTEA_COLUMNS } from '../../src/platform/encrypted-columns.ts';
import { cloneDatabase } from '../helper.ts';
import { t } from '../tap.ts';

const DOCUMENT = 'docs/security/data-protection.md';
const rows = (await readFile(DOCUMENT, 'utf8'))
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| ---'));
const nameOf = ({ table, column }: { table: string; column: string }) => `${table}.${column}`;

const NOT_OURS = ['_prisma_migrations'];

t.test('every bytea column is encrypted or listed with a reason', async (t) => {
  const url = await cloneDatabase(t);
  const client = new pg.Client({ connectionString: url.owner });
  await client.connect();
  t.teardown(async () => {
    await client.end();
    await url.drop();
  });
  const { rows: columns } = await client.query<{ table: string; column: string; type: string }>(
    `SELECT table_name AS "table", column_name AS "column", data_type AS type FROM information_schema.columns
     WHERE table_schema = 'public'`,
  );
  const bytes = columns.filter(({ type }) => type === 'bytea').map(nameOf);
  const listed = [...ENCRYPTED_COLUMNS.map(nameOf), ...Object.keys(UNENCRYPTED_BYTEA_COLUMNS)];
  t.same(listed.toSorted(), bytes.toSorted());
  t.equal(new Set(listed).size, listed.length, 'none is in both lists');

  const all = new Set(columns.map(nameOf));
  for (const { table, rowId, owner, algorithm } of ENCRYPTED_COLUMNS) {
    const used = [rowId, ...(owner === null ? [] : [owner])];
    if (algorithm !== 'GCM') used.push(algorithm.cbcHmacWhere.column);
    for (const column of used) t.ok(all.has(`${table}.${column}`), `${table}.${column}`);
    const { rows: unique } = await client.query(
      `SELECT FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = indkey[0]
       WHERE indrelid = $1::regclass AND indisunique AND indpred IS NULL AND indnatts = 1 AND attname = $2`,
      [table, rowId],
    );
    t.equal(unique.length, 1, `${table}.${rowId} is unique and can be walked along`);
  }

  const tables = [...new Set(columns.map(({ table }) => table))].filter((name) => !NOT_OURS.includes(name));
  for (const name of tables)
    t.ok(
      rows.some((row) => row.includes(`\`${name}\``) || row.includes(`\`${name}.`)),
      `${DOCUMENT} says of ${name}`,
    );
});

t.test('the tables of the documentation match the columns', async (t) => {
  const findRows = (name: string) => rows.filter((row) => row.includes(`\`${name}\``)).join('\n');
  for (const column of ENCRYPTED_COLUMNS) t.match(findRows(nameOf(column)), /\| encrypted/, nameOf(column));
  for (const name of Object.keys(UNENCRYPTED_BYTEA_COLUMNS))
    t.match(findRows(name), /\| (hashed|clear)/, name);
});
