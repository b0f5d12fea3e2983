import type { Static } from 'typebox';
import { API_KEY_CHANGE_PREFIX } from '../../../audit-actions.ts';
import type { ActingAccount } from '../../../platform/acting-account.ts';
import { recordAuditEntry } from '../../../platform/audit.ts';
import type { CurrentUser } from '../../../platform/current-user.ts';
import { runAfterCommit, type Tx } from '../../../platform/database.ts';
import type { FieldCipher } from '../../../platform/field-cipher.ts';
import type { IdempotentResult } from '../../../platform/idempotency.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { hashApiKeyToken } from '../../../platform/request-credential.ts';
import { type AccountRole, findLowerRole } from '../../../shared/account-roles.ts';
import { generateApiKeyToken, getShownApiKeyPrefix } from '../../../shared/api-key-token.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { generateId } from '../../../shared/ids.ts';
import type { AccountServices } from '../accounts/account-services.ts';
import { lockUserAndSession } from '../accounts/lock-user-and-session.ts';
import { requireRecentLogin } from '../accounts/require-recent-login.ts';
import {
  type ApiKeyRow,
  type ApiKeySelection,
  countActiveApiKeys,
  findApiKey,
  insertApiKey,
  lockApiKey,
  lockApiKeyCount,
  markApiKeyRevoked,
  replaceApiKeyToken,
} from './api-key.repository.ts';
import { computeApiKeyExpiry, MAX_ACTIVE_API_KEYS } from './api-key.rules.ts';
import { toApiKeyView } from './api-key.view.ts';
import { getApiKeyStatus } from './api-key-status.rules.ts';
import type { ApiKeyRequest, ApiKeyRotationRequest, ApiKeyWithTokenSchema } from './api-keys.schemas.ts';

type ApiKeyWithToken = Static<typeof ApiKeyWithTokenSchema>;

/** Who manages keys, and of which account. */
export interface ApiKeyManager {
  user: CurrentUser;
  account: Pick<ActingAccount, 'id' | 'type' | 'role'>;
}

/** Select the keys that a member sees: an EDITOR their own, an OWNER and a MANAGER all of the account. */
export function selectManagedApiKeys({ user, account: { id, role } }: ApiKeyManager): ApiKeySelection {
  return { accountId: id, createdBy: managesEveryKey(role) ? undefined : user.id };
}

/** Only the response has the token. @throws REAUTHENTICATION_REQUIRED, TOO_MANY_API_KEYS, RESPONSE_NOT_STORED */
export async function createApiKey(
  services: AccountServices,
  context: RequestContext,
  manager: ApiKeyManager,
  input: Static<typeof ApiKeyRequest>,
): Promise<IdempotentResult<ApiKeyWithToken>> {
  const { fieldCipher, mailOutbox } = services;
  const { user, account } = manager;
  const idempotencyInput = { who: account.id, fingerprint: input, isSecret: true };
  const result = await services.createIdempotently(context, idempotencyInput, async (tx) => {
    await lockUserAndSession(tx, user);
    await requireRecentLogin(tx, user);
    await lockApiKeyCount(tx, account.id);
    if ((await countActiveApiKeys(tx, account.id)) >= MAX_ACTIVE_API_KEYS)
      throw new ServiceError('TOO_MANY_API_KEYS');
    const { token, ...stored } = createToken(fieldCipher);
    const row = await insertApiKey(tx, {
      ...stored,
      id: generateId(),
      accountId: account.id,
      createdBy: user.id,
      role: account.role,
      name: input.name.normalize('NFC'),
      scopes: input.scopes,
      allowedNetworks: input.allowedNetworks ?? [],
      expiresAt: computeApiKeyExpiry(input.expiresAt, new Date()),
    });
    const values = { prefix: row.tokenPrefix };
    await mailOutbox.enqueue(tx, { template: 'API_KEY_CREATED', to: user.email, values });
    await recordAuditEntry(tx, context, toAuditDetails(manager, row.id));
    return { body: { ...toApiKeyView(row), token }, location: `/api/api-keys/${row.id}` };
  });
  mailOutbox.wake();
  return result;
}

/**
 * The previous token works on for the overlap.
 * @throws REAUTHENTICATION_REQUIRED, NOT_FOUND, API_KEY_ENDED, FORBIDDEN for a key of another member
 */
export async function rotateApiKey(
  services: AccountServices,
  context: RequestContext,
  manager: ApiKeyManager,
  id: string,
  input: Static<typeof ApiKeyRotationRequest>,
): Promise<ApiKeyWithToken> {
  return services.database.transaction(async (tx) => {
    const row = await lockManagedApiKey(tx, manager, id);
    // Else a MANAGER would get a token that acts as an OWNER.
    if (row.createdBy !== manager.user.id)
      throw new ServiceError('FORBIDDEN', {
        detail:
          'Only the member who made the key can rotate it. Take it over with POST /api/api-keys/{id}/take-over.',
      });
    return replaceToken(services, tx, context, manager, { ...input, id, role: row.role, changes: [] });
  });
}

/**
 * Let a key act for the member who takes it over, with at most the role of both. The previous token works on for the
 * overlap; that of a stopped key does not work again, since a former member may still have it.
 * @throws REAUTHENTICATION_REQUIRED, NOT_FOUND, API_KEY_ENDED, FORBIDDEN unless OWNER or MANAGER
 */
export async function takeOverApiKey(
  services: AccountServices,
  context: RequestContext,
  manager: ApiKeyManager,
  id: string,
  input: Static<typeof ApiKeyRotationRequest>,
): Promise<ApiKeyWithToken> {
  const { role } = manager.account;
  if (!managesEveryKey(role)) throw new ServiceError('FORBIDDEN');
  return services.database.transaction(async (tx) => {
    const row = await lockManagedApiKey(tx, manager, id);
    const lower = findLowerRole(row.role, role) ?? row.role;
    const isStopped = getApiKeyStatus(row, new Date()) === 'STOPPED';
    return replaceToken(services, tx, context, manager, {
      ...input,
      ...(isStopped && { overlapSeconds: 0 }),
      id,
      role: lower,
      changes: ['createdBy'],
    });
  });
}

/** Both tokens stop working at once. Repeating it changes nothing. @throws REAUTHENTICATION_REQUIRED, NOT_FOUND */
export async function revokeApiKey(
  { database }: AccountServices,
  context: RequestContext,
  manager: ApiKeyManager,
  id: string,
): Promise<ApiKeyRow> {
  const { account } = manager;
  return database.transaction(async (tx) => {
    await lockManagedApiKey(tx, manager, id);
    if (await markApiKeyRevoked(tx, account.id, id))
      await recordAuditEntry(tx, context, toAuditDetails(manager, id));
    const revoked = await findApiKey(tx, selectManagedApiKeys(manager), id);
    if (!revoked) throw new ServiceError('NOT_FOUND');
    return revoked;
  });
}

/** @throws NOT_FOUND, REAUTHENTICATION_REQUIRED */
async function lockManagedApiKey(tx: Tx, manager: ApiKeyManager, id: string): Promise<ApiKeyRow> {
  await lockUserAndSession(tx, manager.user);
  const row = await lockApiKey(tx, selectManagedApiKeys(manager), id);
  if (!row) throw new ServiceError('NOT_FOUND');
  await requireRecentLogin(tx, manager.user);
  return row;
}

async function replaceToken(
  { fieldCipher, mailOutbox }: AccountServices,
  tx: Tx,
  context: RequestContext,
  manager: ApiKeyManager,
  input: Static<typeof ApiKeyRotationRequest> & { id: string; role: AccountRole; changes: readonly string[] },
): Promise<ApiKeyWithToken> {
  const { id, role, overlapSeconds, expiresAt, changes } = input;
  const { user, account } = manager;
  const { token, ...stored } = createToken(fieldCipher);
  const now = new Date();
  const row = await replaceApiKeyToken(tx, {
    ...stored,
    id,
    accountId: account.id,
    createdBy: user.id,
    role,
    previousExpiresAt: new Date(now.getTime() + overlapSeconds * 1000),
    expiresAt: expiresAt === undefined ? undefined : computeApiKeyExpiry(expiresAt, now),
  });
  if (!row) throw new ServiceError('API_KEY_ENDED');
  const values = { prefix: row.tokenPrefix };
  await mailOutbox.enqueue(tx, { template: 'API_KEY_CREATED', to: user.email, values });
  runAfterCommit(tx, () => mailOutbox.wake());
  await recordAuditEntry(tx, context, toAuditDetails(manager, id, changes));
  return { ...toApiKeyView(row), token };
}

function managesEveryKey(role: AccountRole): boolean {
  return role === 'OWNER' || role === 'MANAGER';
}

function createToken(fieldCipher: FieldCipher) {
  const token = generateApiKeyToken(fieldCipher.hash);
  return { token, tokenPrefix: getShownApiKeyPrefix(token), tokenHash: hashApiKeyToken(fieldCipher, token) };
}

function toAuditDetails({ account }: ApiKeyManager, id: string, changes: readonly string[] = []) {
  return {
    resourceType: account.type === 'ORGANIZATION' ? ('ORGANIZATION' as const) : ('USER' as const),
    resourceId: account.id,
    changes: [...changes, `${API_KEY_CHANGE_PREFIX}${id}`],
  };
}
