import type pg from 'pg';

type Client = Pick<pg.Pool, 'query'>;

export interface DatabaseServerState {
  version: string;
  versionNumber: number;
  encoding: string;
  isWritable: boolean;
  fsync: string;
  fullPageWrites: string;
  synchronousCommit: string;
  walLevel: string;
  /** Milliseconds since 1970 by the clock of the server. */
  clockMs: number;
}

const SERVER_SQL = `
  SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS "versionNumber",
    pg_encoding_to_char(encoding) AS encoding, current_setting('transaction_read_only') = 'off' AS "isWritable",
    current_setting('fsync') AS fsync, current_setting('full_page_writes') AS "fullPageWrites",
    current_setting('synchronous_commit') AS "synchronousCommit", current_setting('wal_level') AS "walLevel",
    (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS "clockMs"
  FROM pg_database WHERE datname = current_database()`;

export function readServerState(client: Client): Promise<DatabaseServerState> {
  return readRow(client, SERVER_SQL);
}

export interface ConnectionUsage {
  /** Connections that the role may open beside those of others: the smallest of the limits. */
  limit: number;
  open: number;
  /** Processes of the service, by their heartbeats. */
  processes: number;
}

const CONNECTIONS_SQL = `
  SELECT least(
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
        - coalesce(current_setting('reserved_connections', true)::int, 0),
      nullif(rolconnlimit, -1), nullif(datconnlimit, -1)) AS limit,
    (SELECT coalesce(sum(numbackends), 0)::int FROM pg_stat_database) AS open,
    (SELECT count(*)::int FROM instances WHERE last_heartbeat_at > now() - make_interval(secs => $1)) AS processes
  FROM pg_roles, pg_database WHERE rolname = current_user AND datname = current_database()`;

export function readConnectionUsage(client: Client, heartbeatSeconds: number): Promise<ConnectionUsage> {
  return readRow(client, CONNECTIONS_SQL, [heartbeatSeconds]);
}

export interface RolePrivileges {
  role: string;
  isSuperuser: boolean;
  /** CREATEROLE, CREATEDB, REPLICATION or BYPASSRLS. */
  hasAttributes: boolean;
  ownsTables: boolean;
  /** Tables without the rights that the service needs. */
  missing: string[];
  /** Append-only tables that it could alter. */
  excessive: string[];
  hasReportingRole: boolean;
  /** Protected tables of which it sees every account. */
  unprotected: string[];
}

const PRIVILEGES_SQL = `
  WITH tables AS (
    SELECT pg_class.oid, relname, nspname, relowner FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE nspname IN ('public', 'pgboss') AND relkind IN ('r', 'p') AND NOT relispartition)
  SELECT current_user AS role, rolsuper AS "isSuperuser",
    rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls AS "hasAttributes",
    EXISTS (SELECT FROM tables WHERE nspname = 'public' AND pg_has_role(relowner, 'USAGE')) AS "ownsTables",
    ARRAY(SELECT relname::text FROM tables
      WHERE NOT has_table_privilege(oid, 'SELECT')
        OR NOT has_table_privilege(oid, 'INSERT') AND NOT relname = ANY($1::text[])
      ORDER BY relname) AS missing,
    ARRAY(SELECT relname::text FROM tables
      WHERE relname = ANY($2::text[]) AND has_table_privilege(oid, 'UPDATE, DELETE, TRUNCATE')
      ORDER BY relname) AS excessive,
    EXISTS (SELECT FROM pg_roles WHERE rolname = $3) AS "hasReportingRole",
    ARRAY(SELECT relname::text FROM tables WHERE relname = ANY($4::text[]) AND NOT row_security_active(oid)
      ORDER BY relname) AS unprotected
  FROM pg_roles WHERE rolname = current_user`;

export function readRolePrivileges(
  client: Client,
  tables: {
    notInsertable: readonly string[];
    appendOnly: readonly string[];
    reportingRole: string;
    protectedTables: readonly string[];
  },
): Promise<RolePrivileges> {
  const { notInsertable, appendOnly, reportingRole, protectedTables } = tables;
  return readRow(client, PRIVILEGES_SQL, [
    [...notInsertable],
    [...appendOnly],
    reportingRole,
    [...protectedTables],
  ]);
}

export interface OwnerPrivileges {
  role: string;
  canCreate: boolean;
  /** Tables that a migration could not alter. */
  foreignTables: string[];
}

const OWNER_SQL = `
  SELECT current_user AS role,
    has_database_privilege(current_database(), 'CREATE') AND has_schema_privilege('public', 'CREATE') AS "canCreate",
    ARRAY(SELECT relname::text FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
      AND NOT relispartition AND NOT pg_has_role(relowner, 'USAGE') ORDER BY relname) AS "foreignTables"`;

export function readOwnerPrivileges(client: Client): Promise<OwnerPrivileges> {
  return readRow(client, OWNER_SQL);
}

const EXTENSIONS_SQL = `
  SELECT name, installed_version IS NOT NULL AS "isInstalled" FROM pg_available_extensions
  WHERE name = ANY($1::text[])`;

export async function findExtensions(
  client: Client,
  names: readonly string[],
): Promise<{ name: string; isInstalled: boolean }[]> {
  const { rows } = await client.query<{ name: string; isInstalled: boolean }>(EXTENSIONS_SQL, [[...names]]);
  return rows;
}

export interface ReplicationState {
  isStandby: boolean;
  /** Of a standby: whether it receives changes, and how old the last replayed one is. */
  isReceiving: boolean;
  replayLagSeconds: number | null;
  /** Of a primary: standbys, and the lag of the slowest; null where the role may not see it. */
  standbys: number;
  standbyLagSeconds: number | null;
}

/** A standby that has replayed everything has no lag, however old the last change is. */
const REPLICATION_SQL = `
  SELECT pg_is_in_recovery() AS "isStandby", EXISTS (SELECT FROM pg_stat_wal_receiver) AS "isReceiving",
    CASE WHEN pg_is_in_recovery() AND pg_last_wal_receive_lsn() IS DISTINCT FROM pg_last_wal_replay_lsn()
      THEN extract(epoch FROM now() - pg_last_xact_replay_timestamp())::float8 END AS "replayLagSeconds",
    (SELECT count(*)::int FROM pg_stat_replication) AS standbys,
    (SELECT max(extract(epoch FROM replay_lag))::float8 FROM pg_stat_replication) AS "standbyLagSeconds"`;

export function readReplicationState(client: Client): Promise<ReplicationState> {
  return readRow(client, REPLICATION_SQL);
}

async function readRow<Row extends object>(
  client: Client,
  sql: string,
  values: unknown[] = [],
): Promise<Row> {
  const { rows } = await client.query<Row>(sql, values);
  const [row] = rows;
  if (!row) throw new Error('The database answered without a row.');
  return row;
}
