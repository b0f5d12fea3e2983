import { ServiceError } from '../../shared/errors.ts';
import { isConnectFailure } from '../database-client.ts';
import { DatabaseSessionError } from '../database-session.ts';

const RETRY_AFTER_ONE_SECOND = { retryAfterSeconds: 1 };

/** Prisma: unreachable, login failed, connection lost, pool exhausted, transaction lost, write conflict. */
const PRISMA_UNAVAILABLE_CODES = new Set(
  'P1000 P1001 P1002 P1003 P1008 P1010 P1011 P1017 P2024 P2028 P2034 P2037'.split(' '),
);
const PRISMA_CONFLICT_CODES = new Set('P2002 P2003 P2014'.split(' '));
const PRISMA_INTEGRITY_CODES = new Set([...PRISMA_CONFLICT_CODES, 'P2004', 'P2011']);
const PRISMA_NOT_FOUND_CODES = new Set('P2001 P2015 P2018 P2025'.split(' '));
const PRISMA_INVALID_VALUE_CODES = new Set(
  'P2000 P2004 P2005 P2006 P2007 P2011 P2019 P2020 P2033'.split(' '),
);

/** SQLSTATE of our triggers: the account was erased during its own request. */
const ACCOUNT_ERASED_SQLSTATE = 'QR410';

const SOCKET_UNAVAILABLE_CODES = new Set(
  'ECONNREFUSED ECONNRESET ENOTFOUND EAI_AGAIN EPIPE ETIMEDOUT EHOSTUNREACH ENETUNREACH'.split(' '),
);

const ADAPTER_UNAVAILABLE_KINDS = new Set(
  'DatabaseNotReachable SocketTimeout ConnectionClosed TooManyConnections TransactionAlreadyClosed TransactionWriteConflict TlsConnectionError AuthenticationFailed DatabaseAccessDenied DatabaseDoesNotExist'.split(
    ' ',
  ),
);

/** node-postgres sets no code for these. */
const UNAVAILABLE_MESSAGE_PATTERN =
  /^(?:timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|Query read timeout|Cannot use a pool after calling end)/;

/** Map an error of Prisma, its adapter or node-postgres by code; no part of its message reaches the client. */
export function mapDatabaseError(error: unknown): ServiceError | undefined {
  if (error instanceof DatabaseSessionError) return createUnavailableError(error);
  const details = collectErrorDetails(error);
  // First, since its cause is a lost connection.
  if (details.some(({ code }) => code === 'OUTCOME_UNKNOWN'))
    return new ServiceError('OUTCOME_UNKNOWN', { ...RETRY_AFTER_ONE_SECOND, cause: error });
  if (details.some(({ code }) => code === 'MISSING_PARTITION')) return createUnavailableError(error);
  for (const { code, kind, message } of details) {
    if (code !== undefined) {
      if (
        PRISMA_UNAVAILABLE_CODES.has(code) ||
        SOCKET_UNAVAILABLE_CODES.has(code) ||
        isUnavailableSqlState(code)
      )
        return createUnavailableError(error);
      if (PRISMA_NOT_FOUND_CODES.has(code)) return new ServiceError('NOT_FOUND', { cause: error });
      if (code === ACCOUNT_ERASED_SQLSTATE) return new ServiceError('UNAUTHENTICATED', { cause: error });
    }
    if (kind !== undefined && ADAPTER_UNAVAILABLE_KINDS.has(kind)) return createUnavailableError(error);
    if (UNAVAILABLE_MESSAGE_PATTERN.test(message)) return createUnavailableError(error);
  }
  for (const { code } of details) {
    if (code === undefined) continue;
    if (PRISMA_CONFLICT_CODES.has(code) || isConflictSqlState(code)) {
      return new ServiceError('CONFLICT', { cause: error });
    }
    if (PRISMA_INVALID_VALUE_CODES.has(code) || isInvalidValueSqlState(code)) {
      return new ServiceError('VALIDATION_FAILED', {
        detail: 'A value cannot be stored.',
        cause: error,
      });
    }
  }
  return undefined;
}

/** Whether the database was away, full or read-only, or did not confirm a change. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const code = mapDatabaseError(error)?.code;
  return code === 'DATABASE_UNAVAILABLE' || code === 'OUTCOME_UNKNOWN';
}

export function isMissingPartitionError(error: unknown): boolean {
  return hasCode(error, 'MISSING_PARTITION');
}

/** Find the SQLSTATE (class 23) or Prisma's code of a broken constraint. */
export function findIntegrityViolation(error: unknown): string | undefined {
  return collectErrorDetails(error)
    .map(({ code }) => code)
    .find((code) => code !== undefined && (/^23[0-9A-Z]{3}$/.test(code) || PRISMA_INTEGRITY_CODES.has(code)));
}

const LOCK_TIMEOUT_SQLSTATE = '55P03';
const STATEMENT_TIMEOUT_SQLSTATE = '57014';

export function isLockTimeoutError(error: unknown): boolean {
  return hasCode(error, LOCK_TIMEOUT_SQLSTATE);
}

export function isStatementTimeoutError(error: unknown): boolean {
  return hasCode(error, STATEMENT_TIMEOUT_SQLSTATE);
}

function hasCode(error: unknown, expected: string): boolean {
  return collectErrorDetails(error).some(({ code }) => code === expected);
}

interface ErrorDetails {
  code: string | undefined;
  kind: string | undefined;
  message: string;
}

function collectErrorDetails(error: unknown): ErrorDetails[] {
  const details: ErrorDetails[] = [];
  const visited = new Set<unknown>();
  const pending: unknown[] = [error];
  while (pending.length > 0 && visited.size < 10) {
    const current = pending.shift();
    if (typeof current !== 'object' || current === null || visited.has(current)) continue;
    visited.add(current);
    if (isConnectFailure(current))
      details.push({ code: undefined, kind: 'DatabaseNotReachable', message: '' });
    const readProperty = (name: string): unknown => Reflect.get(current, name);
    for (const name of ['code', 'errorCode', 'originalCode']) {
      const code = readProperty(name);
      if (typeof code === 'string') details.push({ code, kind: undefined, message: '' });
    }
    const kind = readProperty('kind');
    const message = readProperty('message');
    details.push({
      code: undefined,
      kind: typeof kind === 'string' ? kind : undefined,
      message: typeof message === 'string' ? message : '',
    });
    pending.push(readProperty('cause'), readProperty('meta'), readProperty('driverAdapterError'));
  }
  return details;
}

function createUnavailableError(cause: unknown): ServiceError {
  return new ServiceError('DATABASE_UNAVAILABLE', { ...RETRY_AFTER_ONE_SECOND, cause });
}

/** Unavailable, full, shutting down, read-only or timed out (PostgreSQL, appendix A). */
function isUnavailableSqlState(code: string): boolean {
  return (
    /^(?:08|53|57|58)[0-9A-Z]{3}$/.test(code) ||
    ['25P02', '25P03', '25006', '40001', '40P01', '55P03', '28P01', '28000', '3D000'].includes(code)
  );
}

function isConflictSqlState(code: string): boolean {
  return ['23505', '23503', '23001', '23P01'].includes(code);
}

/** Data exception (22), failed check or null (23), value too large or too deep (54). */
function isInvalidValueSqlState(code: string): boolean {
  return /^(?:22|54)[0-9A-Z]{3}$/.test(code) || code === '23514' || code === '23502';
}
