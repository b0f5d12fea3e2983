import {
  type DatabaseServerState,
  findExtensions,
  readServerState,
} from '../../platform/database-inspection.repository.ts';
import { DatabaseSessionError, STATEMENT_TIMEOUT_MS } from '../../platform/database-session.ts';
import { mapDatabaseError } from '../../platform/http/database-errors.ts';
import { readMigrationState, readMigrations } from '../../platform/migration-history.ts';
import { formatErrorForTerminal } from '../../start/format-failure.ts';
import { isPoolerRefusal } from '../../start/get-exit-code.ts';
import { MIGRATIONS_FOLDER } from '../../start/open-database.ts';
import { type Check, createOk, createProblem, createWarning, type Finding } from './check.ts';
import { describeClockSkew } from './clock-skew.ts';
import {
  type DatabaseConnector,
  type DoctorDatabase,
  EmbeddedDatabaseStoppedError,
} from './doctor-database.ts';

const MIN_VERSION_NUMBER = 150_000;

const REQUIRED_EXTENSIONS = ['pg_trgm', 'btree_gin'];

const ADVICE = 'Check DATABASE_URL, the server and the firewall.';

/** Checks of the database server, its settings and the tables. */
export function createDatabaseChecks({ prepare, connect, inspect }: DatabaseConnector): Check[] {
  return [
    { name: 'database', advice: ADVICE, prepare, run: () => checkServer(connect) },
    {
      name: 'database settings',
      advice: ADVICE,
      run: () => inspect(async ({ pool }) => checkDurability(await readServerState(pool))),
    },
    {
      name: 'database extensions',
      advice: ADVICE,
      run: () => inspect(({ pool }) => checkExtensions(pool)),
    },
    { name: 'database clock', advice: ADVICE, run: () => inspect(({ pool }) => checkClock(pool)) },
    { name: 'migrations', advice: ADVICE, run: () => inspect(({ pool }) => checkMigrations(pool)) },
  ];
}

/** A session with other settings than required is refused when it is opened. */
async function checkServer(connect: DatabaseConnector['connect']): Promise<Finding> {
  try {
    const { pool } = await connect();
    return judgeServer(await readServerState(pool));
  } catch (error) {
    if (error instanceof EmbeddedDatabaseStoppedError)
      return createProblem(
        'the embedded database is not running',
        'Start the service, or set DATABASE_URL. The other checks of the database need it.',
      );
    const isExplained =
      error instanceof DatabaseSessionError ||
      isPoolerRefusal(error) ||
      mapDatabaseError(error) !== undefined;
    if (isExplained) return createProblem('cannot be used', formatErrorForTerminal(error));
    throw error;
  }
}

function judgeServer({ version, versionNumber, encoding, isWritable }: DatabaseServerState): Finding {
  const found = `PostgreSQL ${version}, ${encoding}, session in UTC without JIT, statements end after ${STATEMENT_TIMEOUT_MS / 1_000} s`;
  if (versionNumber < MIN_VERSION_NUMBER)
    return createProblem(found, 'Upgrade the server to PostgreSQL 15 or newer.');
  if (encoding !== 'UTF8')
    return createProblem(
      found,
      "Create a new database: CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0.",
    );
  if (!isWritable)
    return createProblem(
      `${found}, read-only`,
      'Use the primary, or turn default_transaction_read_only off for the role and the database.',
    );
  return createOk(found);
}

function checkDurability(state: DatabaseServerState): Finding {
  const { fsync, fullPageWrites, synchronousCommit, walLevel } = state;
  const found = `fsync ${fsync}, full_page_writes ${fullPageWrites}, synchronous_commit ${synchronousCommit}, wal_level ${walLevel}`;
  if (fsync === 'off' || fullPageWrites === 'off')
    return createProblem(found, 'Turn fsync and full_page_writes on: a power loss can destroy the database.');
  if (synchronousCommit === 'off')
    return createWarning(
      found,
      'Turn synchronous_commit on: a crash loses what was acknowledged in the last moments.',
    );
  if (walLevel === 'minimal')
    return createWarning(found, 'Set wal_level to replica, for standbys and physical backups.');
  return createOk(found);
}

async function checkExtensions(pool: DoctorDatabase['pool']): Promise<Finding> {
  const extensions = await findExtensions(pool, REQUIRED_EXTENSIONS);
  const missing = REQUIRED_EXTENSIONS.filter((name) => !extensions.some((one) => one.name === name));
  if (missing.length > 0)
    return createProblem(
      `not available: ${missing.join(', ')}`,
      'Install the package postgresql-contrib on the server.',
    );
  const absent = extensions.filter(({ isInstalled }) => !isInstalled).map(({ name }) => name);
  return absent.length > 0
    ? createWarning(
        `available, not installed: ${absent.join(', ')}`,
        'The first migration installs them. Its role needs the right to create in the database.',
      )
    : createOk(REQUIRED_EXTENSIONS.join(', '));
}

async function checkClock(pool: DoctorDatabase['pool']): Promise<Finding> {
  // The first statement on a connection takes longer.
  await readServerState(pool);
  const askedAt = Date.now();
  const { clockMs } = await readServerState(pool);
  return describeClockSkew('the database', clockMs, { askedAt, answeredAt: Date.now() });
}

async function checkMigrations(pool: DoctorDatabase['pool']): Promise<Finding> {
  const migrations = await readMigrations(MIGRATIONS_FOLDER);
  const { applied, pending, unfinished, changed, newer } = await readMigrationState(migrations, pool);
  const found = `${applied.length} of ${migrations.length} applied`;
  if (unfinished !== undefined)
    return createProblem(
      `${found}, ${unfinished} is not finished`,
      'Wait for the process that migrates. Otherwise check what the migration left, then run `npx prisma migrate resolve`.',
    );
  if (newer.some(({ isCompatible }) => !isCompatible))
    return createProblem(
      `${found}, and ${newer.length} of a newer version`,
      'Install the newer version, or restore the backup from before the upgrade. Migrations only go forward.',
    );
  if (pending.length > 0)
    return createWarning(
      `${found}`,
      'The next start of the service, or `npm run migrate`, applies the others. Make a backup before.',
    );
  if (newer.length > 0)
    return createWarning(
      `${found}, and ${newer.length} of a newer version, compatible with this one`,
      'Install the newer version again when it can run.',
    );
  if (changed.length > 0)
    return createWarning(
      `${found}, ${changed.length} changed afterwards`,
      'Restore the files of prisma/migrations of this version.',
    );
  return createOk(found);
}
