import type pg from 'pg';

export interface DatabaseHealth {
  isWritable: boolean;
  /** No migration failed or is under way. */
  areMigrationsFinished: boolean;
  /** Seconds since any worker was seen; null before the first one. */
  workerSeenSecondsAgo: number | null;
  /** Seconds that the oldest due job has been waiting; null without one. */
  oldestDueJobSeconds: number | null;
}

const HEALTH_SQL = `SELECT current_setting('transaction_read_only') = 'off' AS "isWritable",
    NOT EXISTS (SELECT FROM _prisma_migrations WHERE finished_at IS NULL AND rolled_back_at IS NULL)
      AS "areMigrationsFinished",
    (SELECT extract(epoch FROM now() - maintained_on)::float8 FROM pgboss.version) AS "workerSeenSecondsAgo",
    (SELECT extract(epoch FROM now() - min(start_after))::float8 FROM pgboss.job
     WHERE state < 'active' AND start_after < now()) AS "oldestDueJobSeconds"`;

export async function readDatabaseHealth(client: Pick<pg.ClientBase, 'query'>): Promise<DatabaseHealth> {
  const { rows } = await client.query<DatabaseHealth>(HEALTH_SQL);
  const [health] = rows;
  if (!health) throw new Error('The database answered without a row.');
  return health;
}
