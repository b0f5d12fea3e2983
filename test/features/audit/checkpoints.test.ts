import { appendFile, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Test } from 'tap';
import { createAuditSealer } from '../../../src/features/audit/audit-sealer.ts';
import { createAuditCheckpointWriter } from '../../../src/features/audit/write-checkpoints.ts';
import { createHttpAuditCheckpointSender } from '../../../src/providers/checkpoints/http-checkpoint-sender.ts';
import { startTestApp } from '../../helper.ts';
import { t } from '../../tap.ts';
import { createSealedTrail, createTestLog, runAsSchemaOwner, verifyAppTrail, waitUntil } from './helper.ts';

t.test('a truncated or unsigned end of the trail gets no checkpoint', async (t) => {
  const app = await startTestApp(t);
  const notified = createTestLog();
  const start = () => {
    const sealer = createAuditSealer({ ...app.services.audit, log: notified });
    sealer.start();
    return sealer;
  };
  await createSealedTrail(app, [4, 4]);
  const sealer = start();
  await waitUntil(async () => (await app.services.audit.checkpointFile.readLines()).length === 1);
  await runAsSchemaOwner(app, async (client) => {
    await client.query('ALTER TABLE audit_seals DISABLE TRIGGER USER');
    await client.query('ALTER TABLE audit_seal_batches DISABLE TRIGGER USER');
    await client.query('DELETE FROM audit_seals WHERE sequence > 4');
    await client.query('DELETE FROM audit_seal_batches WHERE last_sequence > 4');
  });
  await sealer.stop();
  t.same(notified.lines, ['audit: checkpoints failed and will be retried']);
  t.match(await verifyAppTrail(app), { finding: { kind: 'CUT_OFF', sequence: 5, through: 8 } });
  await runAsSchemaOwner(app, (client) =>
    client.query(`UPDATE audit_seal_batches SET signature = decode(repeat('01', 64), 'hex')`),
  );
  await start().stop();
  t.equal((await app.services.audit.checkpointFile.readLines()).length, 1, 'nothing more was signed');
});

t.test('a trail that was truncated and continued contradicts the checkpoints', async (t) => {
  const app = await startTestApp(t);
  await createSealedTrail(app, [4]);
  await app.services.sealer.start();
  await app.services.sealer.stop();
  await createSealedTrail(app, [4]);
  await app.services.sealer.start();
  await app.services.sealer.stop();
  await runAsSchemaOwner(app, async (client) => {
    for (const table of ['audit_entries', 'audit_seals', 'audit_seal_batches'])
      await client.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
    await client.query('DELETE FROM audit_origins');
    await client.query(
      'DELETE FROM audit_entries WHERE id IN (SELECT entry_id FROM audit_seals WHERE sequence > 4)',
    );
    await client.query('DELETE FROM audit_seals WHERE sequence > 4');
    await client.query('DELETE FROM audit_seal_batches WHERE last_sequence > 4');
    await client.query('ALTER TABLE audit_entries ENABLE TRIGGER USER');
  });
  await createSealedTrail(app, [9]);
  t.match(await verifyAppTrail(app), { finding: { kind: 'OLDER_DATABASE', sequence: 5, through: 8 } });
});

t.test(
  'a checkpoint beyond the end is reported, as an older copy if the server had fewer transactions',
  async (t) => {
    const app = await startTestApp(t);
    await createSealedTrail(app, [2]);
    const { audit } = app.services;
    const { rows } = await app.database.pool.query(
      `SELECT (SELECT oid FROM pg_database WHERE datname = current_database()) || '.' || 'audit_seals'::regclass::oid AS name`,
    );
    const ahead = (sequence: number, transaction: string) =>
      audit.checkpointFile.append(
        JSON.stringify(
          audit.signer.signCheckpoint({
            ...{ sequence, sealHash: '00'.repeat(32), entries: sequence, at: '2026-11-21T00:00:00.000Z' },
            database: rows[0].name,
            transaction,
          }),
        ),
      );
    await ahead(9, '3');
    t.match(await verifyAppTrail(app), { finding: { kind: 'CUT_OFF', sequence: 3 } });
    await appendFile(join(app.dataDir, 'audit-checkpoints.jsonl'), 'x');
    await ahead(10, '99999999999');
    const result = await verifyAppTrail(app);
    t.match(result, { finding: { kind: 'OLDER_DATABASE' } });
    t.match(result, { unreadableLines: 1, checkpoints: 2 }, 'half a line hides no other checkpoint');
  },
);

t.test('an altered checkpoint is reported', async (t) => {
  const app = await startTestApp(t);
  await createSealedTrail(app, [2]);
  await app.services.sealer.start();
  await app.services.sealer.stop();
  const path = join(app.dataDir, 'audit-checkpoints.jsonl');
  const line = JSON.parse(await readFile(path, 'utf8'));
  await appendFile(path, `${JSON.stringify({ ...line, entries: 1 })}\n`);
  t.match(await verifyAppTrail(app), { finding: { kind: 'SIGNATURE', sequence: 2 } });
});

t.test('checkpoints are sent to a URL, and again after a failure', async (t) => {
  const app = await startTestApp(t);
  const target = await listen(t);
  const notified = createTestLog();
  const sendCheckpoint = createHttpAuditCheckpointSender(target.url);
  const sealOnce = async () => {
    const sealer = createAuditSealer({ ...app.services.audit, sendCheckpoint, log: notified });
    sealer.start();
    await sealer.stop();
  };
  await createSealedTrail(app, [2]);
  for (const status of [500, 302]) {
    target.status = status;
    await sealOnce();
  }
  t.same(
    notified.lines,
    Array(2).fill('audit: AUDIT_CHECKPOINT_URL rejected a checkpoint'),
    'a redirect is not followed',
  );
  target.status = 204;
  await sealOnce();
  t.ok(target.bodies.length > 2);
  t.match(JSON.parse(target.bodies.at(-1) ?? ''), { sequence: 2, signature: /^[0-9a-f]{128}$/ });
  t.match(await verifyAppTrail(app), { valid: true });
});

t.test('a slow checkpoint server gets one checkpoint at a time, and the newest afterwards', async (t) => {
  const app = await startTestApp(t);
  const sent: number[] = [];
  const answers: ((error?: Error) => void)[] = [];
  const sendCheckpoint = (line: string) =>
    new Promise<void>((resolve, reject) => {
      sent.push(JSON.parse(line).sequence);
      answers.push((error) => (error ? reject(error) : resolve()));
    });
  const notified = createTestLog();
  const writer = createAuditCheckpointWriter({ ...app.services.audit, sendCheckpoint, log: notified });
  const writeNext = async () => {
    await createSealedTrail(app, [1]);
    await writer.write();
  };
  for (let index = 0; index < 4; index += 1) await writeNext();
  t.equal((await app.services.audit.checkpointFile.readLines()).length, 4, 'the file does not wait');
  t.same(sent, [1], 'no queue of checkpoints');
  answers[0]?.();
  await waitUntil(() => Promise.resolve(sent.length === 2));
  t.same(sent, [1, 4]);
  await writeNext();
  answers[1]?.(new Error('timeout'));
  await writer.waitUntilSent();
  t.same(sent, [1, 4], 'a server that fails is left alone until the next checkpoint');
  t.same(notified.lines, ['audit: AUDIT_CHECKPOINT_URL rejected a checkpoint']);
  await writer.write();
  answers[2]?.();
  await writer.waitUntilSent();
  await writer.write();
  t.same(sent, [1, 4, 5]);
});

t.test('a checkpoint server that accepts and never answers is given up', async (t) => {
  const target = await listen(t);
  target.isSilent = true;
  await t.rejects(createHttpAuditCheckpointSender(target.url, 300)('{}'), { message: 'timeout' });
  t.equal(target.bodies.length, 1);
});

async function listen(t: Test) {
  const target = { status: 204, isSilent: false, bodies: [] as string[], url: '' };
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    target.bodies.push(body);
    if (target.isSilent) return;
    response.writeHead(target.status, { location: '/elsewhere' }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  target.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/checkpoints`;
  return target;
}
