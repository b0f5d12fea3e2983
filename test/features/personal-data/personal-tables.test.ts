import { PERSONAL_TABLES } from '../../../src/features/personal-data/personal-tables.rules.ts';
import { startTestApp } from '../../helper.ts';
import { t } from '../../tap.ts';

const { database } = await startTestApp(t);

/** Columns of the application's tables. */
async function columnsOf(): Promise<Map<string, string[]>> {
  const { rows } = await database.pool.query(`
    SELECT table_name AS name, array_agg(column_name::text ORDER BY column_name) AS columns
    FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE' GROUP BY table_name`);
  return new Map(rows.map(({ name, columns }) => [name, columns]));
}

t.test('Of every table it is decided what export and erasure do with it', async (t) => {
  const tables = [...(await columnsOf()).keys()].sort();
  t.same(
    PERSONAL_TABLES.map(({ table }) => table).sort(),
    tables,
    'a new table needs its row in personal-tables.rules.ts, and what the row says',
  );
});

t.test('Of every column of a row that is emptied it is decided whether it stays', async (t) => {
  const known = await columnsOf();
  for (const { table, erased, columns } of PERSONAL_TABLES) {
    if (erased !== 'EMPTIED') continue;
    t.same([...(columns?.kept ?? []), ...(columns?.emptied ?? [])].sort(), known.get(table), table);
  }
});
