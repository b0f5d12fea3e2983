import { startScans } from '../features/scans/helper.ts';
import { PHONE_USER_AGENT } from '../helper.ts';
import { t } from '../tap.ts';
import { captureStatements, type SqlStatement } from './capture-statements.ts';
import { findAccessesWithoutOwner } from './owner-access.ts';
import {
  KEYS_WITHOUT_OWNER,
  REFERENCES_WITHOUT_OWNER,
  SCAN_ACCESSES_WITHOUT_OWNER,
  TABLE_DISTRIBUTION,
} from './table-distribution.ts';

const TABLES_SQL = `
  SELECT relname AS "table", array_agg(attname::text) AS columns
  FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
  WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace AND relname <> '_prisma_migrations'
  GROUP BY relname`;

const UNIQUE_INDEXES_SQL = `
  SELECT indrelid::regclass::text AS "table", indexrelid::regclass::text AS name, array_agg(attname::text) AS columns
  FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
  JOIN pg_attribute ON attrelid = indrelid AND attnum = ANY ((indkey::int2[])[0:indnkeyatts - 1])
  WHERE indisunique AND relnamespace = 'public'::regnamespace AND relname <> '_prisma_migrations'
  GROUP BY indrelid, indexrelid`;

const FOREIGN_KEYS_SQL = `
  SELECT conrelid::regclass::text AS "table", confrelid::regclass::text AS referenced, conname AS name,
         array_agg(source.attname::text ORDER BY place) AS columns,
         array_agg(target.attname::text ORDER BY place) AS "referencedColumns"
  FROM pg_constraint CROSS JOIN LATERAL unnest(conkey, confkey) WITH ORDINALITY AS pair (from_column, to_column, place)
  JOIN pg_attribute AS source ON source.attrelid = conrelid AND source.attnum = from_column
  JOIN pg_attribute AS target ON target.attrelid = confrelid AND target.attnum = to_column
  WHERE contype = 'f' AND conparentid = 0 AND connamespace = 'public'::regnamespace
  GROUP BY pg_constraint.oid`;

interface Key {
  table: string;
  name: string;
  columns: string[];
}

interface ForeignKey extends Key {
  referenced: string;
  referencedColumns: string[];
}

t.test('rows of an owner could be distributed by the owner', async (t) => {
  const { call, code, scan, owner, database } = await startScans(t);
  const query = async <Row>(text: string) => (await database.pool.query(text)).rows as Row[];

  await t.test('every table has its place', async (t) => {
    const tables = await query<{ table: string; columns: string[] }>(TABLES_SQL);
    t.same(Object.keys(TABLE_DISTRIBUTION).sort(), tables.map(({ table }) => table).sort());
    for (const { table, columns } of tables) {
      const column = getColumn(table);
      if (column) t.ok(columns.includes(column), `${table}.${column}`);
    }
  });

  await t.test('keys and references have the owner, but for known ones', async (t) => {
    const keys = (await query<Key>(UNIQUE_INDEXES_SQL)).filter(
      ({ table, columns }) =>
        getColumn(table) !== undefined &&
        !columns.includes(getColumn(table) ?? '') &&
        columns.join() !== 'id',
    );
    t.same(keys.map(formatKey).sort(), KEYS_WITHOUT_OWNER.toSorted());
    const references = (await query<ForeignKey>(FOREIGN_KEYS_SQL)).filter(hasOtherOwner);
    t.same(references.map(formatKey).sort(), REFERENCES_WITHOUT_OWNER.toSorted());
  });

  await t.test('no sequence of the whole database gives ids', async (t) => {
    t.same(
      await query(`SELECT FROM pg_class WHERE relkind = 'S' AND relnamespace = 'public'::regnamespace`),
      [],
    );
  });

  await t.test('statements of a scan name the owner, but for known ones', async (t) => {
    const id = await code();
    const medical = await code({ kind: 'MEDICAL', title: 'Ada', data: { name: 'Ada' } });
    const headers = { 'user-agent': PHONE_USER_AGENT };
    const statements = await captureStatements(async () => {
      t.equal((await scan({ qrCodeId: id })).status, 201);
      t.equal((await scan({ qrCodeId: medical })).status, 201);
      t.equal(
        (await call('POST', '/api/scans', { body: { qrCodeId: id }, token: owner.accessToken })).status,
        201,
      );
      t.equal((await call('GET', `/s/${id}`, { headers })).status, 200);
    });
    const find = (statements: readonly SqlStatement[]) => findAccessesWithoutOwner(database, statements);
    t.same(await find(statements), SCAN_ACCESSES_WITHOUT_OWNER);

    const findOf = (text: string) => find([{ text, values: [id], took: 0 }]);
    t.same(await findOf('SELECT FROM notifications WHERE id = $1'), [
      'notifications: read without the owner',
    ]);
    t.same(await findOf('UPDATE notifications SET read_at = now() WHERE user_id = $1'), []);
  });
});

function formatKey({ table, name }: Key): string {
  return `${table}: ${name}`;
}

function hasOtherOwner({ table, columns, referenced, referencedColumns }: ForeignKey): boolean {
  const [column, referencedColumn] = [getColumn(table), getColumn(referenced)];
  if (referencedColumn === undefined) return false;
  return !columns.some((name, index) => name === column && referencedColumns[index] === referencedColumn);
}

/** Undefined for tables that are not distributed, null for those without a column. */
function getColumn(table: string): string | null | undefined {
  const distribution = TABLE_DISTRIBUTION[table];
  return distribution && 'column' in distribution ? distribution.column : undefined;
}
