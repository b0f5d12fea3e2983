import pg from 'pg';
import type { ProcessLog } from '../shared/process-log.ts';
import { installJobs, type Queue } from './jobs.ts';
import { applyMigrations } from './migrations.ts';

/**
 * Brings a database up to date as its owner: migrations, the schema of jobs, and what the application's own
 * role may do where that is another one. Idempotent, and safe for several instances at once.
 * Answers the names of the migrations applied. Throws what `applyMigrations` throws.
 */
export async function prepareDatabase(options: {
  ownerUrl: string;
  applicationUrl: string;
  migrationsFolder: string;
  queues: readonly Queue[];
  log: ProcessLog;
}): Promise<{ applied: string[] }> {
  const { ownerUrl, applicationUrl, migrationsFolder, queues, log } = options;
  const result = await applyMigrations({ url: ownerUrl, folder: migrationsFolder, log });
  await installJobs(ownerUrl, queues);
  const role = new URL(applicationUrl).username;
  if (role !== new URL(ownerUrl).username) await grantTo(ownerUrl, decodeURIComponent(role));
  return result;
}

/** The application reads and writes; it owns nothing, and of the audit trail it can only add and read. */
async function grantTo(ownerUrl: string, role: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    const name = client.escapeIdentifier(role);
    await client.query('BEGIN');
    // Two instances that grant at once would otherwise change the same catalogue rows.
    await client.query("SELECT pg_advisory_xact_lock(hashtext('qr-profile-service grants'))");
    for (const schema of ['public', 'pgboss']) {
      await client.query(`GRANT USAGE ON SCHEMA ${schema} TO ${name}`);
      await client.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${name}`);
    }
    await client.query(`REVOKE UPDATE, DELETE ON audit_entries FROM ${name}`);
    await client.query(`REVOKE INSERT, UPDATE, DELETE ON _prisma_migrations FROM ${name}`);
    await client.query('COMMIT');
  } finally {
    await client.end();
  }
}
