import { findFreePort } from '../../src/start/find-free-port.ts';
import { startService } from '../process/service-process.ts';
import { createStockServers, REPLICATION_SKIP_REASON } from '../replicated-servers.ts';
import { createScratchFolder, retryUntilSuccess, runQuery } from '../scratch-folder.ts';
import { t } from '../tap.ts';

const ADMINISTRATOR = { email: 'admin@example.org', password: 'a lighthouse for lost dogs' };

interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: an answer is whatever the service sent
  body: any;
}

t.test(
  'while the only synchronous standby is away, no answer says that nothing was changed',
  { skip: REPLICATION_SKIP_REASON, timeout: 300_000 },
  async (t) => {
    const servers = await createStockServers(t);
    const { url } = await servers.start(await servers.createCluster('primary'), []);
    const dataDir = await createScratchFolder(t);
    const service = startService(t, {
      dataDir,
      port: await findFreePort(),
      environment: {
        DATABASE_URL: url,
        ADMIN_EMAIL: ADMINISTRATOR.email,
        ADMIN_PASSWORD: ADMINISTRATOR.password,
        // Statements of jobs wait for the standby, too, and no request shall wait for them.
        DATABASE_POOL_SIZE: '80',
      },
    });
    await service.ready();
    const call = async (
      method: string,
      path: string,
      body?: object,
      headers: Record<string, string> = {},
    ): Promise<Answer> => {
      const response = await fetch(service.base + path, {
        method,
        headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: await response.json() };
    };
    const login = await call('POST', '/api/auth/login', ADMINISTRATOR);
    const authorization = { authorization: `Bearer ${login.body.accessToken}` };
    const code = { kind: 'PET', title: 'Rex', data: { name: 'Rex' } };
    const { body: created } = await call('POST', '/api/qrcodes', code, authorization);
    const qrCodeId = created.id;
    const setStandbys = async (names: string) => {
      await runQuery(url, `ALTER SYSTEM SET synchronous_standby_names = '${names}'`);
      await runQuery(url, 'SELECT pg_reload_conf()');
    };
    const countScans = async () =>
      (await runQuery(url, `SELECT count(*)::int AS total FROM scans`))[0]?.total;

    const waitUntilReady = () =>
      retryUntilSuccess(async () => {
        if ((await fetch(`${service.base}/api/health/ready`)).status !== 200) throw new Error('not ready');
      });
    /** Let a request commit without the standby, and again with it. */
    const assertUnconfirmed = async (...request: Parameters<typeof call>) => {
      await setStandbys('nobody');
      const { status, body } = await call(...request);
      t.match([status, body.code], [503, 'OUTCOME_UNKNOWN'], JSON.stringify(body));
      t.notMatch(JSON.stringify(body), 'Nothing was changed');
      const ready = await call('GET', '/api/health/ready');
      t.match([ready.status, ready.body.code], [503, 'DATABASE_UNAVAILABLE']);
      t.match(ready.body.dependencies, [
        { name: 'database', status: 'down', lastFailureCode: 'UNCONFIRMED' },
      ]);
    };
    const endWait = async () => {
      await setStandbys('');
      await waitUntilReady();
    };

    await assertUnconfirmed('POST', '/api/scans/public', { qrCodeId });
    await endWait();
    t.equal(await countScans(), 1, 'the scan was stored');

    const keyedScan = [
      'POST',
      '/api/scans/public',
      { qrCodeId },
      { 'idempotency-key': 'a-scan-that-is-repeated' },
    ] as const;
    await assertUnconfirmed(...keyedScan);
    t.match(
      await call(...keyedScan),
      { status: 503, body: { code: 'OUTCOME_UNKNOWN' } },
      'a repeat meanwhile',
    );
    await endWait();
    t.match(await call(...keyedScan), { status: 201 });
    t.equal(await countScans(), 2, 'a repeat with the same key counts once');

    await assertUnconfirmed('PATCH', `/api/qrcodes/${qrCodeId}`, { title: 'Renamed' }, authorization);
    await endWait();
    t.match(await call('GET', `/api/qrcodes/${qrCodeId}`, undefined, authorization), {
      body: { title: 'Renamed' },
    });
  },
);
