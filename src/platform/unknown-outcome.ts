import { getStatementText } from './describe-statement.rules.ts';

/** The connection ended before the database confirmed a change: nobody knows whether it is stored. */
export class UnknownOutcomeError extends Error {
  readonly code = 'OUTCOME_UNKNOWN';

  constructor(cause: unknown) {
    super('The connection was lost before the database confirmed a change.', { cause });
    this.name = 'UnknownOutcomeError';
  }
}

/** Of a connection before a statement is sent: idle, in a transaction, or in one that failed. */
export type TransactionStatus = 'I' | 'T' | 'E' | null;

const COMMIT_PATTERN = /^\s*commit\b/i;
const CHANGE_PATTERN =
  /\b(?:insert|merge|delete|truncate|call|copy|create|alter|drop|grant|nextval|setval)\b|(?<!\bfor |\bkey )\bupdate\b/i;

export function isChange(statement: unknown): boolean {
  return CHANGE_PATTERN.test(getStatementText(statement));
}

/** Whether a statement commits changes: on its own, or as the end of a transaction. */
export function canCommitChanges(statement: unknown, status: TransactionStatus): boolean {
  if (status === 'E') return false;
  return status === 'T' ? COMMIT_PATTERN.test(getStatementText(statement)) : isChange(statement);
}

const LOST_CONNECTION_PATTERN = /^Connection terminated/;
const LOST_CONNECTION_CODES = new Set(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH']);

/**
 * Whether an error tells nothing about the statement that was sent. Other errors of the server come after a rollback,
 * also those of `pg_terminate_backend` and of a shutdown (57P01).
 */
export function isOutcomeLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = String(Reflect.get(error, 'code'));
  if (Reflect.get(error, 'severity') === undefined)
    return LOST_CONNECTION_PATTERN.test(error.message) || LOST_CONNECTION_CODES.has(code);
  // 08: a pooler lost the server. 57P02: sent by a signal handler, at any moment of a commit.
  return /^08/.test(code) || code === '57P02' || Reflect.get(error, 'severity') === 'PANIC';
}
