/** Of node-postgres, whose errors have no code: a full pool and a lost server would look alike. */
const DRIVER_ERROR_CODES: ReadonlyMap<string, string> = new Map([
  ['timeout exceeded when trying to connect', 'POOL_TIMEOUT'],
  ['Connection terminated due to connection timeout', 'CONNECT_TIMEOUT'],
  ['Connection terminated unexpectedly', 'CONNECTION_LOST'],
  ['Connection terminated', 'ANSWER_TIMEOUT'],
  ['Client has encountered a connection error and is not queryable', 'CONNECTION_LOST'],
  ['Query read timeout', 'ANSWER_TIMEOUT'],
  ['Cannot use a pool after calling end on the pool', 'POOL_CLOSED'],
]);

/** Get the code of an error, or ours for a message of the database driver. */
export function findErrorCode(error: Error): string | undefined {
  const code: unknown = Reflect.get(error, 'code');
  return typeof code === 'string' ? code : DRIVER_ERROR_CODES.get(error.message);
}

/** Get the code or name of an error for the log. Never its message, which can hold user content. */
export function getErrorCodeOrName(error: unknown): string {
  if (!(error instanceof Error)) return 'Error';
  for (const candidate of [error, error.cause]) {
    const code = candidate instanceof Error ? findErrorCode(candidate) : undefined;
    if (code !== undefined && /^\w{2,40}$/.test(code)) return code;
  }
  return error.name;
}
