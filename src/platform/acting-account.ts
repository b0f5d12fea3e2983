import type { FastifyRequest } from 'fastify';
import { isAccountPermission } from '../permissions.ts';
import type { AccountRole } from '../shared/account-roles.ts';
import { createValidationError, ServiceError } from '../shared/errors.ts';
import { isId } from '../shared/ids.ts';
import { takesSessionCookie } from './request-credential.ts';

/** The account whose records a request reads and changes, and as what its user may. */
export interface ActingAccount {
  id: string;
  type: 'PERSONAL' | 'ORGANIZATION';
  role: AccountRole;
  status: 'ACTIVE' | 'SUSPENDED';
  isEnterprise: boolean;
  /** Whether its members act for it only sooner after their login. */
  mustLogIn: boolean;
  /** The folders that a limited member has; null for members who have all codes. */
  folderIds: readonly string[] | null;
}

/** Get the account that a user acts for: the owner of what they read and create. @throws ACCOUNT_NOT_FOUND */
export function getActingAccount({ account }: { account: ActingAccount | null }): ActingAccount {
  if (!account) throw new ServiceError('ACCOUNT_NOT_FOUND');
  return account;
}

/** Get the folders that the member of a request is limited to; null for no limit. */
export function getFolderLimit({
  user,
}: {
  user: { account: ActingAccount | null } | null;
}): readonly string[] | null {
  return user?.account?.folderIds ?? null;
}

/** Get the id of the account to search for: null for the personal one, no id for what is none. */
export function getSearchedAccountId(request: FastifyRequest): string | null {
  const named = getNamedAccountId(request);
  if (named === undefined) return null;
  return isId(named) ? named : '';
}

/** Whether a request, which may name an account, acts for this one. */
export function isNamedAccount(request: FastifyRequest, accountId: string): boolean {
  const searched = getSearchedAccountId(request);
  return searched === null || searched === accountId;
}

/**
 * Get the account that a request names, in its path for pages, else in Account-Id; in whatever form. Undefined for none, and
 * for operations on what belongs to the user.
 */
function getNamedAccountId(request: FastifyRequest): unknown {
  const { access } = request.routeOptions.config;
  if (!access || !('permission' in access) || !isAccountPermission(access.permission)) return undefined;
  return takesSessionCookie(request)
    ? Reflect.get(Object(request.params), 'accountId')
    : request.headers['account-id'];
}

/** Create the error for a named account that its user does not act for: the same whether or not it exists. */
export function createAccountNotFoundError(request: FastifyRequest): ServiceError {
  if (takesSessionCookie(request)) return new ServiceError('NOT_FOUND');
  if (isId(getNamedAccountId(request))) return new ServiceError('ACCOUNT_NOT_FOUND');
  return createValidationError({
    field: 'Account-Id',
    code: 'BAD_FORMAT',
    message: 'Must be one id: 24 hexadecimal digits.',
  });
}
