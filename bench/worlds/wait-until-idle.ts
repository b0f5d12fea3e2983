import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';

const MIN_IDLE_CHECKS = 4;
const CHECK_INTERVAL_MS = 500;
const IDLE_TIMEOUT_MS = 300_000;

/** Wait until the database server is idle: no jobs of a started service, no vacuum after many writes. */
export async function waitUntilIdle(ownerUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query('CHECKPOINT').catch(() => {});
    let quiet = 0;
    for (
      const end = Date.now() + IDLE_TIMEOUT_MS;
      quiet < MIN_IDLE_CHECKS && Date.now() < end;
      await wait(CHECK_INTERVAL_MS)
    ) {
      const { rows } = await client.query(
        `SELECT count(*)::int AS busy FROM pg_stat_activity
         WHERE pid <> pg_backend_pid() AND ((state IS NOT NULL AND state <> 'idle') OR backend_type = 'autovacuum worker')`,
      );
      quiet = rows[0].busy === 0 ? quiet + 1 : 0;
    }
  } finally {
    await client.end();
  }
}
