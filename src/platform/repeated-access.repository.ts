import type { AuditAction } from '../audit-actions.ts';
import { insertAuditEntry } from './audit.repository.ts';
import type { Database, Tx } from './database.ts';
import { executeSql, querySql } from './sql.ts';

export interface RepeatedAccess {
  action: AuditAction;
  resourceId: string;
  /** Truncated. */
  network: string;
}

/** Accesses of one network to one record on one UTC day that have an audit entry each. */
export const MAX_SINGLE_ENTRIES = 10;

const BATCH_SIZE = 200;

/** Count an access. True while each access has an entry of its own. */
export async function countAccess(tx: Tx, { action, resourceId, network }: RepeatedAccess): Promise<boolean> {
  const rows = await querySql<{ isSingle: boolean }>(tx)`
    INSERT INTO repeated_accesses AS access (action, resource_id, network, day, count, recorded)
    VALUES (${action}, ${resourceId}, ${network}, (now() AT TIME ZONE 'UTC')::date, 1, 1)
    ON CONFLICT (day, resource_id, network, action) DO UPDATE SET
      count = access.count + 1,
      recorded = access.recorded + CASE WHEN access.count < ${MAX_SINGLE_ENTRIES} THEN 1 ELSE 0 END
    RETURNING count <= ${MAX_SINGLE_ENTRIES} AS "isSingle"`;
  return rows[0]?.isSingle ?? true;
}

/** Write an audit entry with the number of counted accesses, and delete the rows of past days. */
export async function recordRepeatedAccesses(database: Database): Promise<void> {
  while ((await recordBatch(database)) === BATCH_SIZE);
  await executeSql(database.client)`
    DELETE FROM repeated_accesses WHERE day < (now() AT TIME ZONE 'UTC')::date AND recorded = count`;
}

function recordBatch(database: Database): Promise<number> {
  return database.transaction(async (tx) => {
    const rows = await querySql<RepeatedAccess & { repeats: number }>(tx)`
      WITH due AS MATERIALIZED (
        SELECT day, resource_id, network, action, count - recorded AS repeats FROM repeated_accesses
        WHERE count > recorded ORDER BY day, resource_id, network, action LIMIT ${BATCH_SIZE} FOR UPDATE SKIP LOCKED
      )
      UPDATE repeated_accesses AS access SET recorded = recorded + due.repeats
      FROM due
      WHERE (access.day, access.resource_id, access.network, access.action)
          = (due.day, due.resource_id, due.network, due.action)
      RETURNING access.action, access.resource_id AS "resourceId", access.network, due.repeats`;
    for (const { action, resourceId, network, repeats } of rows)
      await insertAuditEntry(tx, {
        action,
        outcome: 'SUCCESS',
        resourceId,
        operation: 'clean-up',
        requestId: 'job',
        origin: { ip: network, userAgent: '' },
        changes: [`repeats:${repeats}`],
      });
    return rows.length;
  });
}
