import pg from 'pg';
import { readMigrations } from '../../src/platform/migration-history.ts';
import {
  compareModes,
  deriveMigrationLocks,
  LOCK_MODES,
  type LockMode,
} from '../../src/platform/migration-locks.rules.ts';
import { splitSqlStatements } from '../../src/platform/sql-statements.ts';
import { runQuery } from '../scratch-folder.ts';
import { t } from '../tap.ts';
import { createMigrationScratch } from './migration-scratch.ts';

const owner = process.env.TEST_OWNER_URL ?? '';

/** A lock on a relation that the statement does not name. */
const UNNAMED = /^(?:each table|the table of|the default partition)/;

interface Relation {
  oid: number;
  name: string;
  root: string;
}

/** Run one statement in a transaction of its own; returns the strongest lock on each relation that existed before. */
async function runAndReadLocks(client: pg.Client, sql: string, named: ReadonlySet<string>) {
  const { rows: relations } = await client.query<Relation>(
    `SELECT oid, oid::regclass::text AS name, coalesce(pg_partition_root(oid), oid)::regclass::text AS root
     FROM pg_class WHERE relkind IN ('r', 'p', 'v', 'm') AND relnamespace::regnamespace::text !~ '^(pg_|information_schema)'`,
  );
  await client.query('BEGIN');
  await client.query(sql);
  const { rows: locks } = await client.query<{ relation: number; mode: string }>(
    `SELECT relation, mode FROM pg_locks WHERE pid = pg_backend_pid() AND locktype = 'relation'`,
  );
  await client.query('COMMIT');
  const strongest = new Map<string, LockMode>();
  for (const { relation, mode: lockName } of locks) {
    const known = relations.find(({ oid }) => oid === relation);
    const mode = toLockMode(lockName);
    if (!known || compareModes(mode, 'ROW EXCLUSIVE') < 0) continue;
    const name = named.has(known.name) ? known.name : known.root;
    const previous = strongest.get(name);
    if (!previous || compareModes(previous, mode) < 0) strongest.set(name, mode);
  }
  return { strongest, names: new Set(relations.map(({ name }) => name)) };
}

function toLockMode(name: string): LockMode {
  const words = name
    .replace(/Lock$/, '')
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toUpperCase();
  const mode = LOCK_MODES.find((known) => known === words);
  if (!mode) throw new Error(`Unknown lock ${name}`);
  return mode;
}

async function openScratchDatabase(t: Parameters<typeof createMigrationScratch>[0]): Promise<pg.Client> {
  const { url } = await createMigrationScratch(t, owner);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  t.teardown(async () => {
    await client.end();
    await runQuery(owner, `DROP DATABASE ${new URL(url).pathname.slice(1)}`);
  });
  return client;
}

/** Compare what is derived from a statement with what the server locks. Unknown statements only run. */
async function compareLocks(t: Parameters<typeof createMigrationScratch>[0], client: pg.Client, sql: string) {
  const { locks, unknown } = deriveMigrationLocks(sql);
  const derived = new Map(locks.map(({ relation, mode }) => [relation, mode]));
  const { strongest, names } = await runAndReadLocks(client, sql, new Set(derived.keys()));
  if (unknown.length > 0) return false;
  const hasUnnamed = locks.some(({ relation }) => UNNAMED.test(relation));
  const expected = [...derived].filter(([relation]) => names.has(relation));
  const found = [...strongest].filter(([relation]) => derived.has(relation) || !hasUnnamed);
  t.same(Object.fromEntries(found), Object.fromEntries(expected), sql.slice(0, 200));
  return true;
}

t.test('the locks of every statement of the migrations are those that the server takes', async (t) => {
  const client = await openScratchDatabase(t);
  let compared = 0;
  for (const { sql } of await readMigrations('prisma/migrations'))
    for (const { text } of splitSqlStatements(sql)) if (await compareLocks(t, client, text)) compared += 1;
  t.ok(compared > 1_500, `${compared} statements`);
});

t.test('the locks of other statements are those that the server takes', async (t) => {
  const client = await openScratchDatabase(t);
  await client.query(
    `CREATE TABLE a (id int PRIMARY KEY, x int); CREATE TABLE b (id int PRIMARY KEY, a_id int);
     CREATE TABLE parent (id int) PARTITION BY RANGE (id); CREATE TABLE part (id int); CREATE TABLE "Big Table" (id int);
     CREATE MATERIALIZED VIEW m AS SELECT id FROM a; CREATE VIEW v AS SELECT id FROM a; CREATE SEQUENCE s;
     CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$;`,
  );
  for (const sql of [
    'CREATE TABLE c (id int PRIMARY KEY, a_id int REFERENCES a (id))',
    'CREATE TABLE part2 PARTITION OF parent FOR VALUES FROM (0) TO (9)',
    'ALTER TABLE b ADD CONSTRAINT b_a_fkey FOREIGN KEY (a_id) REFERENCES a (id) NOT VALID',
    'ALTER TABLE b VALIDATE CONSTRAINT b_a_fkey',
    'ALTER TABLE b DROP CONSTRAINT b_a_fkey',
    'ALTER TABLE b ADD COLUMN other int REFERENCES a (id), ADD COLUMN note text',
    'ALTER TABLE a ALTER COLUMN x SET STATISTICS 50',
    'ALTER TABLE a SET (fillfactor = 90, autovacuum_vacuum_threshold = 10)',
    'ALTER TABLE a RESET (fillfactor)',
    'ALTER TABLE a ALTER COLUMN x SET NOT NULL, ALTER COLUMN x SET STATISTICS 60',
    'ALTER TABLE parent ATTACH PARTITION part FOR VALUES FROM (10) TO (20)',
    'ALTER TABLE parent DETACH PARTITION part',
    'CREATE INDEX IF NOT EXISTS a_x_idx ON public.a (x)',
    'ALTER INDEX a_x_idx RENAME TO a_x_index',
    'DROP INDEX a_x_index',
    'CREATE TRIGGER t BEFORE INSERT OR UPDATE OF x ON a FOR EACH ROW EXECUTE FUNCTION f()',
    'ALTER TABLE a DISABLE TRIGGER t',
    'ALTER TRIGGER t ON a RENAME TO t2',
    "COMMENT ON TRIGGER t2 ON a IS 'x'",
    'DROP TRIGGER t2 ON a',
    'CREATE OR REPLACE VIEW v AS SELECT id FROM a',
    'ALTER VIEW v RENAME TO w',
    'DROP VIEW w',
    'REFRESH MATERIALIZED VIEW m',
    'ALTER TABLE "Big Table" ADD COLUMN "a; b" text',
    `COMMENT ON COLUMN "Big Table"."a; b" IS 'x'`,
    'INSERT INTO a VALUES (1, 1)',
    'UPDATE a SET x = 2',
    'DELETE FROM ONLY a WHERE x = 3',
    'TRUNCATE TABLE b, c',
    'CREATE TABLE d (id int REFERENCES b (id) ON DELETE CASCADE)',
    'TRUNCATE b CASCADE',
    'GRANT SELECT ON a TO PUBLIC',
    'DROP TABLE c, b CASCADE',
  ])
    t.ok(await compareLocks(t, client, sql), sql);
});

t.test('statements that can lock anything are unknown', (t) => {
  for (const sql of [
    'SELECT drop_everything()',
    'DO $$ BEGIN DROP TABLE a; END $$',
    'WITH x AS (DELETE FROM a RETURNING *) INSERT INTO b SELECT * FROM x',
    'CREATE TABLE b AS SELECT * FROM a',
    'CREATE TABLE b (LIKE a)',
    'CALL p()',
    'DROP FUNCTION f() CASCADE',
    'LOCK TABLE a',
    "COPY a FROM 'file'",
    'VACUUM a',
    'DROP SCHEMA reporting CASCADE',
    'REASSIGN OWNED BY a TO b',
  ]) {
    const { locks, unknown } = deriveMigrationLocks(sql);
    t.same(locks, [], sql);
    t.match(unknown, [{ line: 1, text: sql }], sql);
  }
  t.end();
});

t.test('a table that the migration creates is not locked for others, one that it drops first is', (t) => {
  const created = 'CREATE TABLE a (id int); ALTER TABLE a ADD COLUMN x int; CREATE INDEX b ON a (x);';
  t.same(deriveMigrationLocks(created), { locks: [], unknown: [] });
  t.match(deriveMigrationLocks(`DROP TABLE a; ${created}`).locks, [
    { relation: 'a', mode: 'ACCESS EXCLUSIVE' },
  ]);
  t.end();
});

t.test('scripts are split outside of strings, names, function bodies and comments', (t) => {
  const script = `-- first; comment
CREATE TABLE "a;b" (x text DEFAULT 'one; ''two', y text DEFAULT E'it\\'s; ');
/* a; /* nested; */ comment; */
CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql AS $body$ BEGIN PERFORM $$a;$$; RETURN 1; END $body$;
SELECT $1; ;
DROP TABLE Public . "users"`;
  t.match(splitSqlStatements(script), [
    { line: 2, normalized: /^create table "a;b" \( x text default '' , y text default '' \)$/ },
    { line: 4, normalized: "create function f ( ) returns int language plpgsql as ''" },
    { line: 5, normalized: "select $ ''" },
    { line: 6, normalized: 'drop table public.users' },
  ]);
  t.equal(splitSqlStatements(script).length, 4);
  t.end();
});
