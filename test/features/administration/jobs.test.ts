import { randomUUID } from 'node:crypto';
import { createCleanUpJob } from '../../../src/platform/clean-up.job.ts';
import { startTestApp, type TestApp } from '../../helper.ts';
import { t } from '../../tap.ts';
import { captureAuditEntries } from '../audit-trail-helper.ts';

const FAILED_JOBS_URL = '/api/admin/jobs/failed';

/** Start with idle workers and log in as administrator. */
async function startAsAdministrator(t: import('tap').Test) {
  const test = await startTestApp(t);
  const root = await test.createUser({ email: 'root@example.org', role: 'ADMIN' });
  await test.services.jobs.stop();
  const ask = (method: string, url: string) => test.call(method, url, { token: root.accessToken });
  const queue = async (name: string) =>
    (await ask('GET', '/api/admin/jobs')).body.data.find((row: { queue: string }) => row.queue === name);
  return { test, ask, queue };
}

async function insertFailedJob({ database }: TestApp, name: string, more: Record<string, unknown> = {}) {
  const row = { data: { exportId: 'canary' }, output: { name: 'ECONNREFUSED' }, key: null, ...more };
  const { rows } = await database.pool.query<{ id: string }>(
    `INSERT INTO pgboss.job (name, data, state, retry_limit, retry_count, started_on, completed_on, keep_until, output, singleton_key)
     VALUES ($1, $2, 'failed', 3, 3, now() - interval '9 days', now() - interval '9 days', now() - interval '1 day', $3, $4)
     RETURNING id`,
    [name, row.data, row.output, row.key],
  );
  return rows[0]?.id ?? '';
}

const stateOf = async ({ database }: TestApp, id: string) =>
  (await database.pool.query('SELECT * FROM pgboss.job WHERE id = $1', [id])).rows[0];

t.test('a failed job is listed without its content, and can be retried or dismissed', async (t) => {
  const { test, ask, queue } = await startAsAdministrator(t);
  const one = await insertFailedJob(test, 'export-data');
  const lost = await insertFailedJob(test, 'mail', {
    output: { value: { message: 'job failed by timeout in active state' } },
  });
  const list = await ask('GET', `${FAILED_JOBS_URL}?limit=100`);
  t.equal(list.status, 200, list.text);
  t.notMatch(list.text, 'canary');
  t.same(list.body.pagination.total, 2);
  const about = (id: string) => list.body.data.find((row: { id: string }) => row.id === id);
  t.match(about(one), { queue: 'export-data', attempts: 4, reason: 'ECONNREFUSED' });
  t.match(about(lost), { queue: 'mail', reason: 'WORKER_LOST' });
  t.match(await queue('export-data'), { waiting: 0, running: 0, retrying: 0, failed: 1, waitingSince: null });

  const trail = await captureAuditEntries(test, () => ask('POST', `${FAILED_JOBS_URL}/${one}/retry`));
  t.match(trail, [{ action: 'JOB_RETRIED', severity: 'HIGH', resourceId: one, changes: ['export-data'] }]);
  const row = await stateOf(test, one);
  t.match(row, { state: 'retry', retry_count: 3, retry_limit: 4, completed_on: null, output: null });
  t.ok(row.keep_until > new Date(), 'a waiting job is not deleted');
  const now = await queue('export-data');
  t.match(now, { retrying: 1, failed: 0 });
  t.ok(now.waitingSince, 'the queue shows since when the job waits');
  t.match(await ask('POST', `${FAILED_JOBS_URL}/${one}/retry`), {
    status: 409,
    body: { code: 'JOB_NOT_FAILED' },
  });
  t.match(await ask('DELETE', `${FAILED_JOBS_URL}/${one}`), { status: 409 });

  const gone = await captureAuditEntries(test, async () => {
    t.match(await ask('DELETE', `${FAILED_JOBS_URL}/${lost}`), {
      status: 200,
      body: { id: lost, queue: 'mail' },
    });
  });
  t.match(gone, [{ action: 'JOB_DISMISSED', resourceId: lost }]);
  t.equal((await ask('DELETE', `${FAILED_JOBS_URL}/${lost}`)).status, 404);
  for (const id of [randomUUID(), 'no-uuid', `${one}'`])
    t.equal((await ask('POST', `${FAILED_JOBS_URL}/${encodeURIComponent(id)}/retry`)).status, 404);
});

t.test('50 parallel retries requeue a failed job once', async (t) => {
  const { test, ask } = await startAsAdministrator(t);
  const id = await insertFailedJob(test, 'clean-up', { data: {} });
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => ask('POST', `${FAILED_JOBS_URL}/${id}/retry`)),
  );
  const statuses = answers.map(({ status }) => status).sort();
  t.same(statuses, [200, ...Array.from({ length: 49 }, () => 409)]);
  t.match(await stateOf(test, id), { retry_limit: 4 });
});

t.test('clean-up keeps all failed jobs, but only the last one of a recurring job', async (t) => {
  const { test, ask } = await startAsAdministrator(t);
  for (let number = 0; number < 5; number++)
    await insertFailedJob(test, 'roll-up', { key: 'repeat', data: {} });
  await insertFailedJob(test, 'clean-up', { key: 'repeat', data: {} });
  for (let number = 0; number < 2; number++) await insertFailedJob(test, 'export-data');
  await createCleanUpJob(test.services)({});
  const { body } = await ask('GET', `${FAILED_JOBS_URL}?limit=100`);
  const queues = body.data.map((row: { queue: string }) => row.queue).sort();
  t.same(queues, ['clean-up', 'export-data', 'export-data', 'roll-up']);
  t.ok(test.serviceLog.some((line) => line.includes('GET /api/admin/jobs/failed')));
});
