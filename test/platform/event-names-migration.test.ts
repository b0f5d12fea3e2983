import { readMigrations } from '../../src/platform/migration-history.ts';
import { applyMigrations } from '../../src/platform/migrations.ts';
import { FORMER_EVENT_NAMES } from '../../src/shared/former-event-names.ts';
import { runQuery, SILENT_LOG } from '../scratch-folder.ts';
import { t } from '../tap.ts';
import { createMigrationScratch } from './migration-scratch.ts';

const MIGRATION = '20261129073000_event_names';

t.test('stored names of events become those of the catalogue', async (t) => {
  const serverUrl = process.env.TEST_OWNER_URL ?? '';
  const { url, folder, add } = await createMigrationScratch(t, serverUrl);
  t.teardown(() => runQuery(serverUrl, `DROP DATABASE ${new URL(url).pathname.slice(1)}`));
  const migrations = await readMigrations('prisma/migrations');
  for (const { name, sql } of migrations) if (name < MIGRATION) await add(name, sql);
  await applyMigrations({ url, folder, log: SILENT_LOG });
  const formerNames = Object.keys(FORMER_EVENT_NAMES);
  const [ada, bob, endpoint] = ['1', '2', '3'].map((digit) => digit.padStart(24, '0'));
  await runQuery(
    url,
    `INSERT INTO users (id, email) VALUES ('${ada}', 'ada@example.org'), ('${bob}', 'bob@example.org');
     INSERT INTO accounts (id, user_id) SELECT id, id FROM users ON CONFLICT DO NOTHING;
     INSERT INTO notifications (id, user_id, type, event, key)
       SELECT lpad(n::text, 24, '0'), '${ada}', 'DEFAULT', name, 'key:' || n
       FROM unnest('{${formerNames.join()}}'::text[]) WITH ORDINALITY AS former (name, n);
     UPDATE notifications SET key = event || ':tag:2026' WHERE event LIKE '%\\_ANNIVERSARY';
     UPDATE notifications SET data = '{"newestEvent": "SCAN_LOCATED", "codes": "PIN_REJECTED"}' WHERE event = 'SCANS_DIGEST';
     INSERT INTO notification_settings (user_id, preferences) VALUES
       ('${ada}', '{"MESSAGE_RECEIVED": {"EMAIL": false}, "NEW_LOGIN": {"PUSH": false}}'), ('${bob}', '{}');
     INSERT INTO webhook_endpoints (id, account_id, url, secrets, event_types)
       VALUES ('${endpoint}', '${ada}', '\\x00', '\\x00', '{scan.*,message.received}');
     INSERT INTO account_events (id, account_id, type, data, created_at)
       VALUES ('${endpoint}', '${ada}', 'message.received', '{}', now());
     INSERT INTO webhook_deliveries (account_id, endpoint_id, event_id, event_type, event_data, event_at)
       VALUES ('${ada}', '${endpoint}', '${endpoint}', 'message.received', '{}', now())`,
  );
  for (const { name, sql } of migrations) if (name >= MIGRATION) await add(name, sql);
  await applyMigrations({ url, folder, log: SILENT_LOG });

  // Mails to finders and of reports are no notifications.
  const mailsOnly = ['REPLY_RECEIVED', 'SCAN_REPORT'];
  const renamed = await runQuery(url, 'SELECT event FROM notifications ORDER BY id');
  t.same(
    renamed.map(({ event }) => event),
    formerNames.map((name) => (mailsOnly.includes(name) ? name : FORMER_EVENT_NAMES[name])),
  );
  t.same(await runQuery(url, "SELECT key FROM notifications WHERE event LIKE 'memory_tag.%' ORDER BY key"), [
    { key: 'memory_tag.birth_anniversary:tag:2026' },
    { key: 'memory_tag.death_anniversary:tag:2026' },
  ]);
  t.same(await runQuery(url, "SELECT data FROM notifications WHERE event = 'scan.digest'"), [
    { data: { newestEvent: 'scan.located', codes: 'PIN_REJECTED' } },
  ]);
  t.same(await runQuery(url, 'SELECT preferences FROM notification_settings ORDER BY user_id'), [
    { preferences: { 'message.created': { EMAIL: false }, 'login.created': { PUSH: false } } },
    { preferences: {} },
  ]);
  t.same(await runQuery(url, 'SELECT event_types FROM webhook_endpoints'), [
    { event_types: ['scan.*', 'message.created'] },
  ]);
  t.same(
    await runQuery(
      url,
      'SELECT type FROM account_events UNION ALL SELECT event_type FROM webhook_deliveries',
    ),
    [{ type: 'message.created' }, { type: 'message.created' }],
  );
});
