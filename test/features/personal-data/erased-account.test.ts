import { startTestApp } from '../../helper.ts';
import { t } from '../../tap.ts';
import { eraseAccountOf, waitForErasures } from './helper.ts';

/** Tables that refuse a row of an erased account, with the column that names it. */
const REFUSING_TABLES = {
  checkout_sessions: 'account_id',
  conversation_reports: 'account_id',
  conversations: 'account_id',
  data_exports: 'user_id',
  document_accesses: 'account_id',
  document_grants: 'account_id',
  document_shares: 'account_id',
  document_versions: 'account_id',
  documents: 'account_id',
  guest_book_entries: 'account_id',
  idempotency_keys: 'requester',
  memory_tag_caretakers: 'account_id',
  memory_tags: 'account_id',
  notification_deliveries: 'user_id',
  notification_settings: 'user_id',
  owner_phones: 'account_id',
  payment_customers: 'account_id',
  push_devices: 'user_id',
  deleted_pictures: 'account_id',
  pictures: 'account_id',
  qr_codes: 'account_id',
  report_schedules: 'account_id',
  sessions: 'user_id',
  stored_files: 'account_id',
};

/** Tables that leave it out, because others were to be written with it. */
const SKIPPING_TABLES = ['notifications', 'password_resets', 'realtime_streams'];

t.test('nothing more is stored for an erased account, and it stays erased', async (t) => {
  const app = await startTestApp(t);
  const user = await app.createUser();
  await eraseAccountOf(app, user);
  await waitForErasures(app);
  const { pool } = app.database;
  for (const [table, column] of Object.entries(REFUSING_TABLES))
    await t.rejects(
      pool.query(`INSERT INTO ${table} (${column}) VALUES ($1)`, [user.id]),
      { code: 'QR410' },
      table,
    );
  for (const table of SKIPPING_TABLES) {
    const inserted = pool.query(`INSERT INTO ${table} (user_id) VALUES ($1)`, [user.id]);
    t.equal(await inserted.then(({ rowCount }) => rowCount, String), 0, table);
  }
  await t.rejects(pool.query("UPDATE users SET status = 'ACTIVE' WHERE id = $1", [user.id]), /erased/);
});
