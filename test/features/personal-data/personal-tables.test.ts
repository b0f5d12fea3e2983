import { TABLE_PRIVACY_DEFINITIONS } from '../../../src/features/index.ts';
import {
  ERASURE_STEPS,
  EXPORTED_DATA_LISTS,
  TABLES_ERASED_WITH_ACCOUNT,
} from '../../../src/features/personal-data/registry.ts';
import { startTestApp } from '../../helper.ts';
import { t } from '../../tap.ts';

const { database } = await startTestApp(t);

/** List the columns of each table. */
async function listColumns(): Promise<Map<string, string[]>> {
  const { rows } = await database.pool.query(`
    SELECT table_name AS name, array_agg(column_name::text ORDER BY column_name) AS columns
    FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE' GROUP BY table_name`);
  return new Map(rows.map(({ name, columns }) => [name, columns]));
}

t.test('declares export and erasure of every table of the database', async (t) => {
  const tables = [...(await listColumns()).keys()].sort();
  t.same(
    Object.keys(TABLE_PRIVACY_DEFINITIONS).sort(),
    tables,
    'declare a new table in the personal-data.ts of its feature',
  );
});

t.test('exports every list that a table is declared to be in', (t) => {
  for (const [table, { exported }] of Object.entries(TABLE_PRIVACY_DEFINITIONS))
    if ('in' in exported)
      // Others are folders of the archive, or say what is left out.
      for (const [list] of exported.in.matchAll(/(?<![\w-])[a-z][A-Za-z]+(?![\w/-])(?![^(]*\))/g))
        t.ok(Object.hasOwn(EXPORTED_DATA_LISTS, list), `${table}: ${list}`);
  t.end();
});

t.test('declares every column of an emptied row as retained or emptied', async (t) => {
  const columnsByTable = await listColumns();
  for (const [table, { erased, columns }] of Object.entries(TABLE_PRIVACY_DEFINITIONS)) {
    if (erased !== 'EMPTIED') continue;
    t.same(
      [...(columns?.retained ?? []), ...(columns?.emptied ?? [])].sort(),
      columnsByTable.get(table),
      table,
    );
  }
});

t.test('runs every declared erasure exactly once', async (t) => {
  const tables = Object.entries(TABLE_PRIVACY_DEFINITIONS);
  const declaredSteps = tables.flatMap(([table, { erase, clearReferences }]) => [
    ...(erase ? [`${table} erase`] : []),
    ...(clearReferences ? [`${table} clearReferences`] : []),
  ]);
  t.same(ERASURE_STEPS.map(({ table, kind }) => `${table} ${kind}`).sort(), declaredSteps.sort());
  const declaredWithAccount = tables.flatMap(([table, { eraseWithAccount }]) =>
    eraseWithAccount ? [table] : [],
  );
  t.same([...TABLES_ERASED_WITH_ACCOUNT].sort(), declaredWithAccount.sort());
});
