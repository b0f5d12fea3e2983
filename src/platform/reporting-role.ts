import pg from 'pg';
import type { ProcessLog } from '../shared/process-log.ts';

/** May only read the views of the schema `reporting`. */
export const REPORTING_DATABASE_ROLE = 'qr_reporting';

// Without LOGIN: the operator sets a password or adds members.
/** JIT compiles a statement over all partitions of scans for seconds. */
const JIT_OFF_STATEMENT = `ALTER ROLE ${REPORTING_DATABASE_ROLE} SET jit = off`;

const CREATE_ROLE_STATEMENTS = [
  `CREATE ROLE ${REPORTING_DATABASE_ROLE} NOLOGIN CONNECTION LIMIT 10`,
  `ALTER ROLE ${REPORTING_DATABASE_ROLE} SET default_transaction_read_only = on`,
  `ALTER ROLE ${REPORTING_DATABASE_ROLE} SET statement_timeout = '60s'`,
  `ALTER ROLE ${REPORTING_DATABASE_ROLE} SET idle_in_transaction_session_timeout = '60s'`,
  `ALTER ROLE ${REPORTING_DATABASE_ROLE} SET timezone = 'UTC'`,
  JIT_OFF_STATEMENT,
];

/** Created concurrently by the start for another database, or not permitted. */
const ALREADY_EXISTS_SQLSTATES = ['42710', '23505'];
const INSUFFICIENT_PRIVILEGE_SQLSTATE = '42501';

/** Grant the reporting role its views; idempotent. Only logs where the role can neither be found nor created. */
export async function prepareReportingDatabaseRole(client: pg.Client, log: ProcessLog): Promise<void> {
  await client.query('BEGIN');
  await client.query("SELECT pg_advisory_xact_lock(hashtext('qr-profile-service grants'))");
  const isPresent = await roleExists(client);
  if (isPresent && !(await hasJitSetting(client))) await runWithSavepoint(client, [JIT_OFF_STATEMENT]);
  const exists = isPresent || (await createRole(client));
  if (exists) await grantReportingPrivileges(client);
  else
    log.info(
      { role: REPORTING_DATABASE_ROLE },
      'reports are not readable: see docs/guides/reports.md on how to create the role',
    );
  await client.query('COMMIT');
}

async function roleExists(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [
    REPORTING_DATABASE_ROLE,
  ]);
  return rowCount === 1;
}

/** Also on, where the operator chose that. */
async function hasJitSetting(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query(
    `SELECT FROM pg_db_role_setting WHERE setrole = to_regrole($1) AND setdatabase IN (0,
       (SELECT oid FROM pg_database WHERE datname = current_database()))
       AND EXISTS (SELECT FROM unnest(setconfig) AS setting WHERE setting LIKE 'jit=%')`,
    [REPORTING_DATABASE_ROLE],
  );
  return rowCount !== null && rowCount > 0;
}

async function createRole(client: pg.Client): Promise<boolean> {
  const failure = await runWithSavepoint(client, CREATE_ROLE_STATEMENTS);
  return failure === null || ALREADY_EXISTS_SQLSTATES.includes(failure);
}

async function grantReportingPrivileges(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>('SELECT current_database() AS name');
  const database = client.escapeIdentifier(rows[0]?.name ?? '');
  await client.query(`GRANT USAGE ON SCHEMA reporting TO ${REPORTING_DATABASE_ROLE}`);
  await client.query(`GRANT SELECT ON ALL TABLES IN SCHEMA reporting TO ${REPORTING_DATABASE_ROLE}`);
  // Needs ownership of the database and its schema.
  await runWithSavepoint(client, [`GRANT CONNECT ON DATABASE ${database} TO ${REPORTING_DATABASE_ROLE}`]);
  await runWithSavepoint(client, ['REVOKE ALL ON SCHEMA public FROM PUBLIC']);
  await runWithSavepoint(client, [`REVOKE TEMPORARY ON DATABASE ${database} FROM PUBLIC`]);
}

async function runWithSavepoint(client: pg.Client, statements: readonly string[]): Promise<string | null> {
  await client.query('SAVEPOINT attempt');
  try {
    for (const statement of statements) await client.query(statement);
    return null;
  } catch (error) {
    const code = error instanceof pg.DatabaseError ? error.code : undefined;
    if (code !== INSUFFICIENT_PRIVILEGE_SQLSTATE && !ALREADY_EXISTS_SQLSTATES.includes(code ?? ''))
      throw error;
    await client.query('ROLLBACK TO SAVEPOINT attempt');
    return code ?? null;
  }
}
