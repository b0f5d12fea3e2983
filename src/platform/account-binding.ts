/** Why a statement reads or writes records of accounts without naming the account. */
export type EveryAccountReason =
  /** It finds the account that a credential belongs to. */
  | 'CREDENTIAL'
  /** It finds a record by an id, number, image or token that anybody may have; what follows is allowed by the record. */
  | 'PUBLIC_LOOKUP'
  /** It stores scans of many accounts at once. */
  | 'SCAN_GROUP'
  /** A job, or the delivery of events, works on records of many accounts. */
  | 'WORKER'
  /** It finds records by an id of the payment provider. */
  | 'PAYMENT_PROVIDER'
  /** It is about what a user did, received or takes care of at other accounts. */
  | 'USER_TRACES'
  /** Staff read records of all accounts. */
  | 'STAFF'
  /** A command works on records of all accounts. */
  | 'COMMAND'
  /** It reads rows of ids, or scans of a code, that were found for the account; both conditions would combine two indexes. */
  | 'QUERY_PLAN'
  /** Its table or its conditions are known at run time only. */
  | 'RUN_TIME'
  /** A statement of the same use case has found the record, or the one it belongs to, and who may use it. */
  | 'CHECKED_RECORD';

/** The setting that policies compare with `account_id`. */
export const ACCOUNT_SETTING = 'app.account_id';

const EVERY_ACCOUNT_ROLE_SUFFIX = '_every_account';

/** PostgreSQL truncates longer names. */
const MAX_ROLE_BYTES = 63;

/** A statement that binds the transaction in which it runs: to an account, or to the role that sees every account. */
export type AccountBinding = `SELECT set_config(${string}`;

const ACCOUNT_ID_PATTERN = /^[0-9a-f]{24}$/;
const BINDING_PATTERN =
  /^SELECT set_config\('(?:app\.account_id', '[0-9a-f]{24}', true\), set_config\('role', 'none'|role', CASE [^']*'_every_account'[^']*'MEMBER'[^']*'_every_account'[^']*'none' END), true\)(?:, set_config\('transaction_read_only', 'on', true\))?$/;

const READ_ONLY = ", set_config('transaction_read_only', 'on', true)";

/**
 * Ends the role that sees every account, too.
 * @throws RangeError if it is no id: its text becomes part of a statement
 */
export function bindToAccount(accountId: string): AccountBinding {
  if (!ACCOUNT_ID_PATTERN.test(accountId)) throw new RangeError('The id of an account has 24 hex digits.');
  return `SELECT set_config('${ACCOUNT_SETTING}', '${accountId}', true), set_config('role', 'none', true)`;
}

const ROLE_SQL = `session_user || '${EVERY_ACCOUNT_ROLE_SUFFIX}'`;

/** Without the role, which not every server has, the role stays: then nothing is protected. */
export const BIND_TO_EVERY_ACCOUNT: AccountBinding = `SELECT set_config('role', CASE WHEN pg_has_role(to_regrole(quote_ident(${ROLE_SQL})), 'MEMBER') THEN ${ROLE_SQL} ELSE 'none' END, true)`;

/** The connection need not wait for the commit of what cannot write. */
export function toReadOnlyBinding(binding: AccountBinding): AccountBinding {
  return `${binding}${READ_ONLY}`;
}

export function isAccountBinding(text: string): text is AccountBinding {
  return text.startsWith('SELECT set_config(') && BINDING_PATTERN.test(text);
}

export function isReadOnlyBinding(text: string): boolean {
  return text.endsWith(READ_ONLY);
}

/** Get the name of the role that sees every account, of a role of DATABASE_URL; null if it would be too long. */
export function getEveryAccountRole(applicationRole: string): string | null {
  const name = `${applicationRole}${EVERY_ACCOUNT_ROLE_SUFFIX}`;
  return Buffer.byteLength(name) > MAX_ROLE_BYTES ? null : name;
}
