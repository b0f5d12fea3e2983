import { get } from 'node:http';
import { beginPgTransaction } from '../../../../src/platform/driver-transaction.ts';
import { getPort } from '../../../platform/http/helper.ts';
import { t } from '../../../tap.ts';
import { waitUntil } from '../../audit/helper.ts';
import { startScans } from '../helper.ts';

t.test(
  'a client that disconnects before its report is done causes no error and blocks no other',
  async (t) => {
    const test = await startScans(t);
    const { app, call, log, owner } = test;
    const { database } = test.services;
    const token = owner.accessToken;
    await app.listen({ port: 0, host: '127.0.0.1' });
    const nobody = () =>
      waitUntil(() => new Promise((done) => app.server.getConnections((_, count) => done(count === 0))));
    const atRest = () => waitUntil(() => database.pool.idleCount === database.pool.totalCount);
    for (const format of ['html', 'pdf']) {
      // Reads block, so two reports are in progress and six wait.
      const { connection, end } = await beginPgTransaction(database, 'WRITE');
      await connection.query('LOCK TABLE scans IN ACCESS EXCLUSIVE MODE');
      const requests = Array.from({ length: 8 }, () => {
        const headers = { authorization: `Bearer ${token}` };
        const path = `/api/scans/report?format=${format}`;
        return get({ port: getPort(app), host: '127.0.0.1', path, headers }).on('error', () => {});
      });
      const locked = `SELECT count(*)::int AS waiting FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      await waitUntil(async () => (await database.pool.query(locked)).rows[0].waiting === 2);
      for (const request of requests) request.destroy();
      await nobody();
      await end('ROLLBACK');
      await atRest();
      const answer = await call('GET', `/api/scans/report?format=${format}`, { token });
      t.equal(answer.status, 200, answer.text);
    }
    t.same(
      log.filter((line) => JSON.parse(line).level >= 40),
      [],
    );
  },
);
