import { REPLICATION_SKIP_REASON, startReplicatedServers } from '../../replicated-servers.ts';
import { retryUntilSuccess, runQuery } from '../../scratch-folder.ts';
import { t } from '../../tap.ts';
import { diagnoseOne } from './doctor-helper.ts';

t.test('finds a standby, and that it receives nothing', { skip: REPLICATION_SKIP_REASON }, async (t) => {
  const { primary, standby } = await startReplicatedServers(t);
  const hosts = [primary, standby].map(({ url }) => new URL(url).host).join(',');
  const check = (DATABASE_URL: string) => diagnoseOne('replication', { DATABASE_URL });
  const both = `postgresql://postgres@${hosts}/postgres`;
  /** Wait until the check finds this: a standby connects, and is disconnected, a moment later. */
  const waitFor = (DATABASE_URL: string, expected: { state: string; found: string }) =>
    retryUntilSuccess(async () => {
      const result = await check(DATABASE_URL);
      if (result?.state !== expected.state || result.found !== expected.found)
        throw new Error(JSON.stringify(result));
    });
  await waitFor(both, { state: 'ok', found: '1 connected, 2 in DATABASE_URL' });
  await waitFor(primary.url, { state: 'ok', found: '1 connected, 1 in DATABASE_URL' });
  await runQuery(standby.url, `ALTER SYSTEM SET primary_conninfo = ''`);
  await runQuery(standby.url, 'SELECT pg_reload_conf()');
  await waitFor(both, {
    state: 'warning',
    found: 'host 2 of DATABASE_URL is a standby that receives nothing',
  });
  t.match(await check(both), { advice: /standby/ });
});
