import type { Cluster } from './cluster.ts';
import { runClusterProgram } from './run-cluster-program.ts';

export const ROLES = ['qr_owner', 'qr_app', 'qr_reporting'] as const;

/** The password of each role that logs in: letters, digits, `-` and `_` only. */
export type RolePasswords = Record<(typeof ROLES)[number], string>;

// What everybody may do on a new server, and a reader of reports must not: hold the locks by which the service takes turns,
// and fill the disk. Databases made later have it from the template.
const PUBLIC_FUNCTIONS_SQL =
  '^(pg_(try_)?advisory_.*lock(_shared)?|lo_(create?|from_bytea|put)|lowrite|pg_logical_emit_message)$';

// One command a line, as single-user mode takes them.
const REVOKE_FROM_PUBLIC_SQL = `DO $$ DECLARE taken regprocedure; BEGIN FOR taken IN SELECT oid FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace AND proname ~ '${PUBLIC_FUNCTIONS_SQL}' AND has_function_privilege('public', oid, 'EXECUTE') LOOP EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO qr_owner, qr_app', taken); EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', taken); END LOOP; END $$;`;

// A role may change these of itself, so that each start sets them again.
const REPORTING_ROLE_SETTINGS_SQL = `
ALTER ROLE qr_reporting RESET ALL;
ALTER ROLE qr_reporting SET default_transaction_read_only = on;
ALTER ROLE qr_reporting SET statement_timeout = '60s';
ALTER ROLE qr_reporting SET idle_in_transaction_session_timeout = '60s';
ALTER ROLE qr_reporting SET timezone = 'UTC';
ALTER ROLE qr_reporting SET temp_file_limit = '2GB';`;

const CREATE_ROLES_SQL = `
CREATE ROLE qr_owner LOGIN CREATEDB;
CREATE ROLE qr_app LOGIN;
CREATE ROLE qr_reporting LOGIN CONNECTION LIMIT 10;
${REVOKE_FROM_PUBLIC_SQL}
CREATE DATABASE qr OWNER qr_owner;
REVOKE ALL ON DATABASE qr FROM PUBLIC;
GRANT CONNECT ON DATABASE qr TO qr_app, qr_reporting;
REVOKE ALL ON DATABASE postgres FROM PUBLIC;
`;

/**
 * Makes the roles, without passwords, and the empty database `qr` in a new cluster: `qr_owner` owns it
 * and may make further databases, `qr_app` and `qr_reporting` may log in to it and have what the owner
 * grants.
 */
export async function createRoles(cluster: Cluster): Promise<void> {
  await runSingleUser(cluster, 'template1', CREATE_ROLES_SQL);
}

/** Sets the passwords of the roles of a cluster that is not running. */
export async function setRolePasswords(cluster: Cluster, passwords: RolePasswords): Promise<void> {
  const statements = ROLES.map((role) => `ALTER ROLE ${role} PASSWORD '${passwords[role]}';`);
  await runSingleUser(cluster, 'postgres', statements.join('\n'));
}

/**
 * Sets what a reader of reports may not do, in a cluster that is not running: a report ends after a minute, keeps no
 * transaction open for longer, writes nothing, holds nobody up, and fills no disk with what it sorts.
 */
export async function limitReportingRole(cluster: Cluster): Promise<void> {
  await runSingleUser(cluster, 'qr', `${REPORTING_ROLE_SETTINGS_SQL}\n${REVOKE_FROM_PUBLIC_SQL}`);
}

// As superuser, with no log-in and no open port: the superuser itself has no password.
function runSingleUser(cluster: Cluster, database: string, statements: string): Promise<void> {
  const settings = ['-c', 'exit_on_error=on', '-c', 'log_min_error_statement=panic'];
  return runClusterProgram(cluster, cluster.binaries.postgres, {
    arguments: ['--single', '-D', cluster.folder, ...settings, database],
    input: `${statements.trim()}\n`,
    failure: `PostgreSQL could not set up ${cluster.folder}`,
  });
}
