import type pg from 'pg';
import { memoizeFactory } from '../shared/memoize.ts';
import {
  ACCOUNT_SETTING,
  type AccountBinding,
  BIND_TO_EVERY_ACCOUNT,
  bindToAccount,
  type EveryAccountReason,
  toReadOnlyBinding,
} from './account-binding.ts';
import { DatabaseClient } from './database-client.ts';
import type { Database, ReadDatabase, Tx } from './database-types.ts';

type BoundProperties = 'forAccount' | 'forEveryAccount';

interface TransactionOptions {
  maxWait: number;
  timeout: number;
}

/** Add to a database what binds it to one account, or to every account. docs/adr/0057-row-level-security.md */
export function addBindings(
  database: Omit<Database, BoundProperties>,
  options: TransactionOptions,
): Database {
  const bind = (binding: AccountBinding) => bindDatabase(database, binding, options, bindings);
  const everyAccount = memoizeFactory(() => bind(BIND_TO_EVERY_ACCOUNT));
  const bindings: Pick<Database, BoundProperties> = {
    forAccount: (accountId) => bind(bindToAccount(accountId)),
    forEveryAccount: (_reason: EveryAccountReason) => everyAccount(),
  };
  return { ...database, ...bindings };
}

function bindDatabase(
  database: Omit<Database, BoundProperties>,
  binding: AccountBinding,
  options: TransactionOptions,
  bindings: Pick<Database, BoundProperties>,
): Database {
  return {
    ...database,
    ...bindReads(database, binding, options),
    transaction: (work) =>
      database.transaction(async (tx) => {
        await tx.$executeRawUnsafe(binding);
        return work(tx);
      }),
    read: (work) => database.read((server) => work(bindReads(server, binding, options))),
    ...bindings,
  };
}

function bindReads(
  { client, pool, readSnapshot }: ReadDatabase,
  binding: AccountBinding,
  options: TransactionOptions,
): ReadDatabase {
  return {
    client: bindClient(client, binding, options),
    pool: bindPool(pool, binding),
    readSnapshot: (read) =>
      readSnapshot(async (tx) => {
        await tx.$executeRawUnsafe(binding);
        return read(tx);
      }),
  };
}

/** Let the transactions of a use case be part of one, which it binds as its own. */
export function joinTransaction(database: Database, tx: Tx, binding?: AccountBinding): Database {
  return {
    ...database,
    async transaction(work) {
      return binding === undefined ? work(tx) : runBound(tx, binding, () => work(tx));
    },
    forAccount: (accountId) => joinTransaction(database.forAccount(accountId), tx, bindToAccount(accountId)),
    forEveryAccount: (reason) => joinTransaction(database.forEveryAccount(reason), tx, BIND_TO_EVERY_ACCOUNT),
  };
}

/** Bind a part of a transaction to an account; what follows is bound as before. */
export function runForAccount<T>(tx: Tx, accountId: string, work: () => Promise<T>): Promise<T> {
  return runBound(tx, bindToAccount(accountId), work);
}

async function runBound<T>(tx: Tx, binding: AccountBinding, work: () => Promise<T>): Promise<T> {
  const [outer] = await tx.$queryRawUnsafe<{ role: string; accountId: string }[]>(
    `SELECT current_setting('role') AS role, coalesce(current_setting('${ACCOUNT_SETTING}', true), '') AS "accountId"`,
  );
  if (!outer) throw new Error('The settings of the transaction were not read.');
  const restore = () =>
    tx.$executeRawUnsafe(
      `SELECT set_config('role', $1, true), set_config('${ACCOUNT_SETTING}', $2, true)`,
      outer.role,
      outer.accountId,
    );
  await tx.$executeRawUnsafe(binding);
  try {
    const result = await work();
    await restore();
    return result;
  } catch (error) {
    // In a transaction that has failed nothing can be bound, and nothing follows.
    await restore().catch(() => undefined);
    throw error;
  }
}

const READ_OPERATION_PATTERN = /^(?:find|count$|aggregate$|groupBy$)/;
const RAW_OPERATIONS = new Set(['$queryRawUnsafe', '$executeRawUnsafe', '$queryRaw', '$executeRaw']);

type Call = (...args: unknown[]) => unknown;

/** Prisma passes nothing to its driver but statements, so each of its calls becomes a transaction. */
function bindClient(
  client: ReadDatabase['client'],
  binding: AccountBinding,
  options: TransactionOptions,
): ReadDatabase['client'] {
  const run = (isRead: boolean, work: (tx: Tx) => unknown) =>
    client.$transaction(async (tx) => {
      await tx.$executeRawUnsafe(isRead ? toReadOnlyBinding(binding) : binding);
      return work(tx);
    }, options);
  const bindModel = (model: string, delegate: object) =>
    new Proxy(delegate, {
      get: (target, operation) => {
        const call: unknown = Reflect.get(target, operation);
        if (typeof call !== 'function' || typeof operation !== 'string') return call;
        return (...args: unknown[]) =>
          run(READ_OPERATION_PATTERN.test(operation), (tx) =>
            getCall(Reflect.get(tx, model), operation)(...args),
          );
      },
    });
  return new Proxy(client, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof name !== 'string') return value;
      // SQL by hand may call a function that writes.
      if (RAW_OPERATIONS.has(name))
        return (...args: unknown[]) => run(false, (tx) => getCall(tx, name)(...args));
      if (name === '$transaction') return refuseTransaction;
      if (name.startsWith('$') || name.startsWith('_') || typeof value !== 'object' || value === null)
        return value;
      return bindModel(name, value);
    },
  });
}

function getCall(target: object, name: string): Call {
  return Reflect.get(target, name).bind(target);
}

function refuseTransaction(): never {
  throw new Error('Use the transaction of the database: it is bound to an account.');
}

type ConnectCallback = (error: Error | undefined, client?: pg.PoolClient, release?: Release) => void;
type Release = (error?: Error | boolean) => void;

/** The driver's pool, whose connections bind each statement or transaction while they are taken from it. */
function bindPool(pool: pg.Pool, binding: AccountBinding): pg.Pool {
  return Object.create(pool, {
    connect: {
      value(callback?: ConnectCallback) {
        if (!callback) return pool.connect().then((client) => bindClientUntilRelease(client, binding));
        return pool.connect((error, client, release) => {
          if (!client) return callback(error, client, release);
          bindClientUntilRelease(client, binding);
          return callback(error, client, client.release.bind(client));
        });
      },
    },
  });
}

function bindClientUntilRelease(client: pg.PoolClient, binding: AccountBinding): pg.PoolClient {
  if (!(client instanceof DatabaseClient)) throw new Error('The connection cannot be bound to an account.');
  const { release } = client;
  client.setBinding(binding);
  client.release = (error) => {
    client.setBinding(null);
    release.call(client, error);
  };
  return client;
}
