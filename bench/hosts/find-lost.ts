import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { rollUpScanCounts } from '../../src/features/scans/statistics/roll-up.ts';
import { readMailboxMail } from '../../src/providers/mail/mailbox-reader.ts';
import { DAY_MS } from '../../src/shared/durations.ts';
import { createFileContent, downloadFile } from '../files/multipart-upload.ts';
import { compareCounts } from '../kill/compare.ts';
import { createUploadContent, isSuccess, type LoadResult, type Owner } from './load.ts';
import { type DatabaseHost, getDatabaseUrl, runSql } from './postgres-servers.ts';
import { PUBLIC_URL } from './service-hosts.ts';

const TABLES = { scan: 'scans', message: 'conversation_messages' } as const;

const MAIL_TIMEOUT_MS = 90_000;

/** Find acknowledged requests whose row, file or email does not exist. */
export async function findLost(
  results: readonly LoadResult[],
  options: { database: DatabaseHost; owner: Owner; mailTimes: ReadonlyMap<string, number> },
): Promise<Set<LoadResult>> {
  const acknowledged = results.filter((result) => result.kind !== 'read' && isSuccess(result));
  const lost = new Set<LoadResult>();
  for (const kind of ['scan', 'message'] as const) {
    const ofKind = acknowledged.filter((result) => result.kind === kind);
    const sql = `SELECT id FROM ${TABLES[kind]} WHERE id = ANY ($1)`;
    const rows = await runSql<{ id: string }>(options.database, sql, 'qr', [ofKind.map(({ id }) => id)]);
    const stored = new Set(rows.map(({ id }) => id));
    for (const result of ofKind) if (!stored.has(result.id)) lost.add(result);
  }
  for (const result of acknowledged) {
    if (result.kind === 'upload' && !(await isUploadStored(result.id, options.owner.token))) lost.add(result);
    if (result.kind === 'registration' && !options.mailTimes.has(result.id)) lost.add(result);
  }
  return lost;
}

/** Compare counters with rows, as after kills of the database. */
export async function findWrongCounts(database: DatabaseHost): Promise<string[]> {
  const pool = new pg.Pool({ connectionString: getDatabaseUrl('qr_owner', [database]), max: 2 });
  try {
    await rollUpScanCounts({ pool }, { until: new Date(Date.now() + 2 * DAY_MS) });
    return await compareCounts(pool);
  } finally {
    await pool.end();
  }
}

/** Wait for the email of each acknowledged registration; returns when each address got its first one. */
export async function waitForMails(
  results: readonly LoadResult[],
  mailboxes: readonly string[],
): Promise<Map<string, number>> {
  const expected = results.filter((result) => result.kind === 'registration' && isSuccess(result));
  const times = new Map<string, number>();
  const read = new Set<string>();
  for (const end = Date.now() + MAIL_TIMEOUT_MS; Date.now() < end; await sleep(500)) {
    for (const mailbox of mailboxes) {
      for (const file of await readdir(mailbox)) {
        if (read.has(join(mailbox, file))) continue;
        const mail = await readMailboxMail(mailbox, file);
        if (!mail) continue;
        read.add(join(mailbox, file));
        const { mtimeMs } = await stat(join(mailbox, file));
        times.set(mail.to, Math.min(mtimeMs, times.get(mail.to) ?? mtimeMs));
      }
    }
    if (expected.every(({ id }) => times.has(id))) break;
  }
  return times;
}

async function isUploadStored(id: string, token: string): Promise<boolean> {
  const { bytes, prefix } = createUploadContent(id);
  const expected = createHash('sha256');
  for (const chunk of createFileContent(bytes, prefix)) expected.update(chunk);
  const hash = createHash('sha256');
  const url = `${PUBLIC_URL}/api/documents/${id.split(' ')[0]}/content`;
  const { status } = await downloadFile(url, token, (chunk) => hash.update(chunk));
  return status === 200 && hash.digest('hex') === expected.digest('hex');
}
