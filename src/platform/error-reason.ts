/** Why something failed, for a line of the log: the error's code, or its name. Never its message, which may hold what people wrote. */
export function getErrorReason(error: unknown): string {
  if (!(error instanceof Error)) return 'Error';
  for (const candidate of [error, error.cause]) {
    const code: unknown = candidate instanceof Error ? Reflect.get(candidate, 'code') : undefined;
    if (typeof code === 'string' && /^\w{2,40}$/.test(code)) return code;
  }
  return error.name;
}
