import { readFile } from 'node:fs/promises';
import type { ClientBase } from 'pg';
import { startTestApp } from '../helper.ts';
import { t } from '../tap.ts';
import { createReportingClients } from './helper.ts';

/** Contract of a version: view to column to type. */
type Contract = Record<string, Record<string, string>>;

async function contractOf(client: ClientBase): Promise<Contract> {
  const { rows } = await client.query<{ view: string; columns: Record<string, string> }>(`
    SELECT c.relname AS view, json_object_agg(a.attname, format_type(a.atttypid, a.atttypmod) ORDER BY a.attnum) AS columns
    FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    WHERE c.relnamespace = 'reporting'::regnamespace AND c.relkind IN ('v', 'm') GROUP BY c.relname ORDER BY c.relname`);
  return Object.fromEntries(rows.map(({ view, columns }) => [view, columns]));
}

t.test('every column of the current contract exists with its type', async (t) => {
  const app = await startTestApp(t);
  const { owner, reader } = await createReportingClients(t, app);
  const { rows } = await reader.query(
    'SELECT max(version) AS version, count(*)::int AS rows FROM reporting.contract',
  );
  const { version } = rows[0];
  t.equal(rows[0].rows, version, 'a row for each version');
  const contract: Contract = JSON.parse(await readFile(`test/reporting/contract-${version}.json`, 'utf8'));
  const actual = await contractOf(owner);
  for (const [view, columns] of Object.entries(contract)) {
    for (const [column, type] of Object.entries(columns)) {
      t.equal(
        actual[view]?.[column],
        type,
        `${view}.${column}: a removal needs a new version (docs/guides/reports.md)`,
      );
    }
  }
  t.match(await readFile('docs/guides/reports.md', 'utf8'), new RegExp(`^\\| ${version} \\| \\d{4}-`, 'm'));
});

t.test('notices a removed view and a removed column', async (t) => {
  const app = await startTestApp(t);
  const { owner } = await createReportingClients(t, app);
  const before = await contractOf(owner);
  await owner.query('DROP VIEW reporting.packages; ALTER VIEW reporting.users RENAME COLUMN role TO rank');
  const after = await contractOf(owner);
  t.notOk(after.packages);
  t.notOk(after.users?.role);
  t.ok(before.packages && before.users?.role);
});

t.test('each view reads as its owner, and one that filters rows has a security barrier', async (t) => {
  const app = await startTestApp(t);
  const { owner } = await createReportingClients(t, app);
  const { rows } = await owner.query<{ view: string; options: string[] | null; definition: string }>(
    `SELECT relname AS view, reloptions AS options, pg_get_viewdef(oid) AS definition FROM pg_class
     WHERE relnamespace = 'reporting'::regnamespace AND relkind = 'v'`,
  );
  t.ok(rows.length > 10);
  for (const { view, options, definition } of rows) {
    t.notMatch(String(options), /security_invoker=(true|on)/, view);
    const outer = definition.replace(/\( SELECT max\((?:sessions|api_keys)[\s\S]*?\)\) AT/g, '');
    if (/\sWHERE\s/.test(outer)) t.match(String(options), /security_barrier=true/, view);
  }
});

t.test('every schema, relation, column, constraint and function has a comment', async (t) => {
  const app = await startTestApp(t);
  const { owner } = await createReportingClients(t, app);
  const { rows } = await owner.query<{ definition: string }>(`
    WITH relations AS (
      SELECT oid, relname, relkind FROM pg_class
      WHERE relnamespace IN ('public'::regnamespace, 'reporting'::regnamespace) AND relkind IN ('r', 'p', 'v', 'm')
    )
    SELECT 'schema ' || nspname AS what FROM pg_namespace
      WHERE nspname IN ('public', 'reporting', 'partitions') AND obj_description(oid, 'pg_namespace') IS NULL
    UNION ALL
    SELECT 'relation ' || oid::regclass FROM relations WHERE obj_description(oid, 'pg_class') IS NULL
    UNION ALL
    SELECT 'column ' || relations.oid::regclass || '.' || attname FROM relations JOIN pg_attribute ON attrelid = relations.oid
      WHERE attnum > 0 AND NOT attisdropped AND col_description(relations.oid, attnum) IS NULL
    UNION ALL
    SELECT 'constraint ' || conname FROM pg_constraint JOIN relations ON relations.oid = conrelid
      WHERE contype IN ('p', 'u', 'f', 'c', 'x') AND conparentid = 0 AND obj_description(pg_constraint.oid, 'pg_constraint') IS NULL
    UNION ALL
    SELECT 'function ' || oid::regprocedure FROM pg_proc
      WHERE pronamespace = 'reporting'::regnamespace AND obj_description(oid, 'pg_proc') IS NULL`);
  t.same(rows, []);
});
