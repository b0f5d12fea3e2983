import pg from 'pg';
import { joinTransaction, runForAccount } from '../../src/platform/bound-database.ts';
import { CopyRowBuffer, copyQueryToBuffer } from '../../src/platform/copy-query.ts';
import type { Database, Tx } from '../../src/platform/database.ts';
import { runPgTransaction } from '../../src/platform/driver-transaction.ts';
import { PROTECTED_TABLES } from '../../src/platform/row-level-security.ts';
import { executeSql, querySql, sql } from '../../src/platform/sql.ts';
import { generateId } from '../../src/shared/ids.ts';
import { cloneDatabase, startTestApp } from '../helper.ts';
import { t } from '../tap.ts';
import { isOwnedTable } from './account-conditions.ts';
import { TABLE_DISTRIBUTION } from './table-distribution.ts';

/** Why an owned table has no policy. */
type UnprotectedReason =
  /** Most of its statements find or store records of many accounts: for scanners, shares, staff, workers, the provider. */
  | 'MANY_ACCOUNTS'
  /** Events write and read it in the transactions of other features. */
  | 'EVENTS'
  /** Its use cases do not bind their database. */
  | 'NOT_BOUND';

const UNPROTECTED_TABLES: Readonly<Record<string, UnprotectedReason>> = {
  account_events: 'EVENTS',
  webhook_deliveries: 'EVENTS',
  webhook_endpoints: 'EVENTS',
  api_keys: 'MANY_ACCOUNTS',
  batch_tags: 'MANY_ACCOUNTS',
  break_glass_grants: 'MANY_ACCOUNTS',
  checkout_sessions: 'MANY_ACCOUNTS',
  conversation_reports: 'MANY_ACCOUNTS',
  deletions: 'MANY_ACCOUNTS',
  guest_book_entries: 'MANY_ACCOUNTS',
  invitations: 'MANY_ACCOUNTS',
  memory_tag_caretakers: 'MANY_ACCOUNTS',
  memory_tags: 'MANY_ACCOUNTS',
  owner_scan_counts: 'MANY_ACCOUNTS',
  payment_customers: 'MANY_ACCOUNTS',
  payment_invoices: 'MANY_ACCOUNTS',
  qr_code_appeals: 'MANY_ACCOUNTS',
  qr_code_counts: 'MANY_ACCOUNTS',
  qr_code_reports: 'MANY_ACCOUNTS',
  qr_code_takedowns: 'MANY_ACCOUNTS',
  qr_codes: 'MANY_ACCOUNTS',
  scan_locations: 'MANY_ACCOUNTS',
  scans: 'MANY_ACCOUNTS',
  subscriptions: 'MANY_ACCOUNTS',
  batches: 'NOT_BOUND',
  blocked_finders: 'NOT_BOUND',
  code_moves: 'NOT_BOUND',
  conversation_messages: 'NOT_BOUND',
  conversation_notes: 'NOT_BOUND',
  conversations: 'NOT_BOUND',
  deleted_pictures: 'NOT_BOUND',
  document_accesses: 'NOT_BOUND',
  document_grants: 'NOT_BOUND',
  document_shares: 'NOT_BOUND',
  document_versions: 'NOT_BOUND',
  documents: 'NOT_BOUND',
  folders: 'NOT_BOUND',
  import_errors: 'NOT_BOUND',
  imports: 'NOT_BOUND',
  membership_folders: 'NOT_BOUND',
  pictures: 'NOT_BOUND',
  stored_files: 'NOT_BOUND',
};

t.test('each owned table is protected, or says why not', async (t) => {
  const { owner, application, drop } = await cloneDatabase(t);
  const client = new pg.Client({ connectionString: application });
  await client.connect();
  t.teardown(async () => {
    await client.end();
    await drop();
  });
  const owned = Object.keys(TABLE_DISTRIBUTION).filter(isOwnedTable).sort();
  t.same([...PROTECTED_TABLES, ...Object.keys(UNPROTECTED_TABLES)].sort(), owned);
  const { rows } = await client.query(
    `SELECT relname::text AS table, row_security_active(oid) AS "isActive", relforcerowsecurity AS "isForced",
       (SELECT array_agg(polname::text ORDER BY polname) FROM pg_policy WHERE polrelid = pg_class.oid) AS policies
     FROM pg_class WHERE relnamespace = 'public'::regnamespace AND (relrowsecurity OR relname = ANY ($1))
     ORDER BY relname`,
    [[...PROTECTED_TABLES]],
  );
  const policies = ['account', 'qr_app_every_account'];
  t.same(
    rows,
    PROTECTED_TABLES.map((table) => ({ table, isActive: true, isForced: false, policies })),
  );
  t.notSame(new URL(owner).username, new URL(application).username);
});

t.test('a bound database sees and changes records of its account only', async (t) => {
  const { services, createUser } = await startTestApp(t);
  const { database } = services;
  const [anna, bert] = [await createUser(), await createUser()];
  const everyAccount = database.forEveryAccount('COMMAND');
  const insertView = (bound: Database, accountId: string) =>
    bound.client.savedView.create({
      data: { id: generateId(), accountId, name: 'v', query: {}, position: 1 },
    });
  for (const { id } of [anna, bert]) await insertView(database.forAccount(id), id);
  const ofAnna = database.forAccount(anna.id);
  const listOwners = async (bound: Database) =>
    (await bound.client.savedView.findMany({ orderBy: { accountId: 'asc' } })).map(
      ({ accountId }) => accountId,
    );
  const all = [anna.id, bert.id].sort();

  t.same(await listOwners(ofAnna), [anna.id], 'by a model');
  t.same(await listOwners(database), [], 'unbound');
  t.same(await listOwners(everyAccount), all, 'for every account');
  const count = 'SELECT count(*)::int AS count FROM saved_views';
  for (const connection of [ofAnna.client, ofAnna.pool])
    t.same(await querySql(connection)({ text: count }), [{ count: 1 }], 'by a statement');
  for (let round = 0; round < 2; round += 1)
    t.same(await querySql(ofAnna.pool, { isPrepared: true })({ text: count }), [{ count: 1 }], 'prepared');
  t.same(await querySql(everyAccount.pool, { isPrepared: true })({ text: count }), [{ count: 2 }]);
  t.same(await querySql(database.pool)({ text: count }), [{ count: 0 }]);
  for (const kind of ['WRITE', 'SNAPSHOT'] as const)
    t.same(
      await runPgTransaction(ofAnna, kind, (connection) => querySql(connection)({ text: count })),
      [{ count: 1 }],
      `in a transaction of the driver: ${kind}`,
    );
  t.equal(await ofAnna.transaction((tx) => tx.savedView.count()), 1);
  t.equal(await ofAnna.readSnapshot((tx) => tx.savedView.count()), 1);
  t.equal(await ofAnna.read(({ client }) => client.savedView.count()), 1);
  t.equal(await everyAccount.transaction((tx) => tx.savedView.count()), 2);

  const copied = new CopyRowBuffer();
  for (const [bound, rows] of [
    [ofAnna, 1],
    [everyAccount, 2],
    [database, 0],
  ] as const) {
    await copyQueryToBuffer(bound, sql`SELECT id FROM saved_views`, copied);
    t.equal(copied.length, rows, 'by COPY');
  }

  t.equal((await ofAnna.client.savedView.updateMany({ data: { name: 'changed' } })).count, 1);
  t.equal(await executeSql(ofAnna.client)`UPDATE saved_views SET name = 'again'`, 1);
  t.equal(await executeSql(ofAnna.pool)`UPDATE saved_views SET name = 'more'`, 1);
  await t.rejects(insertView(ofAnna, bert.id), /row-level security/);
  await t.rejects(insertView(database, bert.id), /row-level security/);
  t.equal((await ofAnna.client.savedView.deleteMany()).count, 1);
  t.same(await listOwners(everyAccount), [bert.id]);
});

t.test('the account of a transaction ends with it', async (t) => {
  const { services, createUser } = await startTestApp(t, { DATABASE_POOL_SIZE: '2' });
  const { database } = services;
  const { id } = await createUser();
  const readBinding = async (connection: Database['client'] | Database['pool']) => {
    const [row] = await querySql<{ account: string | null; role: string }>(connection)`
      SELECT current_setting('app.account_id', true) AS account, current_user::text AS role`;
    return [row?.account ?? '', row?.role];
  };
  const everyAccount = database.forEveryAccount('COMMAND');
  for (let round = 0; round < 3; round += 1) {
    t.same(await readBinding(database.forAccount(id).pool), [id, 'qr_app']);
    t.same(await readBinding(database.pool), ['', 'qr_app']);
    t.same(await readBinding(everyAccount.client), ['', 'qr_app_every_account']);
    t.same(await readBinding(database.client), ['', 'qr_app']);
    await database.forAccount(id).transaction(async () => {});
    await t.rejects(
      everyAccount.transaction(async (tx) => {
        await querySql(tx)`SELECT 1 / 0`;
      }),
    );
    t.same(await readBinding(database.pool), ['', 'qr_app']);
    await t.rejects(querySql(everyAccount.pool)`SELECT 1 / 0`, /division by zero/);
    await t.rejects(querySql(everyAccount.pool, { isPrepared: true })`SELECT nothing`, /does not exist/);
    t.same(await readBinding(database.pool), ['', 'qr_app']);
  }
  t.throws(() => database.forAccount("' OR true"), RangeError);
});

t.test('a part of a transaction is bound for itself', async (t) => {
  const { services, createUser } = await startTestApp(t);
  const { database } = services;
  const [{ id }, other] = [await createUser(), await createUser()];
  const readBinding = async (tx: Tx) => {
    const [row] = await querySql<{ account: string | null; role: string }>(tx)`
      SELECT current_setting('app.account_id', true) AS account, current_user::text AS role`;
    return [row?.account ?? '', row?.role];
  };
  await database.forEveryAccount('COMMAND').transaction(async (tx) => {
    await runForAccount(tx, id, async () => t.same(await readBinding(tx), [id, 'qr_app']));
    t.same(await readBinding(tx), ['', 'qr_app_every_account']);
    await t.rejects(
      runForAccount(tx, id, () => Promise.reject(new Error('refused'))),
      /refused/,
    );
    t.same(await readBinding(tx), ['', 'qr_app_every_account'], 'after an error');
    const joined = joinTransaction(database, tx);
    await joined.forAccount(id).transaction(async (part) => {
      t.same(await readBinding(part), [id, 'qr_app']);
    });
    t.same(await readBinding(tx), ['', 'qr_app_every_account']);
  });
  await database.forAccount(id).transaction(async (tx) => {
    const joined = joinTransaction(database, tx);
    await joined.forEveryAccount('COMMAND').transaction(async (part) => {
      t.same((await readBinding(part))[1], 'qr_app_every_account');
      await runForAccount(part, other.id, async () => t.same(await readBinding(tx), [other.id, 'qr_app']));
    });
    t.same(await readBinding(tx), [id, 'qr_app']);
  });
});

t.test('plans keep their index, and compare the account once', async (t) => {
  const { services, createUser } = await startTestApp(t);
  const { id } = await createUser();
  const explain = async (database: Database, text: string) => {
    const rows = await querySql<{ 'QUERY PLAN': string }>(database.pool)({
      text: `EXPLAIN ${text}`,
      values: [id],
    });
    return rows.map((row) => row['QUERY PLAN'].trim());
  };
  const list = 'SELECT * FROM saved_views WHERE account_id = $1 AND deleted_at IS NULL';
  const bound = (await explain(services.database.forAccount(id), list)).join('\n');
  t.match(bound, /One-Time Filter: .*current_setting/);
  t.match(bound, /Index Scan|Bitmap Index Scan/);
  t.notMatch(bound, /^\s*Filter: .*current_setting/m);
  const everyAccount = (await explain(services.database.forEveryAccount('COMMAND'), list)).join('\n');
  t.notMatch(everyAccount, /current_setting/);
});
