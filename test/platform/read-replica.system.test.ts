import { openDatabase, type ReadDatabase } from '../../src/platform/database.ts';
import { ServiceError } from '../../src/shared/errors.ts';
import { findFreePort } from '../../src/start/find-free-port.ts';
import { runCommand } from '../commands/run-command.ts';
import { startService } from '../process/service-process.ts';
import { REPLICATION_SKIP_REASON, startReplicatedServers, stopServer } from '../replicated-servers.ts';
import { createScratchFolder, retryUntilSuccess, runQuery } from '../scratch-folder.ts';
import { startStallingProxy } from '../stalling-proxy.ts';
import { t } from '../tap.ts';
import { getSpanAttribute, startTraceCollector } from '../trace-collector.ts';

const skip = REPLICATION_SKIP_REASON;

const readServer = async ({ pool }: ReadDatabase) => {
  const { rows } = await pool.query<{ count: number; isReplica: boolean }>(
    'SELECT (SELECT count(*)::int FROM notes) AS count, pg_is_in_recovery() AS "isReplica"',
  );
  return rows[0];
};

t.test('a read sees everything committed before it, whatever the replica does', { skip }, async (t) => {
  const { primary, standby, promote } = await startReplicatedServers(t, { isSynchronous: false });
  const { hostname, port } = new URL(standby.url);
  const proxy = await startStallingProxy(t, { host: hostname, port: Number(port) });
  const replicaUrl = standby.url.replace(port, String(proxy.port));
  const database = openDatabase({ url: primary.url, replicaUrl, poolSize: 4, onError() {} });
  t.teardown(() => database.close());
  await database.pool.query('CREATE TABLE notes (id int)');
  let count = 0;
  const writeAndRead = async () => {
    await database.pool.query('INSERT INTO notes VALUES (1)');
    count += 1;
    const found = await database.read(readServer);
    t.equal(found?.count, count);
    return found?.isReplica;
  };
  const untilReplicaIsRead = () =>
    retryUntilSuccess(async () => {
      if (!(await writeAndRead())) throw new Error('The primary was read.');
    });

  await untilReplicaIsRead();
  const servers = new Set<boolean | undefined>();
  for (let round = 0; round < 100; round += 1) servers.add(await writeAndRead());
  t.same([...servers], [true], 'it waits for the replica');

  await runQuery(standby.url, 'SELECT pg_wal_replay_pause()');
  t.equal(await writeAndRead(), false, 'a replica that is late');
  await t.rejects(database.checkReplica?.() ?? Promise.resolve());
  await runQuery(standby.url, 'SELECT pg_wal_replay_resume()');
  await untilReplicaIsRead();

  proxy.stall();
  t.equal(await writeAndRead(), false, 'a replica that accepts and never answers');
  t.equal(await writeAndRead(), false, 'and is not asked for a while');
  proxy.resume();
  await untilReplicaIsRead();

  let runs = 0;
  const failFirst = async (db: ReadDatabase) => {
    runs += 1;
    if (runs === 1) await db.pool.query(`SELECT pg_terminate_backend(pg_backend_pid())`);
    return readServer(db);
  };
  t.match(await database.read(failFirst), { count, isReplica: false }, 'a connection that ends meanwhile');
  t.equal(runs, 2);
  await untilReplicaIsRead();
  await t.rejects(
    database.read(async () => {
      runs += 1;
      throw new ServiceError('NOT_FOUND');
    }),
    { code: 'NOT_FOUND' },
  );
  t.equal(runs, 3, 'an answer is no failure of the replica');

  await promote();
  t.equal(await writeAndRead(), false, 'a replica that became a primary of its own');
  await stopServer(standby.child);
  t.equal(await writeAndRead(), false, 'a replica that is gone');
});

t.test(
  'lists, statistics, reports and exports of the service are read from the replica',
  { skip },
  async (t) => {
    const { primary, standby } = await startReplicatedServers(t, { isSynchronous: false });
    const [dataDir, port, metricsPort] = [
      await createScratchFolder(t),
      await findFreePort(),
      await findFreePort(),
    ];
    const collector = await startTraceCollector(t);
    const service = startService(t, {
      dataDir,
      port,
      environment: {
        ...collector.environment,
        DATABASE_URL: primary.url,
        DATABASE_READ_URL: standby.url,
        METRICS_PORT: String(metricsPort),
      },
    });
    await service.ready();
    const demo = await runCommand('demo', {
      DATA_DIR: dataDir,
      UPLOADS_DIR: `${dataDir}/uploads`,
      DATABASE_URL: primary.url,
      PORT: String(port),
    });
    t.equal(demo.code, 0, demo.errors);
    const [, email = ''] = /^ {2}Account {2,}(\S+)$/m.exec(demo.out) ?? [];
    const [, password = ''] = /^ {2}Password {2,}(\S.*)$/m.exec(demo.out) ?? [];
    const call = async (path: string, token = '', body?: object) => {
      const response = await fetch(service.base + path, {
        ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
        headers: {
          ...(body ? { 'content-type': 'application/json' } : {}),
          authorization: `Bearer ${token}`,
        },
      });
      return { status: response.status, text: await response.text() };
    };
    const { accessToken } = JSON.parse((await call('/api/auth/login', '', { email, password })).text);
    const readCounts = async () => {
      const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
      const entries = [
        ...metrics.matchAll(/^qrps_database_reads_total\{server="(\w+)",reason="(\w+)"\} (\d+)$/gm),
      ];
      return new Map(entries.map(([, server, reason, count]) => [`${server} ${reason}`, Number(count)]));
    };
    const created = await call('/api/qrcodes', accessToken, {
      kind: 'URL',
      title: 'Newest',
      data: { url: 'https://example.org' },
    });
    const { id } = JSON.parse(created.text);
    const paths = [
      '/api/qrcodes',
      '/api/qrcodes?search=newest',
      `/api/qrcodes/${id}/stats`,
      '/api/scans',
      '/api/scans/stats',
      '/api/scans/export?format=csv',
      '/api/dashboard/cards',
      '/api/notifications',
      '/api/conversations',
      '/api/documents',
      '/api/memory-tags',
      '/api/audit/mine',
      '/api/scans/report',
    ];
    for (const path of paths) {
      const before = (await readCounts()).get('replica current') ?? 0;
      const { status, text } = await call(path, accessToken);
      t.equal(status, 200, `${path}: ${text.slice(0, 200)}`);
      if (path.startsWith('/api/qrcodes?')) t.match(text, id, 'the newest code is listed');
      t.ok(((await readCounts()).get('replica current') ?? 0) > before, `${path} is read from the replica`);
    }
    t.equal((await readCounts()).get('primary failed'), undefined, 'no read needs to write');
    const { dependencies } = JSON.parse((await call('/api/health/ready')).text);
    const replica = dependencies.find(({ name }: { name: string }) => name === 'database replica');
    t.match(replica, { required: false, status: 'up' });
    t.equal(await service.end('SIGTERM'), 0);
    const spans = collector.spans();
    const findPorts = (name: string) => {
      const request = spans.find((span) => span.name === name);
      const statements = spans.filter(
        ({ parentSpanId, name }) => parentSpanId === request?.spanId && name.endsWith(' qr_codes'),
      );
      return new Set(statements.map((span) => Number(getSpanAttribute(span, 'server.port'))));
    };
    t.same(findPorts('POST /api/qrcodes'), new Set([Number(new URL(primary.url).port)]));
    t.same(findPorts('GET /api/qrcodes'), new Set([Number(new URL(standby.url).port)]));
  },
);
