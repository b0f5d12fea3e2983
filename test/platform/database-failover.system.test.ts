import { findFreePort } from '../../src/start/find-free-port.ts';
import { startService } from '../process/service-process.ts';
import { REPLICATION_SKIP_REASON, startReplicatedServers, stopServer } from '../replicated-servers.ts';
import { createScratchFolder, runQuery } from '../scratch-folder.ts';
import { t } from '../tap.ts';

t.test(
  'the service continues on a promoted standby without a restart',
  { skip: REPLICATION_SKIP_REASON },
  async (t) => {
    const { primary, standby, promote } = await startReplicatedServers(t);
    const hosts = [standby, primary].map(({ url }) => new URL(url).host).join(',');
    const service = startService(t, {
      dataDir: await createScratchFolder(t),
      port: await findFreePort(),
      environment: {
        DATABASE_URL: `postgresql://postgres@${hosts}/postgres?target_session_attrs=read-write`,
      },
    });
    await service.ready();
    const register = async (index: number) => {
      const email = `user-${index}@example.org`;
      const response = await fetch(`${service.base}/api/auth/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email, password: 'a lighthouse for lost dogs' }),
      });
      await response.arrayBuffer();
      return { status: response.status, retryAfter: response.headers.get('retry-after') };
    };
    let registered = 0;
    const registerNext = async () => {
      const response = await register(registered);
      if (response.status === 201) registered += 1;
      return response;
    };
    for (let count = 0; count < 5; count += 1) t.match(await registerNext(), { status: 201 });

    await stopServer(primary.child);
    t.match(await registerNext(), { status: 503, retryAfter: /\d/ }, 'without a primary');
    await promote();
    await service.ready();
    for (let count = 0; count < 20; count += 1)
      t.match(await registerNext(), { status: 201 }, `after it: ${count}`);
    const [row] = await runQuery(standby.url, 'SELECT count(*)::int AS count FROM pending_registrations');
    t.same(row, { count: registered }, 'nothing acknowledged is lost');
    t.equal(await service.end('SIGTERM'), 0);
  },
);
