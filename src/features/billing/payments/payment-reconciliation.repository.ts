import type { Db } from '../../../platform/database.ts';

/**
 * Start the daily reconciliation if it is due: the last one finished more than `intervalHours` ago, and none
 * that may still run has started since.
 */
export async function startReconciliation(db: Db, provider: string, intervalHours: number): Promise<boolean> {
  const count = await db.$executeRaw`
    INSERT INTO payment_reconciliations AS last (provider, started_at) VALUES (${provider}, now())
    ON CONFLICT (provider) DO UPDATE SET started_at = now(), finished_at = NULL
      WHERE last.started_at < now() - make_interval(hours => ${intervalHours})
         OR last.finished_at IS NULL AND last.started_at < now() - interval '50 minutes'`;
  return count > 0;
}

export async function finishReconciliation(db: Db, provider: string): Promise<void> {
  await db.$executeRaw`
    INSERT INTO payment_reconciliations (provider, started_at, finished_at) VALUES (${provider}, now(), now())
    ON CONFLICT (provider) DO UPDATE SET finished_at = now()`;
}
