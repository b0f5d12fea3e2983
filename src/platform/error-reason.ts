/** Why something failed, for a line of the log: the error's code, or its name. Never its message, which may hold what people wrote. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'Error';
  for (const one of [error, error.cause]) {
    const code: unknown = one instanceof Error ? Reflect.get(one, 'code') : undefined;
    if (typeof code === 'string' && /^\w{2,40}$/.test(code)) return code;
  }
  return error.name;
}
