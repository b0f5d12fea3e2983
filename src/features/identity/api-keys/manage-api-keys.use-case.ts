import type { Static } from 'typebox';
import { API_KEY_CHANGE_PREFIX } from '../../../audit-actions.ts';
import { recordAuditEntry } from '../../../platform/audit.ts';
import type { CurrentUser } from '../../../platform/current-user.ts';
import { runAfterCommit } from '../../../platform/database.ts';
import type { FieldCipher } from '../../../platform/field-cipher.ts';
import type { IdempotentResult } from '../../../platform/idempotency.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { hashApiKeyToken } from '../../../platform/request-credential.ts';
import { generateApiKeyToken, getShownApiKeyPrefix } from '../../../shared/api-key-token.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { generateId } from '../../../shared/ids.ts';
import type { AccountServices } from '../accounts/account-services.ts';
import { lockUserAndSession } from '../accounts/lock-user-and-session.ts';
import { requireRecentLogin } from '../accounts/require-recent-login.ts';
import {
  type ApiKeyRow,
  countActiveApiKeys,
  findUserApiKey,
  insertApiKey,
  markApiKeyRevoked,
  replaceApiKeyToken,
} from './api-key.repository.ts';
import { computeApiKeyExpiry, MAX_ACTIVE_API_KEYS } from './api-key.rules.ts';
import { toApiKeyView } from './api-key.view.ts';
import type { ApiKeyRequest, ApiKeyRotationRequest, ApiKeyWithTokenSchema } from './api-keys.schemas.ts';

type ApiKeyWithToken = Static<typeof ApiKeyWithTokenSchema>;

/** Only the response has the token. @throws REAUTHENTICATION_REQUIRED, TOO_MANY_API_KEYS, RESPONSE_NOT_STORED */
export async function createApiKey(
  services: AccountServices,
  context: RequestContext,
  user: CurrentUser,
  input: Static<typeof ApiKeyRequest>,
): Promise<IdempotentResult<ApiKeyWithToken>> {
  const { fieldCipher, mailOutbox } = services;
  const idempotencyInput = { who: user.id, fingerprint: input, isSecret: true };
  const result = await services.createIdempotently(context, idempotencyInput, async (tx) => {
    await lockUserAndSession(tx, user);
    await requireRecentLogin(tx, user);
    if ((await countActiveApiKeys(tx, user.id)) >= MAX_ACTIVE_API_KEYS)
      throw new ServiceError('TOO_MANY_API_KEYS');
    const { token, ...stored } = createToken(fieldCipher);
    const row = await insertApiKey(tx, {
      ...stored,
      id: generateId(),
      accountId: user.id,
      name: input.name.normalize('NFC'),
      scopes: input.scopes,
      allowedNetworks: input.allowedNetworks ?? [],
      expiresAt: computeApiKeyExpiry(input.expiresAt, new Date()),
    });
    const values = { prefix: row.tokenPrefix };
    await mailOutbox.enqueue(tx, { template: 'API_KEY_CREATED', to: user.email, values });
    await recordAuditEntry(tx, context, toAuditDetails(user, row.id));
    return { body: { ...toApiKeyView(row), token }, location: `/api/api-keys/${row.id}` };
  });
  mailOutbox.wake();
  return result;
}

/** The previous token works on for the overlap. @throws REAUTHENTICATION_REQUIRED, NOT_FOUND, API_KEY_ENDED */
export async function rotateApiKey(
  { database, fieldCipher, mailOutbox }: AccountServices,
  context: RequestContext,
  user: CurrentUser,
  id: string,
  input: Static<typeof ApiKeyRotationRequest>,
): Promise<ApiKeyWithToken> {
  const { overlapSeconds, expiresAt } = input;
  return database.transaction(async (tx) => {
    await lockUserAndSession(tx, user);
    if (!(await findUserApiKey(tx, user.id, id))) throw new ServiceError('NOT_FOUND');
    await requireRecentLogin(tx, user);
    const { token, ...stored } = createToken(fieldCipher);
    const now = new Date();
    const row = await replaceApiKeyToken(tx, {
      ...stored,
      id,
      accountId: user.id,
      previousExpiresAt: new Date(now.getTime() + overlapSeconds * 1000),
      expiresAt: expiresAt === undefined ? undefined : computeApiKeyExpiry(expiresAt, now),
    });
    if (!row) throw new ServiceError('API_KEY_ENDED');
    const values = { prefix: row.tokenPrefix };
    await mailOutbox.enqueue(tx, { template: 'API_KEY_CREATED', to: user.email, values });
    runAfterCommit(tx, () => mailOutbox.wake());
    await recordAuditEntry(tx, context, toAuditDetails(user, id));
    return { ...toApiKeyView(row), token };
  });
}

/** Both tokens stop working at once. Repeating it changes nothing. @throws REAUTHENTICATION_REQUIRED, NOT_FOUND */
export async function revokeApiKey(
  { database }: AccountServices,
  context: RequestContext,
  user: CurrentUser,
  id: string,
): Promise<ApiKeyRow> {
  return database.transaction(async (tx) => {
    await lockUserAndSession(tx, user);
    if (!(await findUserApiKey(tx, user.id, id))) throw new ServiceError('NOT_FOUND');
    await requireRecentLogin(tx, user);
    if (await markApiKeyRevoked(tx, user.id, id))
      await recordAuditEntry(tx, context, toAuditDetails(user, id));
    const revoked = await findUserApiKey(tx, user.id, id);
    if (!revoked) throw new ServiceError('NOT_FOUND');
    return revoked;
  });
}

function createToken(fieldCipher: FieldCipher) {
  const token = generateApiKeyToken(fieldCipher.hash);
  return { token, tokenPrefix: getShownApiKeyPrefix(token), tokenHash: hashApiKeyToken(fieldCipher, token) };
}

function toAuditDetails(user: CurrentUser, id: string) {
  return { resourceId: user.id, changes: [`${API_KEY_CHANGE_PREFIX}${id}`] };
}
