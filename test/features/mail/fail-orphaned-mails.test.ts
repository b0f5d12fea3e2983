import type { Test } from 'tap';
import { logFailedJobCounts } from '../../../src/features/administration/log-failed-jobs.ts';
import { failOrphanedMails } from '../../../src/features/mail/fail-orphaned-mails.ts';
import { startTestApp } from '../../helper.ts';
import { t } from '../../tap.ts';

/** Start the application without workers, with mails to send. */
async function startAppWithMails(t: Test, ...addresses: string[]) {
  const { services, database } = await startTestApp(t);
  await services.jobs.stop();
  for (const to of addresses) {
    await database.transaction((tx) =>
      services.mailOutbox.enqueue(tx, { template: 'PASSWORD_CHANGED', to, values: {} }),
    );
  }
  const rows = () =>
    database.client.outgoingMail.findMany({ orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] });
  const ids = (await rows()).map(({ id }) => id);
  const setJob = (id: string | undefined, state: string) =>
    database.pool.query("UPDATE pgboss.job SET state = $2::pgboss.job_state WHERE data->>'mailId' = $1", [
      id,
      state,
    ]);
  const lines: object[] = [];
  const log = { error: (details: object, message: string) => lines.push({ ...details, message }) };
  return { database, ids, lines, rows, setJob, services: { ...services, database, log } };
}

/** The state of failed jobs and their mails after the clean-up. */
async function cleanUp(services: Awaited<ReturnType<typeof startAppWithMails>>['services']): Promise<void> {
  await failOrphanedMails(services);
  await logFailedJobCounts(services);
}

t.test(
  'fails mails without a job and logs them; mails with a failed job wait for an administrator',
  async (t) => {
    const addresses = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `${name}@example.org`);
    const { database, ids, lines, rows, setJob, services } = await startAppWithMails(t, ...addresses);
    const states = ['failed', 'created', 'retry', 'active'];
    for (const [index, state] of states.entries()) await setJob(ids[index], state);
    await database.pool.query("DELETE FROM pgboss.job WHERE data->>'mailId' = ANY($1)", [ids.slice(4)]);
    await cleanUp(services);
    const found = await rows();
    t.same(
      found.map(({ status }) => status),
      ['WAITING', 'WAITING', 'WAITING', 'WAITING', 'FAILED', 'FAILED'],
    );
    for (const row of found.slice(4)) t.match(row, { reason: 'WORKER_LOST', content: null });
    t.ok(found[0]?.content, 'it can still be sent');
    t.ok(found[1]?.content, 'what somebody still sends is left alone');
    const dead = { queues: { mail: 1 }, message: /failed for good; GET \/api\/admin\/jobs\/failed/ };
    t.match(lines, [{ count: 2, mails: ids.slice(4).sort() }, dead]);
    t.equal(lines.length, 2);
    t.notMatch(JSON.stringify(lines), /example\.org|password/);
    await cleanUp(services);
    t.equal(lines.length, 3, 'once, but for what is dead');
  },
);

t.test('logs nothing without orphaned mails and keeps sent mails', async (t) => {
  const { database, ids, lines, rows, setJob, services } = await startAppWithMails(t, 'a@example.org');
  await database.pool.query(
    "UPDATE outgoing_mails SET status = 'SENT', content = NULL, recipient_hash = NULL, sent_at = now()",
  );
  await setJob(ids[0], 'completed');
  t.equal(await failOrphanedMails(services), 0);
  t.match(await rows(), [{ status: 'SENT', reason: null }]);
  t.same(lines, []);
});

t.test('fails more orphaned mails than one batch', async (t) => {
  const { database, lines, services } = await startAppWithMails(t, 'a@example.org');
  await database.pool.query(`
    INSERT INTO outgoing_mails (id, template, content)
    SELECT lpad(to_hex(number), 24, '0'), 'OTP', '\\x00' FROM generate_series(1, 1100) AS number`);
  t.equal(await failOrphanedMails(services), 1_100);
  t.equal(await database.client.outgoingMail.count({ where: { status: 'WAITING' } }), 1);
  t.equal(lines.length, 1);
  t.match(lines, [{ count: 1_100, mails: { length: 20 } }]);
});
