import type { Static } from 'typebox';
import { getActingAccount } from '../../platform/acting-account.ts';
import { recordAuditEntry } from '../../platform/audit.ts';
import type { CurrentUser } from '../../platform/current-user.ts';
import { runAfterCommit, type Tx } from '../../platform/database.ts';
import { assertIfMatch } from '../../platform/http/if-match.ts';
import type { IdempotentResult } from '../../platform/idempotency.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { timingSafeEquals } from '../../shared/crypto/keyed-hash.ts';
import { ServiceError } from '../../shared/errors.ts';
import { generateId } from '../../shared/ids.ts';
import { pickChanges } from '../../shared/pick-changes.ts';
import { lockUserAndSession, requireRecentLogin } from '../identity/index.ts';
import type { MailOutbox } from '../mail/index.ts';
import { WEBHOOK_SECRETS, WEBHOOK_URL } from './encrypted-endpoint.ts';
import { computeWebhookChallenge, enqueueWebhookChallenge } from './webhook-challenge.ts';
import {
  countWebhookEndpoints,
  deleteWebhookEndpoint,
  insertWebhookEndpoint,
  lockWebhookEndpoint,
  updateWebhookEndpoint,
  type WebhookEndpointRow,
} from './webhook-endpoint.repository.ts';
import { toWebhookEndpointView } from './webhook-endpoint.view.ts';
import type { WebhookServices } from './webhook-services.ts';
import { generateWebhookSecret, rotateWebhookSecrets } from './webhook-signature.rules.ts';
import { needsVerification } from './webhook-url.rules.ts';
import type {
  NewWebhookEndpoint,
  WebhookEndpointChange,
  WebhookEndpointWithSecret,
} from './webhooks.schemas.ts';

export const MAX_WEBHOOK_ENDPOINTS = 10;

interface EndpointKey {
  accountId: string;
  id: string;
}

/**
 * An endpoint that gets objects reads like an API key and outlives the credential that made it, so only a recent login can
 * make one, or send its objects elsewhere. @throws API_KEY_NOT_ALLOWED, REAUTHENTICATION_REQUIRED
 */
async function authorizeObjects(tx: Tx, user: CurrentUser): Promise<void> {
  if (user.apiKey) throw new ServiceError('API_KEY_NOT_ALLOWED');
  await requireRecentLogin(tx, user);
}

async function enqueueObjectsMail(mailOutbox: MailOutbox, tx: Tx, user: CurrentUser, url: string) {
  const values = { host: new URL(url).host };
  await mailOutbox.enqueue(tx, { template: 'WEBHOOK_OBJECTS_ENABLED', to: user.email, values });
}

/**
 * Create an endpoint with its first secret. A public address gets a challenge.
 * @throws UNAUTHENTICATED, API_KEY_NOT_ALLOWED, REAUTHENTICATION_REQUIRED, TOO_MANY_WEBHOOK_ENDPOINTS, RATE_LIMITED
 */
export async function createWebhookEndpoint(
  { fieldCipher, mailOutbox, createIdempotently, dispatcher }: WebhookServices,
  context: RequestContext,
  user: CurrentUser,
  input: Static<typeof NewWebhookEndpoint>,
): Promise<IdempotentResult<Static<typeof WebhookEndpointWithSecret>>> {
  const { id: accountId } = getActingAccount(user);
  const { url, eventTypes, include = null, description = null } = input;
  const request = { who: accountId, fingerprint: input, isSecret: true };
  const created = await createIdempotently(context, request, async (tx) => {
    await lockUserAndSession(tx, user);
    if (include) await authorizeObjects(tx, user);
    if ((await countWebhookEndpoints(tx, accountId)) >= MAX_WEBHOOK_ENDPOINTS)
      throw new ServiceError('TOO_MANY_WEBHOOK_ENDPOINTS');
    const key = { id: generateId(), accountId };
    const secret = generateWebhookSecret();
    const row = await insertWebhookEndpoint(tx, {
      ...key,
      url: WEBHOOK_URL.encrypt(fieldCipher, key, url),
      secrets: WEBHOOK_SECRETS.encrypt(fieldCipher, key, [{ secret, endsAt: null }]),
      eventTypes,
      description: description?.normalize('NFC') ?? null,
      isVerified: !needsVerification(url),
      includesObject: include !== null,
    });
    if (!row.isVerified) await enqueueWebhookChallenge(fieldCipher, tx, row);
    if (include) await enqueueObjectsMail(mailOutbox, tx, user, url);
    await recordAuditEntry(tx, context, { resourceId: accountId });
    const body = { ...toWebhookEndpointView(fieldCipher, row), secret };
    return { body, location: `/api/webhook-endpoints/${row.id}` };
  });
  dispatcher.wake();
  mailOutbox.wake();
  return created;
}

/**
 * Change, enable or disable an endpoint. Another public address gets a challenge.
 * @throws NOT_FOUND, PRECONDITION_FAILED, API_KEY_NOT_ALLOWED, REAUTHENTICATION_REQUIRED, RATE_LIMITED
 */
export async function changeWebhookEndpoint(
  { database, fieldCipher, mailOutbox, dispatcher }: WebhookServices,
  context: RequestContext,
  user: CurrentUser,
  id: string,
  input: Static<typeof WebhookEndpointChange>,
  ifMatch: string | undefined,
): Promise<WebhookEndpointRow> {
  const { url, eventTypes, include, description, enabled } = input;
  const row = await database.transaction(async (tx) => {
    await lockUserAndSession(tx, user);
    const before = await lockOwnEndpoint(tx, { accountId: getActingAccount(user).id, id }, ifMatch);
    const isSameUrl = url === undefined || url === WEBHOOK_URL.decrypt(fieldCipher, before);
    const changes = pickChanges(before, {
      url: isSameUrl ? undefined : WEBHOOK_URL.encrypt(fieldCipher, before, url),
      eventTypes,
      includesObject: include === undefined ? undefined : include !== null,
      description: description?.normalize('NFC') ?? description,
      isVerified: isSameUrl ? undefined : !needsVerification(url),
    });
    const isToggled = enabled !== undefined && enabled !== (before.disabledAt === null);
    if (!isToggled && Object.keys(changes).length === 0) return before;
    const changesWhatIsSent = ['url', 'eventTypes', 'includesObject'].some((field) => field in changes);
    if ({ ...before, ...changes }.includesObject && changesWhatIsSent) {
      await authorizeObjects(tx, user);
      await enqueueObjectsMail(mailOutbox, tx, user, url ?? WEBHOOK_URL.decrypt(fieldCipher, before));
    }
    const after = await updateWebhookEndpoint(tx, before, changes, isToggled ? enabled : undefined);
    if (!isSameUrl && !after.isVerified) await enqueueWebhookChallenge(fieldCipher, tx, after);
    await recordAuditEntry(tx, context, { resourceId: before.accountId, changes: Object.keys(input) });
    return after;
  });
  dispatcher.wake();
  mailOutbox.wake();
  return row;
}

/** Verify an endpoint by what its address received. @throws NOT_FOUND, PRECONDITION_FAILED, WEBHOOK_CHALLENGE_INCORRECT */
export function verifyWebhookEndpoint(
  { database, fieldCipher, dispatcher }: WebhookServices,
  context: RequestContext,
  key: EndpointKey,
  challenge: string,
  ifMatch: string | undefined,
): Promise<WebhookEndpointRow> {
  return database.transaction(async (tx) => {
    const before = await lockOwnEndpoint(tx, key, ifMatch);
    const expected = computeWebhookChallenge(fieldCipher, before, WEBHOOK_URL.decrypt(fieldCipher, before));
    if (!timingSafeEquals(challenge.trim(), expected)) throw new ServiceError('WEBHOOK_CHALLENGE_INCORRECT');
    if (before.isVerified) return before;
    runAfterCommit(tx, () => dispatcher.wake());
    const after = await updateWebhookEndpoint(tx, before, { isVerified: true }, undefined);
    await recordAuditEntry(tx, context, { resourceId: before.accountId });
    return after;
  });
}

/** Delete an endpoint with its pending deliveries. @throws NOT_FOUND, PRECONDITION_FAILED */
export function removeWebhookEndpoint(
  { database }: WebhookServices,
  context: RequestContext,
  key: EndpointKey,
  ifMatch: string | undefined,
): Promise<void> {
  return database.transaction(async (tx) => {
    const { id, accountId } = await lockOwnEndpoint(tx, key, ifMatch);
    await deleteWebhookEndpoint(tx, { id, accountId });
    await recordAuditEntry(tx, context, { resourceId: accountId });
  });
}

/** Replace the secret; the previous ones sign until the overlap ends. @throws NOT_FOUND, PRECONDITION_FAILED */
export async function rotateWebhookSecret(
  { database, fieldCipher }: WebhookServices,
  context: RequestContext,
  key: EndpointKey,
  overlapSeconds: number,
  ifMatch: string | undefined,
): Promise<{ row: WebhookEndpointRow; secret: string }> {
  const secret = generateWebhookSecret();
  const row = await database.transaction(async (tx) => {
    const before = await lockOwnEndpoint(tx, key, ifMatch);
    const secrets = rotateWebhookSecrets(
      WEBHOOK_SECRETS.decrypt(fieldCipher, before),
      secret,
      new Date(Date.now() + overlapSeconds * 1_000),
    );
    const changes = { secrets: WEBHOOK_SECRETS.encrypt(fieldCipher, before, secrets) };
    const after = await updateWebhookEndpoint(tx, before, changes, undefined);
    await recordAuditEntry(tx, context, { resourceId: before.accountId });
    return after;
  });
  return { row, secret };
}

/** @throws NOT_FOUND, PRECONDITION_FAILED */
async function lockOwnEndpoint(
  tx: Tx,
  { accountId, id }: EndpointKey,
  ifMatch: string | undefined,
): Promise<WebhookEndpointRow> {
  const row = await lockWebhookEndpoint(tx, accountId, id);
  if (!row) throw new ServiceError('NOT_FOUND');
  assertIfMatch(ifMatch, row.version);
  return row;
}
