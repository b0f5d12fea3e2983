import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../../src/start/find-free-port.ts';
import { startSmtpSink } from '../providers/mail/smtp-sink.ts';
import { createPreparedDataFolder, retryUntilSuccess, runQuery } from '../scratch-folder.ts';
import { t } from '../tap.ts';
import { startService, startWorker } from './service-process.ts';

/** Longer than the wait for the job of a killed worker. */
const AGAIN = 60_000;

t.test('a worker requeues its job on SIGTERM, and jobs of a killed worker run again', async (t) => {
  const dataDir = await createPreparedDataFolder(t);
  /** Response of the mail server to a mail: delayed, none, or immediate. */
  let manner: 'slow' | 'silent' | 'quick' = 'slow';
  const arrived: string[] = [];
  const sink = await startSmtpSink({
    onData(stream, _session, callback) {
      let text = '';
      stream.on('data', (chunk) => {
        text += chunk;
      });
      stream.on('end', async () => {
        arrived.push(/^Message-ID: (.*)$/im.exec(text)?.[1] ?? '');
        if (manner === 'slow') await sleep(1_000);
        if (manner !== 'silent') callback();
      });
    },
  });
  t.teardown(() => sink.close());
  const environment = { SMTP_URL: sink.url, WORKER: 'separate' };
  const service = startService(t, { dataDir, port: await findFreePort(), environment });
  await service.ready();
  t.match(service.output(), /run by npm run worker/);
  const database = (await readFile(join(dataDir, 'database-url'), 'utf8')).trim();
  const jobs = () =>
    runQuery(
      database,
      "SELECT state, retry_count, start_after <= now() AS is_due FROM pgboss.job WHERE name = 'mail' ORDER BY created_on",
    );
  const register = async (email: string) => {
    const body = JSON.stringify({ email, password: 'a lighthouse for lost dogs' });
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${service.base}/api/auth/register`, { method: 'POST', headers, body });
    t.equal(answer.status, 201);
  };
  const mails = (count: number, limit?: number) =>
    retryUntilSuccess(async () => {
      if (arrived.length < count) throw new Error(`${arrived.length} mails of ${count}`);
    }, limit);

  await register('ada@example.org');
  await sleep(300);
  t.match(await jobs(), [{ state: 'created' }], 'the service does none itself');
  const first = startWorker(t, dataDir, environment);
  await mails(1);
  t.equal(await first.end('SIGTERM'), 0, first.output());
  t.match(await jobs(), [{ state: 'completed' }], 'what can be finished is');

  manner = 'silent';
  await register('eva@example.org');
  const second = startWorker(t, dataDir, environment);
  await mails(2);
  t.equal(await second.end('SIGTERM'), 0, second.output());
  t.match((await jobs())[1], { state: 'retry', retry_count: 0, is_due: true });
  t.notMatch(second.output(), /not closed in time/);

  const third = startWorker(t, dataDir, environment);
  await mails(3);
  await third.end('SIGKILL');
  t.match((await jobs())[1], { state: 'active' });
  manner = 'quick';
  const fourth = startWorker(t, dataDir, environment);
  await mails(4, AGAIN);
  await retryUntilSuccess(async () => {
    if ((await jobs())[1]?.state !== 'completed') throw new Error('not done');
  });
  t.equal(new Set(arrived.slice(1)).size, 1, 'one Message-ID, however often');
  t.not(arrived[0], arrived[1]);
  t.equal(await fourth.end('SIGINT'), 0);
  t.equal(await service.end('SIGTERM'), 0);
});
