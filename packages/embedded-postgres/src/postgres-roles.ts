import type { Cluster } from './cluster.ts';
import { runClusterProgram } from './run-cluster-program.ts';

const ROLES = ['qr_owner', 'qr_app', 'qr_reporting'] as const;

/** Passwords of login roles: letters, digits, `-` and `_` only. */
export type RolePasswords = Record<(typeof ROLES)[number], string>;

// Public functions that a report reader must not use: the advisory locks of the service, and functions that
// fill the disk. New databases inherit this from the template.
const PUBLIC_FUNCTIONS_SQL =
  '^(pg_(try_)?advisory_.*lock(_shared)?|lo_(create?|from_bytea|put)|lowrite|pg_logical_emit_message)$';

// One command per line for single-user mode.
const REVOKE_FROM_PUBLIC_SQL = `DO $$ DECLARE taken regprocedure; BEGIN FOR taken IN SELECT oid FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace AND proname ~ '${PUBLIC_FUNCTIONS_SQL}' AND (has_function_privilege('public', oid, 'EXECUTE') OR NOT has_function_privilege('qr_app_every_account', oid, 'EXECUTE')) LOOP EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO qr_owner, qr_app, qr_app_every_account', taken); EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', taken); END LOOP; END $$;`;

// A role can change these itself, so each start sets them again.
const REPORTING_ROLE_SETTINGS_SQL = `
ALTER ROLE qr_reporting RESET ALL;
ALTER ROLE qr_reporting SET default_transaction_read_only = on;
ALTER ROLE qr_reporting SET statement_timeout = '60s';
ALTER ROLE qr_reporting SET idle_in_transaction_session_timeout = '60s';
ALTER ROLE qr_reporting SET timezone = 'UTC';
ALTER ROLE qr_reporting SET jit = off;
ALTER ROLE qr_reporting SET temp_file_limit = '2GB';`;

// The owner may create no roles, and clusters of earlier versions lack it.
const EVERY_ACCOUNT_ROLE_SQL = `DO $$ BEGIN IF to_regrole('qr_app_every_account') IS NULL THEN CREATE ROLE qr_app_every_account NOLOGIN; END IF; IF current_setting('server_version_num')::int >= 160000 THEN EXECUTE 'GRANT qr_app_every_account TO qr_app WITH INHERIT FALSE, SET TRUE'; ELSE ALTER ROLE qr_app NOINHERIT; GRANT qr_app_every_account TO qr_app; END IF; END $$;`;

const CREATE_ROLES_SQL = `
CREATE ROLE qr_owner LOGIN CREATEDB;
CREATE ROLE qr_app LOGIN;
CREATE ROLE qr_reporting LOGIN CONNECTION LIMIT 10;
${EVERY_ACCOUNT_ROLE_SQL}
${REVOKE_FROM_PUBLIC_SQL}
CREATE DATABASE qr OWNER qr_owner;
REVOKE ALL ON DATABASE qr FROM PUBLIC;
GRANT CONNECT ON DATABASE qr TO qr_app, qr_reporting;
REVOKE ALL ON DATABASE postgres FROM PUBLIC;
`;

/** Create roles without passwords and the database `qr`; all but the owner get only what the owner grants. */
export async function createRoles(cluster: Cluster): Promise<void> {
  await runSingleUser(cluster, 'template1', CREATE_ROLES_SQL);
}

/** Set the passwords of a stopped cluster. */
export async function setRolePasswords(cluster: Cluster, passwords: RolePasswords): Promise<void> {
  const statements = ROLES.map((role) => `ALTER ROLE ${role} PASSWORD '${passwords[role]}';`);
  await runSingleUser(cluster, 'postgres', statements.join('\n'));
}

/**
 * Make the reporting role of a stopped cluster read-only, limit its statements and temporary files, and give the
 * application its second role.
 */
export async function prepareRoles(cluster: Cluster): Promise<void> {
  const statements = [REPORTING_ROLE_SETTINGS_SQL, EVERY_ACCOUNT_ROLE_SQL, REVOKE_FROM_PUBLIC_SQL];
  await runSingleUser(cluster, 'qr', statements.join('\n'));
}

// Single-user mode runs as superuser without a login or an open port.
function runSingleUser(cluster: Cluster, database: string, statements: string): Promise<void> {
  const settings = ['-c', 'exit_on_error=on', '-c', 'log_min_error_statement=panic'];
  return runClusterProgram(cluster, cluster.binaries.postgres, {
    arguments: ['--single', '-D', cluster.folder, ...settings, database],
    input: `${statements.trim()}\n`,
    failure: `PostgreSQL setup failed in ${cluster.folder}`,
  });
}
