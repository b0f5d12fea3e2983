import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findFreePort } from '../../src/start/find-free-port.ts';
import { startService } from '../process/service-process.ts';
import { createStockServers, REPLICATION_SKIP_REASON, stopServer } from '../replicated-servers.ts';
import { createScratchFolder, retryUntilSuccess, runQuery } from '../scratch-folder.ts';
import { t } from '../tap.ts';
import { readArchiveSettings } from './wal-archive.ts';

const SCANS = 16;
const CONCURRENCY = 8;

const ADMINISTRATOR = { email: 'admin@example.org', password: 'a lighthouse for lost dogs' };

interface Answer {
  accessToken?: string;
  id?: string;
  scan?: { id: string };
}

async function post(base: string, path: string, body: object, token?: string): Promise<Answer> {
  const response = await fetch(base + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Answer;
}

t.test(
  'a recovery to a point in time has every scan that was acknowledged before, and no later one',
  { skip: REPLICATION_SKIP_REASON },
  async (t) => {
    const servers = await createStockServers(t);
    const archive = await servers.createFolder('archive');
    const primary = await servers.start(
      await servers.createCluster('primary'),
      await readArchiveSettings(archive),
    );
    const service = startService(t, {
      dataDir: await createScratchFolder(t),
      port: await findFreePort(),
      environment: {
        DATABASE_URL: primary.url,
        ADMIN_EMAIL: ADMINISTRATOR.email,
        ADMIN_PASSWORD: ADMINISTRATOR.password,
      },
    });
    await service.ready();
    const { accessToken } = await post(service.base, '/api/auth/login', ADMINISTRATOR);
    const code = { kind: 'PET', title: 'Rex', data: { name: 'Rex' } };
    const { id: qrCodeId } = await post(service.base, '/api/qrcodes', code, accessToken);
    const scan = async () => (await post(service.base, '/api/scans/public', { qrCodeId })).scan?.id ?? '';
    const scanOften = async () => {
      const ids: string[] = [];
      while (ids.length < SCANS) ids.push(...(await Promise.all(Array.from({ length: CONCURRENCY }, scan))));
      return ids;
    };

    await scanOften();
    const base = await servers.createFolder('base');
    const [duringBackup] = await Promise.all([
      scanOften(),
      servers.runProgram('pg_basebackup', '-D', base, '-d', primary.url, '-c', 'fast'),
    ]);
    const before = [...duringBackup, ...(await scanOften())];
    const [{ at } = { at: '' }] = await runQuery(primary.url, 'SELECT clock_timestamp()::text AS at');
    const later = await scanOften();
    await runQuery(primary.url, 'DELETE FROM scan_counts');
    t.equal(await service.end('SIGTERM'), 0);
    const [{ segment } = { segment: '' }] = await runQuery(
      primary.url,
      'SELECT pg_walfile_name(pg_switch_wal()) AS segment',
    );
    await retryUntilSuccess(async () => {
      const [row] = await runQuery(
        primary.url,
        `SELECT last_archived_wal >= '${segment}' AS "isArchived" FROM pg_stat_archiver`,
      );
      if (row?.isArchived !== true) throw new Error('not archived yet');
    });
    await stopServer(primary.child);

    await appendFile(
      join(base, 'postgresql.auto.conf'),
      `restore_command = 'cp ${archive}/%f "%p"'\nrecovery_target_time = '${at}'\nrecovery_target_action = 'promote'\n`,
    );
    await writeFile(join(base, 'recovery.signal'), '');
    const recovered = await servers.start(base, []);
    await retryUntilSuccess(async () => {
      const [row] = await runQuery(recovered.url, 'SELECT pg_is_in_recovery() AS "isRecovering"');
      if (row?.isRecovering !== false) throw new Error('not recovered yet');
    });
    const found = new Set((await runQuery(recovered.url, 'SELECT id FROM scans')).map(({ id }) => id));
    t.same(
      before.filter((id) => !found.has(id)),
      [],
      'nothing acknowledged is lost',
    );
    t.same(
      later.filter((id) => found.has(id)),
      [],
      'nothing later is there',
    );
    t.same(await runQuery(recovered.url, 'SELECT total::int AS total FROM scan_counts'), [
      { total: found.size },
    ]);
  },
);
