import { ServiceError } from '../../shared/errors.ts';

const AWAY = { retryAfterSeconds: 1 };

/** Prisma: not reachable, not let in, gone, no connection free, transaction lost, write conflict. */
const PRISMA_AWAY = new Set(
  'P1000 P1001 P1002 P1003 P1008 P1010 P1011 P1017 P2024 P2028 P2034 P2037'.split(' '),
);
const PRISMA_CONFLICT = new Set('P2002 P2003 P2014'.split(' '));
const PRISMA_ABSENT = new Set('P2001 P2015 P2018 P2025'.split(' '));
const PRISMA_INVALID = new Set('P2000 P2004 P2005 P2006 P2007 P2011 P2019 P2020 P2033'.split(' '));

/** SQLSTATE of our triggers: the account was erased while its own request was under way. */
const ACCOUNT_ERASED = 'QR410';

const SOCKET_AWAY = new Set(
  'ECONNREFUSED ECONNRESET ENOTFOUND EAI_AGAIN EPIPE ETIMEDOUT EHOSTUNREACH ENETUNREACH'.split(' '),
);

/** Kinds of @prisma/adapter-pg that stand for a database that is away. */
const KIND_AWAY = new Set(
  'DatabaseNotReachable SocketTimeout ConnectionClosed TooManyConnections TransactionAlreadyClosed TransactionWriteConflict TlsConnectionError AuthenticationFailed DatabaseAccessDenied DatabaseDoesNotExist'.split(
    ' ',
  ),
);

/** node-postgres gives these no code. */
const MESSAGE_AWAY =
  /^(?:timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|Query read timeout|Cannot use a pool after calling end)/;

/**
 * The answer for an error of Prisma, its adapter or node-postgres, or undefined for any other: 503 with
 * Retry-After when the database is away or busy, 409 for a unique or foreign key, 404 for a missing record,
 * 400 for a value it refuses, 401 for an account that was erased meanwhile. Decides by codes alone; nothing of the original text reaches the client.
 */
export function databaseError(error: unknown): ServiceError | undefined {
  const signs = signsOf(error);
  for (const { code, kind, message } of signs) {
    if (code !== undefined) {
      if (PRISMA_AWAY.has(code) || SOCKET_AWAY.has(code) || isAwayState(code)) return unavailable(error);
      if (PRISMA_ABSENT.has(code)) return new ServiceError('NOT_FOUND', { cause: error });
      if (code === ACCOUNT_ERASED) return new ServiceError('UNAUTHENTICATED', { cause: error });
    }
    if (kind !== undefined && KIND_AWAY.has(kind)) return unavailable(error);
    if (MESSAGE_AWAY.test(message)) return unavailable(error);
  }
  for (const { code } of signs) {
    if (code === undefined) continue;
    if (PRISMA_CONFLICT.has(code) || isConflictState(code)) {
      return new ServiceError('CONFLICT', { cause: error });
    }
    if (PRISMA_INVALID.has(code) || isInvalidState(code)) {
      return new ServiceError('VALIDATION_FAILED', {
        detail: 'A value cannot be stored as it is.',
        cause: error,
      });
    }
  }
  return undefined;
}

interface Sign {
  code: string | undefined;
  kind: string | undefined;
  message: string;
}

/** The error and what it wraps: `cause`, Prisma's `meta` and the adapter's error within it. */
function signsOf(error: unknown): Sign[] {
  const signs: Sign[] = [];
  const seen = new Set<unknown>();
  const open: unknown[] = [error];
  while (open.length > 0 && seen.size < 10) {
    const one = open.shift();
    if (typeof one !== 'object' || one === null || seen.has(one)) continue;
    seen.add(one);
    const read = (name: string): unknown => Reflect.get(one, name);
    for (const name of ['code', 'errorCode', 'originalCode']) {
      const code = read(name);
      if (typeof code === 'string') signs.push({ code, kind: undefined, message: '' });
    }
    const kind = read('kind');
    const message = read('message');
    signs.push({
      code: undefined,
      kind: typeof kind === 'string' ? kind : undefined,
      message: typeof message === 'string' ? message : '',
    });
    open.push(read('cause'), read('meta'), read('driverAdapterError'));
  }
  return signs;
}

function unavailable(cause: unknown): ServiceError {
  return new ServiceError('DATABASE_UNAVAILABLE', { ...AWAY, cause });
}

/** SQLSTATE of a server that is away, full, stopping, read-only, or gave up waiting (PostgreSQL, appendix A). */
function isAwayState(code: string): boolean {
  return (
    /^(?:08|53|57|58)[0-9A-Z]{3}$/.test(code) ||
    ['25P02', '25P03', '25006', '40001', '40P01', '55P03', '28P01', '28000', '3D000'].includes(code)
  );
}

function isConflictState(code: string): boolean {
  return ['23505', '23503', '23001', '23P01'].includes(code);
}

/** Data exceptions (22), a failed check or null (23), a value too large or too deep (54). */
function isInvalidState(code: string): boolean {
  return /^(?:22|54)[0-9A-Z]{3}$/.test(code) || code === '23514' || code === '23502';
}
