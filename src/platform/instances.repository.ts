import type { KeySet } from '../shared/crypto/key-set.ts';
import { LIFETIMES_SECONDS } from '../shared/lifetimes.ts';
import type { Db } from './database.ts';
import { executeSql, querySql } from './sql.ts';

export interface RunningInstance {
  instanceId: string;
  keyIds: string[];
  primaryKeyId: string;
  primarySince: Date;
}

export async function upsertInstance(
  db: Db,
  instance: { id: string; isEnterpriseEnforced: boolean },
  { primary, keys }: KeySet,
): Promise<void> {
  await executeSql(db)`
    INSERT INTO instances AS current (id, key_ids, primary_key_id, enterprise_mode_enforced)
    VALUES (${instance.id}, ${[...keys.keys()]}, ${primary}, ${instance.isEnterpriseEnforced})
    ON CONFLICT (id) DO UPDATE
      SET key_ids = excluded.key_ids, primary_key_id = excluded.primary_key_id, last_heartbeat_at = now(),
          enterprise_mode_enforced = excluded.enterprise_mode_enforced,
          primary_since = CASE WHEN current.primary_key_id = excluded.primary_key_id
                               THEN current.primary_since ELSE now() END`;
}

export async function findRunningInstances(
  db: Db,
): Promise<(RunningInstance & { secondsPrimary: number })[]> {
  return querySql<RunningInstance & { secondsPrimary: number }>(db)`
    SELECT id AS "instanceId", key_ids AS "keyIds", primary_key_id AS "primaryKeyId",
           primary_since AS "primarySince", extract(epoch FROM now() - primary_since)::float8 AS "secondsPrimary"
    FROM instances WHERE last_heartbeat_at > now() - make_interval(secs => ${LIFETIMES_SECONDS.instanceHeartbeat}::float8)
    ORDER BY id`;
}

export async function isEnterpriseModeEnforcedGlobally(db: Db): Promise<boolean> {
  const rows = await querySql<{ found: boolean }>(db)`
    SELECT EXISTS (SELECT FROM instances
                   WHERE enterprise_mode_enforced AND last_heartbeat_at > now() - make_interval(secs => ${LIFETIMES_SECONDS.instanceHeartbeat}::float8)
                  ) AS found`;
  return rows[0]?.found ?? false;
}

/** Delete an instance that stops, and those whose heartbeat stopped. */
export async function deleteStoppedInstances(db: Db, instanceId: string): Promise<void> {
  await executeSql(db)`
    DELETE FROM instances
    WHERE id = ${instanceId} OR last_heartbeat_at < now() - make_interval(secs => ${10 * LIFETIMES_SECONDS.instanceHeartbeat}::float8)`;
}
