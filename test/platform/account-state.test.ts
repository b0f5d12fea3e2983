import { lockImportsOfOwner } from '../../src/features/codes/imports/import.repository.ts';
import { lockAccount } from '../../src/features/codes/lock-account.repository.ts';
import { generateId } from '../../src/shared/ids.ts';
import { waitForLock } from '../features/identity/accounts/paused-operations.ts';
import { startTestApp } from '../helper.ts';
import { insertOrganization } from '../insert-organization.ts';
import { t } from '../tap.ts';

const app = await startTestApp(t);
const { pool } = app.database;

const INSERT_CODE = `INSERT INTO qr_codes (id, account_id, kind, mode, title, slug, visibility, design, data)
  VALUES ($1, $2, 'PET', 'DYNAMIC', 'Rex', 'rex', '{}', '{}', '\\x00')`;

t.test('a new user owns the personal account, which follows the user', async (t) => {
  const { id } = await app.createUser();
  const findState = async () => {
    const { rows } = await pool.query(
      `SELECT status, language, time_zone AS zone, enterprise_mode AS enterprise FROM accounts WHERE id = $1`,
      [id],
    );
    return rows[0];
  };
  const begun = { status: 'ACTIVE', language: 'en', zone: 'UTC', enterprise: false };
  t.match(await findState(), begun);
  const memberships = await pool.query('SELECT account_id, role FROM memberships WHERE user_id = $1', [id]);
  t.same(memberships.rows, [{ account_id: id, role: 'OWNER' }]);

  const changes: [string, object][] = [
    ["status = 'SUSPENDED', previous_status = 'ACTIVE'", { status: 'SUSPENDED' }],
    ["status = 'VERIFIED', previous_status = NULL", { status: 'ACTIVE' }],
    ["language = 'de', time_zone = 'Europe/Berlin'", { language: 'de', zone: 'Europe/Berlin' }],
    ['enterprise_mode = true', { enterprise: true }],
    ["status = 'DELETED'", { status: 'DELETED' }],
  ];
  let expected: object = begun;
  for (const [assignment, change] of changes) {
    expected = { ...expected, ...change };
    await pool.query(`UPDATE users SET ${assignment} WHERE id = $1`, [id]);
    t.same(await findState(), expected, assignment);
  }
});

t.test('what the account does not have leaves its row alone', async (t) => {
  const { id } = await app.createUser();
  const findVersion = async () => (await pool.query('SELECT xmin FROM accounts WHERE id = $1', [id])).rows[0];
  const before = await findVersion();
  await pool.query(
    "UPDATE users SET first_name = 'Ada', status = status, version = version + 1 WHERE id = $1",
    [id],
  );
  t.same(await findVersion(), before);
});

t.test('an organization has a name and no user, a personal account the reverse', async (t) => {
  const { id } = await app.createUser();
  const organization = await insertOrganization(app);
  const violations: [statement: string, constraint: string][] = [
    [`UPDATE accounts SET name = NULL WHERE id = '${organization}'`, 'accounts_organization_has_name'],
    [`UPDATE accounts SET name = '' WHERE id = '${organization}'`, 'accounts_name_bounded'],
    [`UPDATE accounts SET name = 'Ada' WHERE id = '${id}'`, 'accounts_organization_has_name'],
    [`UPDATE accounts SET user_id = NULL WHERE id = '${id}'`, 'accounts_personal_has_user'],
    [`UPDATE accounts SET status = 'VERIFIED' WHERE id = '${id}'`, 'accounts_status_known'],
    [`UPDATE memberships SET role = 'ADMIN' WHERE account_id = '${id}'`, 'memberships_role_known'],
    [`UPDATE accounts SET user_id = id WHERE id = '${organization}'`, 'accounts_personal_has_user'],
  ];
  for (const [statement, constraint] of violations)
    await t.rejects(pool.query(statement), { code: '23514', constraint }, statement);
});

t.test('an organization that is deleted meanwhile gets no code', async (t) => {
  const organization = await insertOrganization(app);
  await pool.query(INSERT_CODE, [generateId(), organization]);
  const deleting = await pool.connect();
  t.teardown(() => deleting.release(true));
  await deleting.query('BEGIN');
  await deleting.query('SELECT FROM accounts WHERE id = $1 FOR UPDATE', [organization]);
  const inserting = pool.query(INSERT_CODE, [generateId(), organization]);
  const rejected = t.rejects(inserting, { code: 'QR410' });
  await waitForLock(app, inserting);
  await deleting.query("UPDATE accounts SET status = 'DELETED', name = NULL WHERE id = $1", [organization]);
  await deleting.query('COMMIT');
  await rejected;
});

t.test('a deletion waits for a code that an organization is getting', async (t) => {
  const organization = await insertOrganization(app);
  const inserting = await pool.connect();
  t.teardown(() => inserting.release(true));
  await inserting.query('BEGIN');
  await inserting.query(INSERT_CODE, [generateId(), organization]);
  const locked = pool.query('SELECT FROM accounts WHERE id = $1 FOR UPDATE NOWAIT', [organization]);
  await t.rejects(locked, { code: '55P03' });
  await inserting.query('COMMIT');
});

t.test('a user changes while imports, print sheets and saved views of the account are counted', async (t) => {
  // The guard of their rows locks the user: with the row of the account locked first, an erasure would deadlock.
  const { id } = await app.createUser();
  for (const lock of [lockImportsOfOwner, lockAccount])
    await app.database.transaction(async (tx) => {
      await lock(tx, id);
      const changing = await pool.connect();
      try {
        await changing.query("BEGIN; SET LOCAL lock_timeout = '1s'");
        await changing.query('SELECT FROM users WHERE id = $1 FOR UPDATE', [id]);
        await t.resolves(changing.query("UPDATE users SET language = 'fr' WHERE id = $1", [id]), lock.name);
      } finally {
        changing.release(true);
      }
    });
});
