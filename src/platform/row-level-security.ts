import type pg from 'pg';
import type { ProcessLog } from '../shared/process-log.ts';
import { getEveryAccountRole } from './account-binding.ts';

/** Their policies are in migrations, by the name `account`. */
export const PROTECTED_TABLES = ['owner_phones', 'print_sheets', 'report_schedules', 'saved_views'] as const;

/** What forbids it, and what is in the catalog. */
const INSUFFICIENT_PRIVILEGE_SQLSTATE = '42501';

/** Since this version a membership can be without the privileges of the role. */
const MIN_INHERIT_OPTION_VERSION = 160_000;

/** For the locks of tables; a long transaction would stop whatever waits behind them. */
const LOCK_TIMEOUT = '5s';

interface RoleState {
  exists: boolean;
  isMember: boolean;
  inherits: boolean;
}

/**
 * Let PostgreSQL hide the records of other accounts from the role of the application, where a second role for statements
 * over all accounts can be had; otherwise no policy applies. Idempotent. Returns whether it protects.
 */
export async function prepareRowLevelSecurity(
  client: pg.Client,
  applicationRole: string,
  log: ProcessLog,
): Promise<boolean> {
  const role = getEveryAccountRole(applicationRole);
  const isReady = role !== null && (await prepareEveryAccountRole(client, applicationRole, role));
  const advice = 'see docs/operations/running.md on the role for every account';
  if (!isReady) log.warn({ role }, `PostgreSQL does not keep accounts apart: ${advice}`);
  await client.query('BEGIN');
  await client.query("SELECT pg_advisory_xact_lock(hashtext('qr-profile-service grants'))");
  await client.query(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
  if (isReady) await enablePolicies(client, role);
  else await disablePolicies(client);
  await client.query('COMMIT');
  return isReady;
}

async function prepareEveryAccountRole(
  client: pg.Client,
  applicationRole: string,
  role: string,
): Promise<boolean> {
  await client.query('BEGIN');
  await client.query("SELECT pg_advisory_xact_lock(hashtext('qr-profile-service grants'))");
  const before = await readRoleState(client, applicationRole, role);
  if (!isUsable(before)) {
    const name = client.escapeIdentifier(role);
    const exists = before.exists || (await attempt(client, `CREATE ROLE ${name} NOLOGIN`));
    const statements = exists ? await listMembershipStatements(client, applicationRole, name) : [];
    for (const statement of statements) await attempt(client, statement);
  }
  const after = await readRoleState(client, applicationRole, role);
  await client.query('COMMIT');
  return isUsable(after);
}

/** Where its privileges were inherited, its policies would count for the application. */
function isUsable({ exists, isMember, inherits }: RoleState): boolean {
  return exists && isMember && !inherits;
}

async function readRoleState(client: pg.Client, applicationRole: string, role: string): Promise<RoleState> {
  const { rows } = await client.query<RoleState>(
    `SELECT other.oid IS NOT NULL AS exists, coalesce(pg_has_role(own.oid, other.oid, 'MEMBER'), false) AS "isMember",
       coalesce(pg_has_role(own.oid, other.oid, 'USAGE'), false) AS inherits
     FROM pg_roles AS own LEFT JOIN pg_roles AS other ON other.rolname = $2 WHERE own.rolname = $1`,
    [applicationRole, role],
  );
  return rows[0] ?? { exists: false, isMember: false, inherits: false };
}

/** Before version 16 only the member decides about all of its roles: it must not have others. */
async function listMembershipStatements(
  client: pg.Client,
  applicationRole: string,
  name: string,
): Promise<string[]> {
  const { rows } = await client.query<{ version: number; hasRoles: boolean }>(
    `SELECT current_setting('server_version_num')::int AS version,
       EXISTS (SELECT FROM pg_auth_members WHERE member = to_regrole(quote_ident($1))) AS "hasRoles"`,
    [applicationRole],
  );
  const member = client.escapeIdentifier(applicationRole);
  const { version = 0, hasRoles = true } = rows[0] ?? {};
  if (version >= MIN_INHERIT_OPTION_VERSION)
    return [`GRANT ${name} TO ${member} WITH INHERIT FALSE, SET TRUE`];
  return hasRoles ? [] : [`ALTER ROLE ${member} NOINHERIT`, `GRANT ${name} TO ${member}`];
}

async function enablePolicies(client: pg.Client, role: string): Promise<void> {
  const name = client.escapeIdentifier(role);
  const { rows } = await client.query<{ table: string; isEnabled: boolean; hasPolicy: boolean }>(
    `SELECT relname::text AS table, relrowsecurity AS "isEnabled",
       EXISTS (SELECT FROM pg_policy WHERE polrelid = pg_class.oid AND polname = $2) AS "hasPolicy"
     FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relname = ANY ($1)`,
    [PROTECTED_TABLES, role],
  );
  for (const { table, isEnabled, hasPolicy } of rows) {
    if (!hasPolicy) {
      await client.query(`CREATE POLICY ${name} ON ${table} TO ${name} USING (true)`);
      await client.query(
        `COMMENT ON POLICY ${name} ON ${table} IS 'What works on records of many accounts: no condition is added.'`,
      );
    }
    if (!isEnabled) await client.query(`ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`);
  }
}

/** Without the second role, nothing could be read that is of several accounts. */
async function disablePolicies(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ table: string }>(
    `SELECT relname::text AS table FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relname = ANY ($1) AND relrowsecurity`,
    [PROTECTED_TABLES],
  );
  for (const { table } of rows) await client.query(`ALTER TABLE ${table} DISABLE ROW LEVEL SECURITY`);
}

/** Run a statement for which the owner may lack the privilege; returns whether it had it. */
async function attempt(client: pg.Client, statement: string): Promise<boolean> {
  await client.query('SAVEPOINT attempt');
  try {
    await client.query(statement);
    return true;
  } catch (error) {
    if (Reflect.get(Object(error), 'code') !== INSUFFICIENT_PRIVILEGE_SQLSTATE) throw error;
    await client.query('ROLLBACK TO SAVEPOINT attempt');
    return false;
  }
}
