import { chmod, copyFile, readdir, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { WAL_ARCHIVE_SQL } from '../../src/platform/monitoring/database-gauges.ts';
import { createStockServers, REPLICATION_SKIP_REASON } from '../replicated-servers.ts';
import { retryUntilSuccess, runQuery } from '../scratch-folder.ts';
import { t } from '../tap.ts';
import { readArchiveSettings } from './wal-archive.ts';

t.test(
  'the archive of the runbook goes on after a crash, and never replaces other contents',
  { skip: REPLICATION_SKIP_REASON },
  async (t) => {
    const servers = await createStockServers(t);
    const archive = await servers.createFolder('archive');
    const cluster = await servers.createCluster('primary');
    const { url } = await servers.start(cluster, await readArchiveSettings(archive));
    const status = join(cluster, 'pg_wal/archive_status');

    const finishSegment = async () => {
      const [row] = await runQuery(
        url,
        `SELECT pg_logical_emit_message(true, 'test', 'written'), pg_walfile_name(pg_switch_wal()) AS segment`,
      );
      return String(row?.segment);
    };
    const waitUntilArchived = (segment: string) =>
      retryUntilSuccess(async () => {
        await stat(join(status, `${segment}.done`));
        await stat(join(archive, segment));
      });
    const readStatistics = async () =>
      (await runQuery(url, 'SELECT failed_count::int AS failures FROM pg_stat_archiver'))[0];
    /** What a crash between the copy and its marking leaves. */
    const markReady = (segment: string) =>
      rename(join(status, `${segment}.done`), join(status, `${segment}.ready`));
    const readWaitSeconds = async () => Number((await runQuery(url, WAL_ARCHIVE_SQL))[0]?.value);

    const first = await finishSegment();
    await waitUntilArchived(first);
    t.equal(await readWaitSeconds(), 0);

    await markReady(first);
    const second = await finishSegment();
    await waitUntilArchived(second);
    await waitUntilArchived(first);
    t.same(await readStatistics(), { failures: 0 }, 'an identical copy is a success');

    // A crash during a copy leaves a part under another name.
    const [current] = await runQuery(url, 'SELECT pg_walfile_name(pg_current_wal_insert_lsn()) AS segment');
    const part = join(archive, `.${String(current?.segment)}`);
    await writeFile(part, 'a part of a segment');
    await chmod(part, 0o666);
    const third = await finishSegment();
    await waitUntilArchived(third);
    t.equal((await stat(join(archive, third))).size, (await stat(join(archive, first))).size);
    t.same(
      (await readdir(archive)).filter((name) => name.startsWith('.')),
      [],
    );

    await copyFile(join(archive, third), join(archive, 'expected'));
    await writeFile(join(archive, third), 'of another server');
    await markReady(third);
    await finishSegment();
    await retryUntilSuccess(async () => {
      if ((await readStatistics())?.failures === 0) throw new Error('not refused yet');
    });
    t.equal((await stat(join(archive, third))).size, 'of another server'.length, 'never replaced');
    t.ok((await readWaitSeconds()) > 0, 'the metric of alerts.yml');

    await copyFile(join(archive, 'expected'), join(archive, third));
    await waitUntilArchived(third);
    await retryUntilSuccess(async () => {
      if ((await readWaitSeconds()) !== 0) throw new Error('still waiting');
    });
  },
);
