import pg from 'pg';
import { MOVED_TABLES } from '../../../src/features/codes/account-moves/moved-tables.ts';
import { cloneDatabase } from '../../clone-database.ts';
import { t } from '../../tap.ts';

/** Those that name a code or its records without a foreign key. */
const WITHOUT_FOREIGN_KEY = ['scan_locations', 'notifications'];

t.test('the list of a move has every table whose rows belong to a code', async (t) => {
  const { owner, drop } = await cloneDatabase(t);
  const client = new pg.Client({ connectionString: owner });
  await client.connect();
  t.teardown(async () => {
    await client.end();
    await drop();
  });
  const listed = new Set(MOVED_TABLES.map(({ table }) => table));
  const moved = MOVED_TABLES.filter(({ rows }) => rows !== undefined);
  const { rows: keys } = await client.query<{
    table: string;
    column: string;
    target: string;
    onUpdate: string;
  }>(`
    SELECT conrelid::regclass::text AS table, attname AS column, confrelid::regclass::text AS target, confupdtype AS "onUpdate"
    FROM pg_constraint JOIN pg_attribute ON attrelid = conrelid AND attnum = ANY (conkey)
    WHERE contype = 'f' AND conparentid = 0 AND connamespace = 'public'::regnamespace`);
  const { rows: columns } = await client.query<{ table: string }>(`
    SELECT attrelid::regclass::text AS table FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
    WHERE attname = 'qr_code_id' AND relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace`);
  const targets = new Set(moved.map(({ table }) => table));

  // A file of another record refers to no code.
  const referencing = keys.filter(({ target }) => targets.has(target) && target !== 'stored_files');
  const expected = [...referencing, ...columns].map(({ table }) => table);
  t.same(
    expected.filter((table) => !listed.has(table)),
    [],
    'Say in moved-tables.ts what becomes of its rows.',
  );
  const known = new Set([...expected, ...targets, ...WITHOUT_FOREIGN_KEY]);
  t.same(
    [...listed].filter((table) => !known.has(table)),
    [],
    'the list has no others',
  );

  t.same(
    keys.filter(({ target, onUpdate }) => targets.has(target) && onUpdate !== 'a'),
    [],
    'a move gives the old row another id, which nothing may follow',
  );
  const deleted = MOVED_TABLES.filter(({ becomes }) => becomes === 'DELETED').map(({ table }) => table);
  const referenced = new Set(
    keys.filter(({ table }) => !deleted.includes(table)).map(({ target }) => target),
  );
  for (const { table, referenced: isReferenced } of moved)
    t.equal(isReferenced !== undefined, referenced.has(table), `${table}: whether others reference it`);

  // What a moved row refers to goes with it, is no record of an account, or is changed.
  const foreign = keys.filter(
    ({ table, column, target }) =>
      targets.has(table) &&
      column !== 'account_id' &&
      !targets.has(target) &&
      !['accounts', 'users'].includes(target) &&
      !moved.some((move) => move.table === table && move.changed && column in move.changed),
  );
  t.same(foreign, []);
});

t.test('the rows of a move are found in every table', async (t) => {
  const { owner, drop } = await cloneDatabase(t);
  const client = new pg.Client({ connectionString: owner });
  await client.connect();
  t.teardown(async () => {
    await client.end();
    await drop();
  });
  for (const { table, rows, referenced = {}, changed = {} } of MOVED_TABLES) {
    if (rows === undefined) continue;
    await client.query(`SELECT FROM ${table} WHERE account_id = $1 AND (${rows})`, ['a', 'b']);
    for (const column of Object.keys({ ...referenced, ...changed }))
      await client.query(`SELECT ${column} FROM ${table} LIMIT 0`);
  }
});
