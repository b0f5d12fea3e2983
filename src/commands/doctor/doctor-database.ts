import type { Config } from '../../config.ts';
import { type Database, openDatabase } from '../../platform/database.ts';
import { querySql } from '../../platform/sql.ts';
import { parseDatabaseUrl } from '../../shared/database-url.ts';
import { withinTime } from '../../shared/within-time.ts';
import { loadEmbeddedPostgresPackage } from '../../start/development-packages.ts';
import { connectToAnyHost, type DatabaseServer, openDatabaseServer } from '../../start/open-database.ts';
import type { Finding } from './check.ts';

/** Checks of the database run at the same time. */
const POOL_SIZE = 6;

/** Of all hosts together, within the time of a check; a busy machine needs longer than a request may wait. */
const CONNECTION_TIMEOUT_MS = 4_500;

const SILENT_LOG = { info() {}, warn() {}, error() {} };

/** No table or schema, by PostgreSQL and by Prisma: not migrated yet, which a check of its own reports. */
const NOT_MIGRATED_CODES = ['42P01', '3F000', 'P2021'];

export class EmbeddedDatabaseStoppedError extends Error {}

export interface DoctorDatabase extends Database {
  address: DatabaseServer;
}

export interface DatabaseConnector {
  /** Connect and load the client before the time limits of the checks begin: a busy machine needs seconds for both. */
  prepare(): Promise<void>;
  /** Connect once for all checks. @throws EmbeddedDatabaseStoppedError and what the connection throws */
  connect(): Promise<DoctorDatabase>;
  /** Run a check; null without a connection or tables. */
  inspect(work: (database: DoctorDatabase) => Promise<Finding | null>): Promise<Finding | null>;
  close(): Promise<void>;
}

/** Create the connection of all checks to the configured database, or to the embedded one if it runs. */
export function createDatabaseConnector(config: Config): DatabaseConnector {
  let connection: Promise<DoctorDatabase> | undefined;

  async function open(): Promise<DoctorDatabase> {
    const address = await findDatabaseServer(config);
    const database = openDatabase({
      url: address.applicationUrl,
      directUrl: address.directUrl,
      isPooled: config.isDatabasePooled,
      poolSize: POOL_SIZE,
      connectionTimeoutMs: CONNECTION_TIMEOUT_MS / parseDatabaseUrl(address.applicationUrl).hostUrls.length,
      onError() {},
    });
    try {
      await connectToAnyHost(database, address.applicationUrl, 1);
    } catch (error) {
      database.close().catch(() => undefined);
      throw error;
    }
    return { ...database, address };
  }

  function connect(): Promise<DoctorDatabase> {
    connection ??= open();
    return connection;
  }

  return {
    async prepare() {
      const { client } = await connect();
      await withinTime(CONNECTION_TIMEOUT_MS, () => querySql(client)`SELECT 1`);
    },
    connect,
    async inspect(work) {
      const database = await connect().catch(() => null);
      try {
        return database && (await work(database));
      } catch (error) {
        if (isNotMigratedError(error)) return null;
        throw error;
      }
    },
    async close() {
      const database = await connection?.catch(() => null);
      await database?.close();
    },
  };
}

/** A command that starts the embedded server would change its files. */
async function findDatabaseServer(config: Config): Promise<DatabaseServer> {
  if (config.databaseUrl) return openDatabaseServer(config, SILENT_LOG);
  const { findEmbeddedPostgres } = await loadEmbeddedPostgresPackage();
  const addresses = await findEmbeddedPostgres(config.dataDir);
  if (!addresses) throw new EmbeddedDatabaseStoppedError('The embedded database is not running.');
  return { ...addresses, stop: async () => {} };
}

function isNotMigratedError(error: unknown): boolean {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  return NOT_MIGRATED_CODES.includes(String(code));
}
