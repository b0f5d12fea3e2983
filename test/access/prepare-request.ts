import { ACCESS_MATRIX } from './access-matrix.ts';
import { addCredential, type CallerName, createSessionToken } from './callers.ts';
import type { AccessCell } from './test-resources.ts';

/** Prepare the request of an operation, such as `GET /api/qrcodes/:id`, by a caller who may use it. */
export async function prepareAllowedRequest(name: string, context: Omit<AccessCell, 'caller'>) {
  const caller = findCaller(name, (status) => ![401, 403, 404].includes(status));
  return caller ? prepareRequestAs(caller, name, context) : null;
}

/** Find who gets a status from an operation. */
export function findCaller(name: string, isWanted: (status: number) => boolean): CallerName | undefined {
  const row = ACCESS_MATRIX[name];
  return row && (['owner', 'admin', 'support', 'anonymous'] as const).find((one) => isWanted(row.rule(one)));
}

/** Prepare the request of an operation by a caller. */
export async function prepareRequestAs(
  caller: CallerName,
  name: string,
  { test, accounts, things }: Omit<AccessCell, 'caller'>,
) {
  const row = ACCESS_MATRIX[name];
  if (!row) return null;
  const session = caller === 'anonymous' ? undefined : await createSessionToken(test, accounts[caller]);
  const request = (await row.request?.({ test, caller, accounts, things })) ?? {};
  const remaining = [...(request.ids ?? [])];
  const [method = '', path = ''] = name.split(' ');
  const url = path.replace(/:\w+|\*$/g, () => remaining.shift() ?? 'missing');
  const credential = addCredential(test, path, caller, session, request);
  return { ...request, ...credential, token: credential.token, method, url, status: row.rule(caller) };
}
