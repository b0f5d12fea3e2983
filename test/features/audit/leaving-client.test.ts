import { get } from 'node:http';
import { createTestGate } from '../../gate.ts';
import { startTestApp } from '../../helper.ts';
import { getPort } from '../../platform/http/helper.ts';
import { t } from '../../tap.ts';
import { createSealedTrail, waitUntil } from './helper.ts';

t.test(
  'a client that disconnects from a long audit request causes no error and blocks no other client',
  async (t) => {
    const test = await startTestApp(t);
    const { app, call, database, log, services } = test;
    const root = await test.createUser({ role: 'ADMIN' });
    const token = root.accessToken;
    await createSealedTrail(test, [500, 500]);
    await app.listen({ port: 0, host: '127.0.0.1' });
    const port = getPort(app);
    const ask = (path: string) => {
      const headers = { authorization: `Bearer ${token}` };
      const request = get({ port, host: '127.0.0.1', path: `/api/admin/audit-logs/${path}`, headers });
      request.on('error', () => {});
      return request;
    };
    const nobody = () =>
      waitUntil(() => new Promise((done) => app.server.getConnections((_, count) => done(count === 0))));
    const atRest = () => waitUntil(() => database.pool.idleCount === database.pool.totalCount);
    const faults = () => log.filter((line) => JSON.parse(line).level >= 50);

    await t.test('during verification', async (t) => {
      const { checkpointFile } = services.audit;
      const { readLines } = checkpointFile;
      for (let time = 0; time < 3; time += 1) {
        const reading = createTestGate();
        let isReading = false;
        Object.assign(checkpointFile, {
          readLines: async () => {
            isReading = true;
            await reading.whenOpened;
            return readLines.call(checkpointFile);
          },
        });
        const request = ask('verify');
        await waitUntil(() => isReading);
        request.destroy();
        await nobody();
        t.equal(
          (await call('GET', '/api/admin/audit-logs/verify', { token })).status,
          503,
          'only one verification runs at a time',
        );
        Object.assign(checkpointFile, { readLines: readLines });
        reading.open();
        await waitUntil(async () => {
          const again = await call('GET', '/api/admin/audit-logs/verify', { token });
          return again.status === 200;
        });
      }
      await atRest();
      t.same(faults(), []);
    });

    for (const path of ['sealed', 'export?format=jsonl', 'export?format=csv'])
      await t.test(`during a download: ${path}`, async (t) => {
        const request = ask(path);
        await new Promise((first) =>
          request.on('response', (response) => response.on('error', () => {}).once('data', first)),
        );
        request.destroy();
        await nobody();
        await atRest();
        t.equal((await call('GET', `/api/admin/audit-logs/${path}`, { token })).status, 200);
        t.same(faults(), []);
      });
  },
);
