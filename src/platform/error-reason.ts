/** Get the code or name of an error for the log. Never its message, which can hold user content. */
export function getErrorCodeOrName(error: unknown): string {
  if (!(error instanceof Error)) return 'Error';
  for (const candidate of [error, error.cause]) {
    const code: unknown = candidate instanceof Error ? Reflect.get(candidate, 'code') : undefined;
    if (typeof code === 'string' && /^\w{2,40}$/.test(code)) return code;
  }
  return error.name;
}
