import type pg from 'pg';
import { NULLABLE_REPORTING_KEY_COLUMNS, REPORTING_VIEW_KEYS } from '../../scripts/docs/reporting-keys.ts';
import { rollUpScanCounts } from '../../src/features/scans/statistics/roll-up.ts';
import { createJobScheduler } from '../../src/platform/jobs.ts';
import { JOB_QUEUES } from '../../src/services.ts';
import { generateId } from '../../src/shared/ids.ts';
import { addSubscription } from '../features/billing/subscriptions/subscription-helper.ts';
import { startScans } from '../features/scans/helper.ts';
import { insertScatteredScans } from '../features/scans/statistics/helper.ts';
import { retryUntilSuccess } from '../scratch-folder.ts';
import { t } from '../tap.ts';
import { createReportingClients, queryTextValues } from './helper.ts';

const ago = (hours: number) => new Date(Date.now() - hours * 60 * 60 * 1000);

async function insertRow(client: pg.Client, table: string, row: Record<string, unknown>): Promise<string> {
  const id = generateId(row.created_at instanceof Date ? row.created_at : undefined);
  const values = { id, ...row };
  await client.query(
    `INSERT INTO ${table} (${Object.keys(values).join(', ')}) VALUES (${Object.keys(values).map((_, index) => `$${index + 1}`)})`,
    Object.values(values),
  );
  return id;
}

async function insertFile(client: pg.Client, accountId: string, size: number): Promise<string> {
  const name = `${generateId()}file0000`;
  const stored = { state: 'STORED', file_key: Buffer.from('key'), stored_at: new Date() };
  return insertRow(client, 'stored_files', { account_id: accountId, name, size, ...stored });
}

/** Insert documents, pictures, notifications and a conversation with private texts and contacts. */
async function insertRecords(client: pg.Client, accountId: string, codeId: string) {
  const secret = Buffer.from('xqxsecret');
  const document = {
    account_id: accountId,
    title: 'Xqxpassport',
    kind: 'PASSPORT',
    expires_on: '2031-07-19',
  };
  const documentId = await insertRow(client, 'documents', { ...document, note: secret });
  for (const [number, size] of [1000, 234].entries()) {
    const file_id = await insertFile(client, accountId, size);
    const version = { document_id: documentId, account_id: accountId, number: number + 1, file_id, size };
    await insertRow(client, 'document_versions', {
      ...version,
      file_name: secret,
      content_type: 'text/plain',
    });
  }
  const share = { document_id: documentId, account_id: accountId, passcode_hash: 'xqxpasscode' };
  const addShare = (row: object) =>
    insertRow(client, 'document_shares', { ...share, token_hash: Buffer.from(generateId()), ...row });
  const shareId = await addShare({ qr_code_id: codeId });
  await addShare({ ended_at: ago(1) });
  await addShare({ expires_at: ago(1) });
  await addShare({ max_views: 1, views: 1, last_opened_at: ago(2) });
  const documentOfOwner = { document_id: documentId, account_id: accountId };
  await insertRow(client, 'document_grants', { ...documentOfOwner, email: secret, email_hash: secret });
  const access = { ...documentOfOwner, share_id: shareId, version_number: 1 };
  await insertRow(client, 'document_accesses', { ...access, read_at: ago(3) });
  const pictureId = await insertRow(client, 'pictures', {
    account_id: accountId,
    qr_code_id: codeId,
    file_id: await insertFile(client, accountId, 500),
    ...{ format: 'jpeg', width: 9, height: 9, size: 500, position: 1, caption: 'Xqxcaption' },
  });
  await client.query(
    "INSERT INTO picture_renditions (picture_id, width, format, claim, file_id) VALUES ($1, 320, 'webp', 'c', $2)",
    [pictureId, await insertFile(client, accountId, 50)],
  );
  for (const size of [30, 40])
    await insertRow(client, 'deleted_pictures', {
      account_id: accountId,
      qr_code_id: codeId,
      file_id: await insertFile(client, accountId, size),
      ...{ format: 'jpeg', width: 9, height: 9, size, position: 1, version: 1, created_at: ago(1) },
    });
  const importFile = await insertFile(client, accountId, 70);
  await insertRow(client, 'imports', {
    account_id: accountId,
    format: 'csv',
    file_id: importFile,
    size: 70,
    request_id: 'r',
  });
  await insertRow(client, 'print_sheets', {
    account_id: accountId,
    options: '{}',
    code_ids: [],
    codes: 1,
    file_id: await insertFile(client, accountId, 80),
    request_id: 'r',
  });
  const notify = (created_at: Date, row: object = {}) => {
    const recipient = { user_id: accountId, account_id: accountId };
    const about = { ...recipient, type: 'DEFAULT', event: 'scan.created', key: generateId() };
    return insertRow(client, 'notifications', { ...about, data: '{"name":"Xqxname"}', created_at, ...row });
  };
  const notificationId = await notify(ago(50));
  await notify(ago(49), { read_at: ago(48) });
  await notify(ago(1), { dismissed_at: ago(1) });
  const delivery = { notification_id: notificationId, user_id: accountId };
  await insertRow(client, 'notification_deliveries', {
    ...delivery,
    ...{ channel: 'EMAIL', status: 'DELIVERED', created_at: ago(50) },
  });
  await insertRow(client, 'notification_deliveries', {
    ...delivery,
    ...{ channel: 'PUSH', status: 'NOT_SENT', reason: 'NO_DEVICE', created_at: ago(50) },
  });
  const conversationId = await insertRow(client, 'conversations', {
    qr_code_id: codeId,
    account_id: accountId,
    scan_id: generateId(),
    ...{ finder_hash: secret, finder_name: secret, finder_email: secret, finder_language: 'de' },
    ...{ last_message_at: ago(1), expires_at: ago(-100), created_at: ago(5) },
  });
  for (const [sender, hours] of [
    ['FINDER', 5],
    ['FINDER', 4],
    ['OWNER', 2],
    ['OWNER', 1],
  ] as const)
    await insertRow(client, 'conversation_messages', {
      ...{ conversation_id: conversationId, account_id: accountId, sender },
      ...{ content: secret, created_at: ago(hours) },
    });
  return { documentId, shareId, conversationId };
}

t.test('the views of documents, notifications and conversations equal the tables', async (t) => {
  const test = await startScans(t);
  const { owner, reader } = await createReportingClients(t, test);
  const code = await test.code();
  const { documentId, shareId, conversationId } = await insertRecords(owner, test.owner.id, code);
  const read = (sql: string) => queryTextValues(reader, sql);

  t.same(
    await read(
      'SELECT account_id, type, files, bytes, counts_towards_limit FROM reporting.storage ORDER BY type',
    ),
    [
      [test.owner.id, 'CODE_PICTURE', '3', '570', 't'],
      [test.owner.id, 'DOCUMENT', '2', '1234', 't'],
      [test.owner.id, 'IMPORT', '1', '70', 'f'],
      [test.owner.id, 'PICTURE_RENDITION', '1', '50', 'f'],
      [test.owner.id, 'PRINT_SHEET', '1', '80', 'f'],
    ],
  );
  t.same(
    await read('SELECT sum(files), sum(bytes) FROM reporting.storage'),
    await queryTextValues(owner, "SELECT count(*), sum(size) FROM stored_files WHERE state = 'STORED'"),
  );
  t.same(
    await read(
      `SELECT id, account_id, kind, has_expiry, versions, bytes, grants, shares, open_shares, accesses FROM reporting.documents`,
    ),
    [[documentId, test.owner.id, 'PASSPORT', 't', '2', '1234', '1', '4', '1', '1']],
  );
  t.same(
    await read(
      `SELECT status, has_passcode, id = '${shareId}', code_id FROM reporting.document_shares ORDER BY status`,
    ),
    [
      ['ENDED', 't', 'f', null],
      ['EXPIRED', 't', 'f', null],
      ['OPEN', 't', 't', code],
      ['USED_UP', 't', 'f', null],
    ],
  );
  t.same(
    await read(
      'SELECT id, code_id, status, finder_messages, owner_messages, reports FROM reporting.conversations',
    ),
    [[conversationId, code, 'OPEN', '2', '2', '0']],
  );
  t.same(
    await read('SELECT first_answered_at FROM reporting.conversations'),
    await queryTextValues(owner, "SELECT min(created_at) FROM conversation_messages WHERE sender = 'OWNER'"),
  );
  t.same(
    await read(
      `SELECT event, channel, outcome, reason FROM reporting.notification_deliveries WHERE user_id = '${test.owner.id}' ORDER BY channel`,
    ),
    [
      ['scan.created', 'EMAIL', 'DELIVERED', null],
      ['scan.created', 'PUSH', 'NOT_SENT', 'NO_DEVICE'],
    ],
  );
  const day = "(to_timestamp(('x' || left(id, 8))::bit(32)::bigint) AT TIME ZONE 'UTC')::date";
  const expected = await queryTextValues(
    owner,
    `SELECT ${day} AS day, event, 'IN_APP' AS channel, CASE WHEN read_at IS NOT NULL THEN 'READ' WHEN dismissed_at IS NOT NULL THEN 'DISMISSED' ELSE 'UNREAD' END AS outcome, NULL AS reason, count(*)
     FROM notifications GROUP BY 1, 2, 4
     UNION ALL SELECT ${day}, 'scan.created', channel, status, reason, count(*) FROM notification_deliveries
     GROUP BY 1, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5`,
  );
  t.ok(expected.length > 4);
  for (const zone of ['UTC', 'Asia/Kathmandu', 'America/New_York']) {
    await reader.query(`SET timezone = '${zone}'`);
    t.same(await read('SELECT * FROM reporting.daily_notification_counts ORDER BY 1, 2, 3, 4, 5'), expected);
  }
});

t.test('active owners and first scans equal the trail and the scans, in any time zone', async (t) => {
  const test = await startScans(t);
  const { owner, reader } = await createReportingClients(t, test);
  const other = await test.createUser();
  const codes = [await test.code(), await test.code({}, other), await test.code()];
  await insertScatteredScans(test, codes.slice(0, 2), 200, [ago(80), ago(0)]);
  for (const [hours, user] of [
    [24 * 40, other],
    [24 * 3, other],
    [24 * 3, test.owner],
  ] as const)
    await owner.query(
      `INSERT INTO audit_entries (id, action, severity, resource_type, outcome, operation, request_id, created_at, actor_reference)
       SELECT $1, 'SESSION_REFRESHED', 'LOW', 'SESSION', 'SUCCESS', 'test', 'r', $2, reference FROM audit_actors WHERE user_id = $3`,
      [generateId(ago(hours)), ago(hours), user.id],
    );
  const actors = (period: string) =>
    queryTextValues(
      owner,
      `SELECT date_trunc('${period}', created_at AT TIME ZONE 'UTC')::date AS starts_on, count(DISTINCT actor_reference)
       FROM audit_entries WHERE outcome = 'SUCCESS' AND actor_reference IS NOT NULL GROUP BY 1 ORDER BY 1`,
    );
  const firstScans = async () =>
    queryTextValues(
      owner,
      `SELECT code.id, (min(scanned_at) AT TIME ZONE 'UTC')::date, (min(scanned_at) FILTER (WHERE class = 'HUMAN') AT TIME ZONE 'UTC')::date,
              extract(epoch FROM min(scanned_at)), extract(epoch FROM min(scanned_at) FILTER (WHERE class = 'HUMAN'))
       FROM qr_codes AS code LEFT JOIN scans ON scans.qr_code_id = code.id GROUP BY code.id ORDER BY code.id`,
    );
  const check = async (time: string) => {
    for (const period of ['DAY', 'WEEK', 'MONTH'])
      t.same(
        await queryTextValues(
          reader,
          `SELECT starts_on, owners FROM reporting.active_owners WHERE period = '${period}' AND owners > 0 ORDER BY 1`,
        ),
        await actors(period),
        `${period} ${time}`,
      );
    t.same(
      await queryTextValues(
        reader,
        `SELECT code_id, first_scanned_on, first_human_scanned_on, extract(epoch FROM first_scanned_at), extract(epoch FROM first_human_scanned_at)
         FROM reporting.code_first_scans ORDER BY code_id`,
      ),
      await firstScans(),
      time,
    );
  };
  await check('before the roll-up');
  await rollUpScanCounts(test.database);
  await check('after it');
  await reader.query("SET timezone = 'Asia/Kathmandu'");
  await check('in Kathmandu');
  await owner.query('DELETE FROM scans');
  await owner.query('DELETE FROM scan_dirty_buckets');
  const [first] = await queryTextValues(
    reader,
    `SELECT first_scanned_on IS NOT NULL, first_scanned_at FROM reporting.code_first_scans WHERE code_id = '${codes[0]}'`,
  );
  t.same(first, ['t', null], 'the day stays when scans are removed');
});

t.test('recurring revenue is new, expands, contracts, churns and comes back, by past packages', async (t) => {
  const test = await startScans(t);
  const { owner, reader } = await createReportingClients(t, test);
  const [ada, eve, trial] = [await test.createUser(), await test.createUser(), await test.createUser()];
  const at = (text: string) => new Date(`${text}T12:00:00Z`);
  const price = (interval: string, amount: number) => ({ interval, currency: 'EUR', amount });
  const version = 99;
  await owner.query(
    `INSERT INTO subscription_package_versions (package_id, version, names, prices, limits, features)
     SELECT id, $2, names, $1, limits, features FROM subscription_packages WHERE code = 'FAMILY'`,
    [JSON.stringify([price('month', 600), price('year', 6001)]), version],
  );
  const [business] = await queryTextValues(
    reader,
    "SELECT amount_minor FROM reporting.package_prices WHERE package_code = 'BUSINESS' AND billing_interval = 'month' AND currency = 'EUR'",
  );
  const large = Number(business?.[0]);
  t.ok(large > 600);
  const add = async (userId: string, code: string, from: string, to?: string, isPaid = true) => {
    const state = to ? 'CANCELED' : 'ACTIVE';
    const ended = to ? { endedAt: at(to) } : {};
    const bought = code === 'FAMILY' ? { version } : {};
    const id = await addSubscription(test, userId, code, { state, startedAt: at(from), ...ended, ...bought });
    const invoice = { account_id: userId, subscription_id: id, provider: 'stripe', provider_id: `in_${id}` };
    if (isPaid)
      await insertRow(owner, 'payment_invoices', {
        ...{ ...invoice, state: 'PAID', currency: 'EUR', total: 600, amount_paid: 600 },
        ...{ issued_at: at(from), paid_at: at(from) },
      });
    return id;
  };
  // FAMILY, then BUSINESS on the same day, then nothing, then FAMILY again by the year.
  await add(ada.id, 'FAMILY', '2026-03-01', '2026-03-20');
  await add(ada.id, 'BUSINESS', '2026-03-20', '2026-04-10');
  const yearly = await add(ada.id, 'FAMILY', '2026-06-05');
  await owner.query('UPDATE subscriptions SET "interval" = \'year\' WHERE id = $1', [yearly]);
  await add(eve.id, 'BUSINESS', '2026-04-02', '2026-05-02');
  await add(eve.id, 'FAMILY', '2026-05-02');
  await add(eve.id, 'FAMILY', '2026-01-01', '2026-01-09', false);
  const running = await add(trial.id, 'FAMILY', '2026-03-01', undefined, false);
  await owner.query(
    "UPDATE subscriptions SET state = 'TRIALING', trial_ends_at = now() + interval '1 day' WHERE id = $1",
    [running],
  );

  t.same(
    await queryTextValues(
      reader,
      `SELECT day, account_id, change, previous_package_code, package_code, previous_monthly_minor, monthly_minor
       FROM reporting.recurring_revenue_changes ORDER BY day`,
    ),
    [
      ['2026-03-01', ada.id, 'NEW', null, 'FAMILY', '0', '600'],
      ['2026-03-20', ada.id, 'EXPANSION', 'FAMILY', 'BUSINESS', '600', `${large}`],
      ['2026-04-02', eve.id, 'NEW', null, 'BUSINESS', '0', `${large}`],
      ['2026-04-10', ada.id, 'CHURN', 'BUSINESS', null, `${large}`, '0'],
      ['2026-05-02', eve.id, 'CONTRACTION', 'BUSINESS', 'FAMILY', `${large}`, '600'],
      ['2026-06-05', ada.id, 'REACTIVATION', null, 'FAMILY', '0', '500'],
    ],
  );
  const months = await queryTextValues(
    reader,
    `SELECT month, package_code, new_minor, reactivated_minor, expansion_minor, contraction_minor, churned_minor, transferred_minor,
            mrr_minor, accounts FROM reporting.monthly_recurring_revenue WHERE month < '2026-07-01' ORDER BY month, package_code`,
  );
  const more = large - 600;
  t.same(months, [
    ['2026-03-01', 'BUSINESS', '0', '0', `${more}`, '0', '0', '600', `${large}`, '1'],
    ['2026-03-01', 'FAMILY', '600', '0', '0', '0', '0', '-600', '0', '0'],
    ['2026-04-01', 'BUSINESS', `${large}`, '0', '0', '0', `${large}`, '0', `${large}`, '1'],
    ['2026-04-01', 'FAMILY', '0', '0', '0', '0', '0', '0', '0', '0'],
    ['2026-05-01', 'BUSINESS', '0', '0', '0', `${more}`, '0', '-600', '0', '0'],
    ['2026-05-01', 'FAMILY', '0', '0', '0', '0', '0', '600', '600', '1'],
    ['2026-06-01', 'BUSINESS', '0', '0', '0', '0', '0', '0', '0', '0'],
    ['2026-06-01', 'FAMILY', '0', '500', '0', '0', '0', '0', '1100', '2'],
  ]);
  t.same(
    await queryTextValues(
      reader,
      `SELECT (SELECT sum(mrr_minor) FROM reporting.monthly_recurring_revenue WHERE month = (SELECT max(month) FROM reporting.monthly_recurring_revenue)),
              (SELECT sum(monthly_minor) FROM reporting.paid_subscriptions WHERE ended_on IS NULL)`,
    ),
    [['1100', '1100']],
    'the last month is what runs',
  );
  // Within one subscription: FAMILY for some hours of the trial, and until the second change.
  const kim = await test.createUser();
  const changed = await add(kim.id, 'BUSINESS', '2026-02-01');
  await owner.query("UPDATE subscriptions SET trial_ends_at = '2026-02-08T12:00:00Z' WHERE id = $1", [
    changed,
  ]);
  for (const day of ['2026-02-03', '2026-02-08', '2026-02-20'])
    await owner.query(
      `INSERT INTO subscription_changes (subscription_id, changed_at, package_id, package_version, "interval", currency)
       SELECT $1, $2, id, $3, 'month', 'EUR' FROM subscription_packages WHERE code = 'FAMILY'`,
      [changed, at(day), version],
    );
  t.same(
    await queryTextValues(
      reader,
      `SELECT day, change, package_code, monthly_minor FROM reporting.recurring_revenue_changes
       WHERE account_id = '${kim.id}' ORDER BY day`,
    ),
    [
      ['2026-02-08', 'NEW', 'FAMILY', '600'],
      ['2026-02-20', 'EXPANSION', 'BUSINESS', `${large}`],
    ],
  );
});

t.test('each view has a unique key, shows nothing private and runs on a replica', async (t) => {
  const test = await startScans(t);
  const { owner, reader } = await createReportingClients(t, test);
  const code = await test.code();
  await insertScatteredScans(test, [code, await test.code({}, await test.createUser())], 100, [
    ago(80),
    ago(0),
  ]);
  await insertRecords(owner, test.owner.id, code);
  await addSubscription(test, test.owner.id, 'FAMILY', { startedAt: ago(900) });
  await addSubscription(test, test.owner.id, 'BUSINESS', { startedAt: ago(90) });
  const { rows: views } = await owner.query<{ name: string; definition: string }>(
    "SELECT viewname AS name, definition FROM pg_views WHERE schemaname = 'reporting' ORDER BY viewname",
  );
  t.same(
    views.map(({ name }) => name),
    Object.keys(REPORTING_VIEW_KEYS).sort(),
  );
  const { rows: volatile } = await owner.query<{ name: string }>(
    `SELECT DISTINCT proname AS name FROM pg_proc WHERE provolatile = 'v' AND pronamespace = 'pg_catalog'::regnamespace
     UNION SELECT proname FROM pg_proc WHERE proname LIKE '%advisory%'`,
  );
  t.ok(
    volatile.some(({ name }) => name === 'nextval') &&
      volatile.some(({ name }) => name === 'pg_advisory_lock'),
  );
  const writes = new RegExp(`(?<![\\w.])(?:${volatile.map(({ name }) => name).join('|')})\\(`);
  await reader.query('BEGIN READ ONLY');
  for (const { name, definition } of views) {
    t.notMatch(definition, writes, `${name} calls no volatile function`);
    const all = await queryTextValues(reader, `SELECT * FROM reporting.${name}`);
    t.notMatch(JSON.stringify(all), /xqx|7871787365637265|2031-07-19|@/i, name);
    const key = REPORTING_VIEW_KEYS[name] ?? [];
    const rows =
      key.length === 0
        ? `SELECT count(*) FROM reporting.${name} HAVING count(*) > 1`
        : `SELECT ${key} FROM reporting.${name} ${key.length === 1 ? `WHERE ${key} IS NOT NULL` : ''} GROUP BY ${key} HAVING count(*) > 1`;
    t.same(await queryTextValues(reader, rows), [], `${name}: (${key}) is unique`);
    if (key.length === 1 && !NULLABLE_REPORTING_KEY_COLUMNS.has(`${name}.${key}`))
      t.notOk(
        (await queryTextValues(reader, `SELECT FROM reporting.${name} WHERE ${key} IS NULL`)).length,
        `${name}.${key} is never null`,
      );
  }
  await reader.query('COMMIT');
});

interface PlanNode {
  'Relation Name'?: string;
  'Node Type': string;
  'Index Cond'?: string;
  Plans?: PlanNode[];
}

/** Tables that grow with the number of owners. */
const LARGE_TABLES = new Set(
  `audit_entries conversation_messages conversations document_accesses document_grants document_shares document_versions
   documents notification_deliveries notifications pictures stored_files subscriptions`.split(/\s+/),
);

function listUnboundedScans(node: PlanNode): string[] {
  const { 'Relation Name': table = '', 'Node Type': type, 'Index Cond': condition, Plans: plans = [] } = node;
  const isBounded = condition !== undefined || type === 'Bitmap Heap Scan' || !LARGE_TABLES.has(table);
  // The first row of an index is where the series of days begins.
  const children = type === 'Limit' ? [] : plans;
  return [...(isBounded ? [] : [`${type} on ${table}`]), ...children.flatMap(listUnboundedScans)];
}

t.test('a condition on an owner or a time is answered by indexes', async (t) => {
  const test = await startScans(t);
  const { owner, reader } = await createReportingClients(t, test);
  await insertRecords(owner, test.owner.id, await test.code());
  // Small tables would be read as a whole.
  await reader.query('SET enable_seqscan = off');
  for (const [view, condition] of [
    ['storage', `account_id = '${test.owner.id}'`],
    ['documents', `account_id = '${test.owner.id}'`],
    ['document_shares', `account_id = '${test.owner.id}'`],
    ['conversations', `account_id = '${test.owner.id}'`],
    ['notification_deliveries', `user_id = '${test.owner.id}'`],
    ['notification_deliveries', "id >= reporting.scan_id_at(now() - interval '1 day')"],
    ['daily_notification_counts', 'day >= current_date - 7'],
    ['active_owners', "period = 'WEEK' AND starts_on >= current_date - 70"],
    ['paid_subscriptions', `account_id = '${test.owner.id}'`],
    ['recurring_revenue_changes', `account_id = '${test.owner.id}'`],
  ] as const) {
    const { rows } = await reader.query(
      `EXPLAIN (FORMAT JSON) SELECT * FROM reporting.${view} WHERE ${condition}`,
    );
    t.same(listUnboundedScans(rows[0]['QUERY PLAN'][0].Plan), [], `${view} where ${condition}`);
  }
});

t.test('jobs are shown with the name of their error, and without their payloads', async (t) => {
  const test = await startScans(t);
  const { owner, reader } = await createReportingClients(t, test);
  await test.services.jobs.stop();
  await owner.query('DELETE FROM pgboss.job');
  const log = { error() {} };
  const jobs = createJobScheduler(test.database, log);
  const queue = JOB_QUEUES.find(({ retryLimit }) => retryLimit > 1);
  if (!queue) throw new Error('every queue tries once');
  jobs.work(queue, async () => {
    throw new RangeError('Xqxmessage');
  });
  t.teardown(() => jobs.stop());
  const read = () =>
    queryTextValues(reader, 'SELECT queue, status, failures, error, finished_at FROM reporting.jobs');
  await test.database.transaction((tx) => jobs.enqueue(tx, queue, { id: 'Xqxpayload' }));
  t.same(await read(), [[queue.name, 'WAITING', '0', null, null]]);
  await jobs.start();
  jobs.wake(queue);
  await retryUntilSuccess(async () => {
    const [[, status, failures, error] = []] = await read();
    if (status !== 'WAITING' || failures !== '1' || error !== 'RangeError') throw new Error('not yet');
  });
  t.notMatch(JSON.stringify(await queryTextValues(reader, 'SELECT * FROM reporting.jobs')), /xqx/i);
  await t.rejects(reader.query('SELECT 1 FROM pgboss.job'), /permission denied/);
});

t.test('the views for operations equal the tables, without texts, addresses and secrets', async (t) => {
  const test = await startScans(t);
  const { owner, reader } = await createReportingClients(t, test);
  const accountId = test.owner.id;
  const code = await test.code({ kind: 'MEDICAL', data: { name: 'Xqxada' } });
  const read = (sql: string) => queryTextValues(reader, sql);
  const secret = Buffer.from('xqxsecret');

  const keys = {
    account_id: accountId,
    created_by: accountId,
    name: 'Xqxname',
    token_prefix: 'xqxprefix',
    scopes: ['scans:read'],
  };
  for (const [hash, row] of [
    ['a', {}],
    ['b', { expires_at: ago(1), allowed_networks: ['203.0.113.0/24'] }],
    ['c', { revoked_at: ago(1) }],
    ['d', { created_by: (await test.createUser()).id }],
  ] as const)
    await insertRow(owner, 'api_keys', { ...keys, token_hash: Buffer.alloc(32, hash), ...row });
  t.same(
    await read('SELECT account_id, scopes, has_networks, status FROM reporting.api_keys ORDER BY status'),
    [
      [accountId, '{scans:read}', 'f', 'ACTIVE'],
      [accountId, '{scans:read}', 't', 'EXPIRED'],
      [accountId, '{scans:read}', 'f', 'REVOKED'],
      [accountId, '{scans:read}', 'f', 'STOPPED'],
    ],
  );

  await insertRow(owner, 'imports', {
    ...{
      account_id: accountId,
      format: 'csv',
      status: 'FAILED',
      size: 70,
      bytes_read: 40,
      created: 2,
      failed: 1,
    },
    ...{
      error: '{"code":"BAD_FORMAT","message":"Xqxmessage","row":4}',
      finished_at: ago(1),
      expires_at: ago(-1),
    },
    request_id: 'r',
  });
  t.same(await read('SELECT status, bytes, bytes_read, created, failed, error_code FROM reporting.imports'), [
    ['FAILED', '70', '40', '2', '1', 'BAD_FORMAT'],
  ]);

  const endpointId = await insertRow(owner, 'webhook_endpoints', {
    ...{
      account_id: accountId,
      url: secret,
      secrets: secret,
      event_types: ['scan.*'],
      description: 'Xqxhook',
    },
    ...{ disabled_at: ago(1), disabled_reason: 'GONE' },
  });
  await owner.query(
    `INSERT INTO webhook_deliveries (account_id, endpoint_id, event_id, event_type, event_data, event_at, status, attempts, failures, next_attempt_at)
     VALUES ($1, $2, $3, 'scan.created', '{}', now(), 'FAILED', $4, 2, NULL)`,
    [accountId, endpointId, generateId(), '[{"error":"TIMEOUT"},{"statusCode":500,"error":"STATUS"}]'],
  );
  t.same(
    await read(
      'SELECT id, event_types, is_verified, enabled, disabled_reason FROM reporting.webhook_endpoints',
    ),
    [[endpointId, '{scan.*}', 't', 'f', 'GONE']],
  );
  t.same(
    await read(
      'SELECT endpoint_id, event_type, status, failures, attempts, last_status_code, last_error FROM reporting.webhook_deliveries',
    ),
    [[endpointId, 'scan.created', 'FAILED', '2', '2', '500', 'STATUS']],
  );

  const report = {
    qr_code_id: code,
    account_id: accountId,
    network_hash: Buffer.alloc(32, 'x'),
    note: secret,
  };
  await insertRow(owner, 'qr_code_reports', { ...report, category: 'FRAUD', count: 3 });
  t.same(await read('SELECT code_id, account_id, category, reports, decision FROM reporting.code_reports'), [
    [code, accountId, 'FRAUD', '3', null],
  ]);
  const takedown = { qr_code_id: code, account_id: accountId, category: 'FRAUD', reason: secret };
  const takedownId = await insertRow(owner, 'qr_code_takedowns', takedown);
  await insertRow(owner, 'qr_code_appeals', {
    takedown_id: takedownId,
    account_id: accountId,
    message: secret,
  });
  t.same(await read('SELECT id, code_id, appeals, open_appeals, ended_at FROM reporting.code_takedowns'), [
    [takedownId, code, '1', '1', null],
  ]);
  t.same(
    await read('SELECT template, status, attempts FROM reporting.mails ORDER BY id'),
    await queryTextValues(owner, 'SELECT template, status, attempts FROM outgoing_mails ORDER BY id'),
  );

  const body = { email: test.owner.email, password: 'a wrong password' };
  await test.call('POST', '/api/auth/login', { body });
  t.same(
    await read(
      "SELECT action, outcome, attempts FROM reporting.daily_login_counts WHERE action = 'LOGIN_FAILED'",
    ),
    [['LOGIN_FAILED', 'DENIED', '1']],
  );
  await test.call('GET', `/api/qrcodes/${code}`, { token: test.owner.accessToken });
  const readMedicalReads = () =>
    read(
      'SELECT action, reader_reference, account_id, code_id, document_id FROM reporting.medical_reads ORDER BY action',
    );
  t.same(await readMedicalReads(), [], 'what owners read themselves is not there');
  const addDocument = (kind: string) =>
    insertRow(owner, 'documents', { account_id: accountId, title: 'Xqxdocument', kind });
  const [health, passport] = [await addDocument('HEALTH'), await addDocument('PASSPORT')];
  const stranger = await test.createUser();
  const { rows } = await owner.query('SELECT reference FROM audit_actors WHERE user_id = $1', [stranger.id]);
  const addRead = (action: string, type: string, resourceId: string) =>
    owner.query(
      `INSERT INTO audit_entries (id, action, severity, resource_type, resource_id, outcome, operation, request_id, actor_reference, subject_reference)
       VALUES ($1, $2, 'HIGH', $3, $4, 'SUCCESS', 'test', 'r', $5, audit_subject($3, $4))`,
      [generateId(), action, type, resourceId, rows[0].reference],
    );
  await addRead('BREAK_GLASS_QRCODE_READ', 'QRCODE', code);
  await addRead('BREAK_GLASS_QRCODE_READ', 'QRCODE', await test.code());
  for (const id of [health, passport]) await addRead('GRANTED_DOCUMENT_READ', 'DOCUMENT', id);
  t.same(await readMedicalReads(), [
    ['BREAK_GLASS_QRCODE_READ', rows[0].reference, accountId, code, null],
    ['GRANTED_DOCUMENT_READ', rows[0].reference, accountId, null, health],
  ]);

  for (const view of [
    'api_keys',
    'imports',
    'webhook_endpoints',
    'webhook_deliveries',
    'code_reports',
    'mails',
  ])
    t.notMatch(JSON.stringify(await read(`SELECT * FROM reporting.${view}`)), /xqx|78717873/i, view);
});
