import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '../../src/start/find-free-port.ts';
import { createTestGate } from '../gate.ts';
import { startSmtpSink } from '../providers/mail/smtp-sink.ts';
import { createPreparedDataFolder, retryUntilSuccess, runQuery } from '../scratch-folder.ts';
import { t } from '../tap.ts';
import { startService, startWorker } from './service-process.ts';

t.test('a worker requeues its job on SIGTERM, and jobs of a killed worker run again', async (t) => {
  const dataDir = await createPreparedDataFolder(t);
  const stopping = createTestGate();
  let isSilent = true;
  const arrived: { to: string; messageId: string }[] = [];
  const sink = await startSmtpSink({
    onData(stream, { envelope }, callback) {
      let text = '';
      stream.on('data', (chunk) => {
        text += chunk;
      });
      stream.on('end', async () => {
        const to = envelope.rcptTo[0]?.address ?? '';
        arrived.push({ to, messageId: /^Message-ID: (.*)$/im.exec(text)?.[1] ?? '' });
        if (to === 'ada@example.org') await stopping.whenOpened;
        else if (isSilent) return;
        callback();
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
  const mails = (count: number) =>
    retryUntilSuccess(async () => {
      if (arrived.length < count) throw new Error(`${arrived.length} mails of ${count}`);
    });

  await register('ada@example.org');
  await register('eva@example.org');
  await sleep(300);
  t.match(await jobs(), [{ state: 'created' }, { state: 'created' }], 'the service does none itself');
  const first = startWorker(t, dataDir, environment);
  await mails(2);
  const ended = first.end('SIGTERM');
  await retryUntilSuccess(async () => {
    if (!first.output().includes('stopping: SIGTERM')) throw new Error(first.output());
  });
  stopping.open();
  t.equal(await ended, 0, first.output());
  t.match(
    await jobs(),
    [{ state: 'completed' }, { state: 'retry', retry_count: 0, is_due: true }],
    'what can be finished is',
  );
  t.notMatch(first.output(), /not closed in time/);

  const second = startWorker(t, dataDir, environment);
  await mails(3);
  await second.end('SIGKILL');
  t.match((await jobs())[1], { state: 'active' });
  isSilent = false;
  const third = startWorker(t, dataDir, environment);
  await mails(4);
  await retryUntilSuccess(async () => {
    if ((await jobs())[1]?.state !== 'completed') throw new Error('not done');
  });
  t.same(arrived.map(({ to }) => to).sort(), [
    'ada@example.org',
    'eva@example.org',
    'eva@example.org',
    'eva@example.org',
  ]);
  t.equal(new Set(arrived.map(({ messageId }) => messageId)).size, 2, 'one Message-ID, however often');
  t.equal(await third.end('SIGINT'), 0);
  t.equal(await service.end('SIGTERM'), 0);
});
