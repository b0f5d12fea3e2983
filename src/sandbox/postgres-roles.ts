import type { Cluster } from './cluster.ts';
import { runClusterProgram } from './run-cluster-program.ts';

export const ROLES = ['qr_owner', 'qr_app', 'qr_reporting'] as const;

/** The password of each role that logs in: letters, digits, `-` and `_` only. */
export type RolePasswords = Record<(typeof ROLES)[number], string>;

// One command a line, as single-user mode takes them.
const SET_UP = `
CREATE ROLE qr_owner LOGIN CREATEDB;
CREATE ROLE qr_app LOGIN;
CREATE ROLE qr_reporting LOGIN CONNECTION LIMIT 10;
ALTER ROLE qr_reporting SET default_transaction_read_only = on;
ALTER ROLE qr_reporting SET statement_timeout = '60s';
ALTER ROLE qr_reporting SET idle_in_transaction_session_timeout = '60s';
ALTER ROLE qr_reporting SET timezone = 'UTC';
ALTER ROLE qr_reporting SET temp_file_limit = '2GB';
CREATE DATABASE qr OWNER qr_owner;
REVOKE ALL ON DATABASE qr FROM PUBLIC;
GRANT CONNECT ON DATABASE qr TO qr_app, qr_reporting;
REVOKE ALL ON DATABASE postgres FROM PUBLIC;
`;

/**
 * Makes the roles, without passwords, and the empty database `qr` in a new cluster: `qr_owner` owns it
 * and may make further databases, `qr_app` and `qr_reporting` may log in to it and have what the owner
 * grants. A report ends after a minute, keeps no transaction open for longer, writes nothing, and fills no disk
 * with what it sorts.
 */
export async function createRoles(cluster: Cluster): Promise<void> {
  await runSingleUser(cluster, SET_UP);
}

/** Sets the passwords of the roles of a cluster that is not running. */
export async function setRolePasswords(cluster: Cluster, passwords: RolePasswords): Promise<void> {
  const statements = ROLES.map((role) => `ALTER ROLE ${role} PASSWORD '${passwords[role]}';`);
  await runSingleUser(cluster, statements.join('\n'));
}

// As superuser, with no log-in and no open port: the superuser itself has no password.
function runSingleUser(cluster: Cluster, statements: string): Promise<void> {
  const settings = ['-c', 'exit_on_error=on', '-c', 'log_min_error_statement=panic'];
  return runClusterProgram(cluster, cluster.binaries.postgres, {
    arguments: ['--single', '-D', cluster.folder, ...settings, 'postgres'],
    input: `${statements.trim()}\n`,
    failure: `PostgreSQL could not set up ${cluster.folder}`,
  });
}
