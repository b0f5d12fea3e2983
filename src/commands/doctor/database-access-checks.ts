import type { Config } from '../../config.ts';
import { countStaffSecondFactors } from '../../features/identity/index.ts';
import { connectDatabaseClient, OWNER_SESSION } from '../../platform/database-client.ts';
import {
  readConnectionUsage,
  readOwnerPrivileges,
  readReplicationState,
  readRolePrivileges,
} from '../../platform/database-inspection.repository.ts';
import { getErrorCodeOrName } from '../../platform/error-reason.ts';
import { APPEND_ONLY_TABLES, NOT_INSERTABLE_TABLES } from '../../platform/prepare-database.ts';
import { REPORTING_DATABASE_ROLE } from '../../platform/reporting-role.ts';
import { PROTECTED_TABLES } from '../../platform/row-level-security.ts';
import { parseDatabaseUrl } from '../../shared/database-url.ts';
import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';
import { type Check, createOk, createProblem, createWarning, type Finding, NOT_CONFIGURED } from './check.ts';
import type { DatabaseConnector, DoctorDatabase } from './doctor-database.ts';

const DOCTOR_SESSION = { role: 'application', applicationName: 'qr-profile-service doctor' } as const;

/** A process also has one that listens. */
const CONNECTIONS_BESIDE_POOL = 1;

/** Part of the connections above which the next process may not get all of its own. */
const MAX_USED_PART = 0.9;

const MAX_LAG_SECONDS = 60;

/** Names in a line; the rest is counted. */
const MAX_NAMES = 5;

/** Checks of roles, connections and replicas. */
export function createDatabaseAccessChecks(config: Config, { inspect }: DatabaseConnector): Check[] {
  const advice = 'Check DATABASE_URL, the server and the firewall.';
  return [
    { name: 'database role', advice, run: () => inspect(({ pool }) => checkRole(pool)) },
    { name: 'second factors', advice, run: () => inspect(({ pool }) => checkSecondFactors(pool)) },
    {
      name: 'database owner',
      advice: 'Check DATABASE_OWNER_URL: its role migrates the tables.',
      run: () => checkOwner(config),
    },
    {
      name: 'database connections',
      advice,
      run: () => inspect(({ pool }) => checkConnections(config, pool)),
    },
    { name: 'replication', advice, run: () => inspect(({ pool }) => checkReplication(config, pool)) },
    {
      name: 'direct connection',
      advice: 'Check DATABASE_DIRECT_URL: it is the server itself, with the role of DATABASE_URL.',
      run: () => checkDirectConnection(config),
    },
  ];
}

/** In production, roles above USER can only enroll until they have one. */
async function checkSecondFactors(pool: DoctorDatabase['pool']): Promise<Finding> {
  const { staff, missing } = await countStaffSecondFactors(pool);
  return missing === 0
    ? createOk(`all ${staff} accounts with a role have one`)
    : createWarning(
        `${missing} of ${staff} accounts with a role have none`,
        'They log in and enroll: until then they can do nothing else in production.',
      );
}

async function checkRole(pool: DoctorDatabase['pool']): Promise<Finding> {
  const state = await readRolePrivileges(pool, {
    notInsertable: NOT_INSERTABLE_TABLES,
    appendOnly: APPEND_ONLY_TABLES,
    reportingRole: REPORTING_DATABASE_ROLE,
    protectedTables: PROTECTED_TABLES,
  });
  const { role, isSuperuser, hasAttributes, ownsTables, missing, excessive, hasReportingRole, unprotected } =
    state;
  if (missing.length > 0)
    return createProblem(
      `${role} may not read or write ${listNames(missing)}`,
      'Start the service with DATABASE_OWNER_URL: the start grants the rights.',
    );
  if (isSuperuser || hasAttributes)
    return createWarning(
      `${role} is ${isSuperuser ? 'a superuser' : 'a role with attributes such as CREATEDB or CREATEROLE'}`,
      'Use a role without attributes for DATABASE_URL, and the schema owner for DATABASE_OWNER_URL.',
    );
  if (ownsTables)
    return createWarning(
      `${role} owns the tables: it could alter the audit trail, and PostgreSQL does not keep accounts apart`,
      'Set DATABASE_OWNER_URL to the owner and DATABASE_URL to a role of its own.',
    );
  if (excessive.length > 0)
    return createWarning(
      `${role} may alter ${listNames(excessive)}`,
      'Start the service with DATABASE_OWNER_URL: the start revokes the rights.',
    );
  if (unprotected.length > 0)
    return createWarning(
      `PostgreSQL does not keep accounts apart in ${listNames(unprotected)}`,
      'Start the service with DATABASE_OWNER_URL. If this remains, create the role for every account: docs/operations/running.md.',
    );
  if (!hasReportingRole)
    return createWarning(
      `the role ${REPORTING_DATABASE_ROLE} is missing: reports in SQL are not readable`,
      'See docs/guides/reports.md on how to create it.',
    );
  return createOk(
    `${role}, which sees one account at a time in protected tables and cannot alter the audit trail`,
  );
}

async function checkOwner({ databaseOwnerUrl }: Config): Promise<Finding> {
  if (!databaseOwnerUrl) return NOT_CONFIGURED;
  const client = await connectDatabaseClient(databaseOwnerUrl, OWNER_SESSION);
  try {
    const { role, canCreate, foreignTables } = await readOwnerPrivileges(client);
    if (!canCreate)
      return createProblem(
        `${role} may not create tables`,
        'Grant CREATE on the database and on the schema public to the role of DATABASE_OWNER_URL.',
      );
    if (foreignTables.length > 0)
      return createProblem(
        `${role} does not own ${listNames(foreignTables)}`,
        'Make the role of DATABASE_OWNER_URL the owner of all tables, or a member of their owner.',
      );
    return createOk(`${role}, who may migrate`);
  } finally {
    client.end().catch(() => undefined);
  }
}

async function checkConnections(config: Config, pool: DoctorDatabase['pool']): Promise<Finding> {
  const { limit, open, processes } = await readConnectionUsage(pool, LIFETIMES_SECONDS.instanceHeartbeat);
  // The pool of a pooler is its own setting.
  const perProcess = (config.isDatabasePooled ? 0 : config.databasePoolSize) + CONNECTIONS_BESIDE_POOL;
  const count = Math.max(processes, 1);
  const found = `${open} of ${limit} open; ${count} × ${perProcess} for running processes`;
  if (count * perProcess > limit)
    return createProblem(
      found,
      'Raise max_connections or the limit of the role, lower DATABASE_POOL_SIZE, or use a pooler.',
    );
  if (open > limit * MAX_USED_PART)
    return createWarning(found, 'Raise max_connections, or look for programs that keep connections open.');
  return createOk(found);
}

/** Hosts of poolers are no standbys. */
async function checkReplication(config: Config, pool: DoctorDatabase['pool']): Promise<Finding> {
  const { databaseUrl, databaseReadUrl, isDatabasePooled } = config;
  const hostUrls = databaseUrl && !isDatabasePooled ? parseDatabaseUrl(databaseUrl).hostUrls : [];
  const { standbys, standbyLagSeconds } = await readReplicationState(pool);
  const findings = await Promise.all([
    ...(hostUrls.length > 1 ? hostUrls : []).map((url, index) =>
      findHostProblem(`host ${index + 1} of DATABASE_URL`, url, false),
    ),
    databaseReadUrl ? findHostProblem('DATABASE_READ_URL', databaseReadUrl, true) : [],
  ]);
  const problems = findings.flat();
  if (standbyLagSeconds !== null && standbyLagSeconds > MAX_LAG_SECONDS)
    problems.push(`a standby is ${Math.round(standbyLagSeconds)} s behind`);
  if (problems.length > 0)
    return createWarning(problems.join(', '), 'Check the standby, its connection and its disk.');
  if (standbys === 0 && hostUrls.length <= 1 && !databaseReadUrl) return NOT_CONFIGURED;
  return createOk(`${standbys} connected, ${hostUrls.length} in DATABASE_URL`);
}

/** Hosts are named by their setting and place in it. */
async function findHostProblem(name: string, hostUrl: string, mustBeStandby: boolean): Promise<string[]> {
  try {
    const client = await connectDatabaseClient(hostUrl, DOCTOR_SESSION);
    const state = await readReplicationState(client).finally(() => client.end().catch(() => undefined));
    if (!state.isStandby)
      return mustBeStandby ? [`${name} is not a standby, so nothing is read from it`] : [];
    if (!state.isReceiving) return [`${name} is a standby that receives nothing`];
    const lag = state.replayLagSeconds ?? 0;
    return lag > MAX_LAG_SECONDS ? [`${name} is ${Math.round(lag)} s behind`] : [];
  } catch (error) {
    return [`${name} does not answer (${getErrorCodeOrName(error)})`];
  }
}

async function checkDirectConnection({ databaseDirectUrl }: Config): Promise<Finding> {
  if (!databaseDirectUrl) return NOT_CONFIGURED;
  const client = await connectDatabaseClient(databaseDirectUrl, DOCTOR_SESSION);
  await client.end();
  return createOk('accepts a session');
}

function listNames(names: readonly string[]): string {
  const more = names.length - MAX_NAMES;
  return `${names.slice(0, MAX_NAMES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
