import type pg from 'pg';
import { parseDatabaseUrl } from '../shared/database-url.ts';
import type { ProcessLog } from '../shared/process-log.ts';
import { getEveryAccountRole } from './account-binding.ts';
import { connectDatabaseClient, OWNER_SESSION } from './database-client.ts';
import { listSessionSettings } from './database-session.ts';
import { installJobQueues, type JobQueueDefinition } from './jobs.ts';
import { applyMigrations } from './migrations.ts';
import { prepareReportingDatabaseRole } from './reporting-role.ts';
import { prepareRowLevelSecurity } from './row-level-security.ts';

/** Prepare a database as its owner; idempotent and safe in parallel. @throws what `applyMigrations` throws */
export async function prepareDatabase(options: {
  ownerUrl: string;
  applicationUrl: string;
  migrationsFolder: string;
  queues: readonly JobQueueDefinition[];
  auditRetentionDays?: number | undefined;
  log: ProcessLog;
}): Promise<{ applied: string[] }> {
  const { ownerUrl, applicationUrl, migrationsFolder, queues, auditRetentionDays, log } = options;
  const result = await applyMigrations({ url: ownerUrl, folder: migrationsFolder, log });
  await installJobQueues(ownerUrl, queues);
  await runAsOwner(ownerUrl, (client) => setAuditRetention(client, auditRetentionDays));
  const { user: role } = parseDatabaseUrl(applicationUrl);
  if (role !== parseDatabaseUrl(ownerUrl).user) {
    await runAsOwner(ownerUrl, async (client) => {
      await grantApplicationPrivileges(client, role);
      if (await prepareRowLevelSecurity(client, role, log))
        await grantApplicationPrivileges(client, getEveryAccountRole(role) ?? role);
    });
  } else
    log.warn({}, 'PostgreSQL does not keep accounts apart: DATABASE_URL has the role of DATABASE_OWNER_URL');
  await runAsOwner(ownerUrl, (client) => prepareReportingDatabaseRole(client, log));
  return result;
}

export const APPEND_ONLY_TABLES = ['audit_entries', 'audit_seals', 'audit_seal_batches'] as const;

/** Written by the owner or its triggers. */
const READ_ONLY_TABLES = [
  '_prisma_migrations',
  'compatible_migrations',
  'audit_retention',
  'audit_dropped_ranges',
  'qr_code_counts',
] as const;

/** Filled by a trigger; the service only deletes from it. */
const TRIGGER_TABLES = ['audit_unsealed'] as const;

/** Tables that the role of the application cannot insert into. */
export const NOT_INSERTABLE_TABLES = [...READ_ONLY_TABLES, ...TRIGGER_TABLES] as const;

/** Functions that run with the owner's privileges, within their own limits. */
const OWNER_FUNCTIONS =
  'drop_audit_range(jsonb), add_scan_partitions(date, date), drop_scan_partitions(date)';

/** Grant reading and writing, but only inserts and reads on the audit trail. */
async function grantApplicationPrivileges(client: pg.Client, role: string): Promise<void> {
  const name = client.escapeIdentifier(role);
  await client.query('BEGIN');
  // Parallel grants would update the same catalog rows.
  await client.query("SELECT pg_advisory_xact_lock(hashtext('qr-profile-service grants'))");
  for (const schema of ['public', 'pgboss']) {
    await client.query(`GRANT USAGE ON SCHEMA ${schema} TO ${name}`);
    await client.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${name}`);
  }
  await client.query(`REVOKE UPDATE, DELETE ON ${APPEND_ONLY_TABLES.join(', ')} FROM ${name}`);
  await client.query(`REVOKE INSERT, UPDATE, DELETE ON ${READ_ONLY_TABLES.join(', ')} FROM ${name}`);
  await client.query(`REVOKE INSERT, UPDATE ON ${TRIGGER_TABLES.join(', ')} FROM ${name}`);
  await client.query(`GRANT EXECUTE ON FUNCTION ${OWNER_FUNCTIONS} TO ${name}`);
  await client.query('COMMIT');
}

/** The limit is stored in the database, so that the deletion does not depend on the application. */
async function setAuditRetention(client: pg.Client, days: number | undefined): Promise<void> {
  if (days === undefined) {
    await client.query('DELETE FROM audit_retention');
    return;
  }
  await client.query(
    `INSERT INTO audit_retention (days) VALUES ($1)
     ON CONFLICT (singleton) DO UPDATE SET days = excluded.days WHERE audit_retention.days <> excluded.days`,
    [days],
  );
}

/** Give the role of `url` its session settings in this database, since a pooler passes none on. */
export async function setRoleSessionDefaults(url: string): Promise<void> {
  const client = await connectDatabaseClient(url, {
    role: 'application',
    applicationName: 'qr-profile-service start',
  });
  try {
    await client.query('BEGIN');
    await client.query("SELECT pg_advisory_xact_lock(hashtext('qr-profile-service grants'))");
    const { rows } = await client.query<{ settings: string[] }>(
      `SELECT setconfig AS settings FROM pg_db_role_setting JOIN pg_database AS d ON d.oid = setdatabase
       WHERE datname = current_database() AND setrole = current_user::regrole`,
    );
    const known = new Set(rows.flatMap(({ settings }) => settings));
    const database = client.escapeIdentifier(client.database ?? '');
    for (const [name, value] of listSessionSettings('application')) {
      if (known.has(`${name}=${value}`)) continue;
      await client.query(
        `ALTER ROLE CURRENT_USER IN DATABASE ${database} SET ${name} = ${client.escapeLiteral(value)}`,
      );
    }
    await client.query('COMMIT');
  } finally {
    await client.end();
  }
}

async function runAsOwner(ownerUrl: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = await connectDatabaseClient(ownerUrl, OWNER_SESSION);
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
