import type { Static } from 'typebox';
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
import { lockUserAndSession } from '../identity/index.ts';
import { authorizeObjects } from './authorize-objects.ts';
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

const MAX_ENDPOINTS = 10;

interface EndpointKey {
  accountId: string;
  id: string;
}

/**
 * Create an endpoint with its first secret. A public address gets a challenge.
 * @throws UNAUTHENTICATED, REAUTHENTICATION_REQUIRED, SCOPE_REQUIRED, TOO_MANY_WEBHOOK_ENDPOINTS, RATE_LIMITED
 */
export async function createWebhookEndpoint(
  { fieldCipher, createIdempotently, dispatcher }: WebhookServices,
  context: RequestContext,
  user: CurrentUser,
  input: Static<typeof NewWebhookEndpoint>,
): Promise<IdempotentResult<Static<typeof WebhookEndpointWithSecret>>> {
  const { id: accountId } = user;
  const { url, eventTypes, include = null, description = null } = input;
  const request = { who: accountId, fingerprint: input, isSecret: true };
  const created = await createIdempotently(context, request, async (tx) => {
    await lockUserAndSession(tx, user);
    if (include) await authorizeObjects(tx, user, eventTypes);
    if ((await countWebhookEndpoints(tx, accountId)) >= MAX_ENDPOINTS)
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
    await recordAuditEntry(tx, context, { resourceId: accountId });
    const body = { ...toWebhookEndpointView(fieldCipher, row), secret };
    return { body, location: `/api/webhook-endpoints/${row.id}` };
  });
  dispatcher.wake();
  return created;
}

/**
 * Change, enable or disable an endpoint. Another public address gets a challenge.
 * @throws NOT_FOUND, PRECONDITION_FAILED, REAUTHENTICATION_REQUIRED, SCOPE_REQUIRED, RATE_LIMITED
 */
export async function changeWebhookEndpoint(
  { database, fieldCipher, dispatcher }: WebhookServices,
  context: RequestContext,
  user: CurrentUser,
  id: string,
  input: Static<typeof WebhookEndpointChange>,
  ifMatch: string | undefined,
): Promise<WebhookEndpointRow> {
  const { url, eventTypes, include, description, enabled } = input;
  const row = await database.transaction(async (tx) => {
    const before = await lockOwnEndpoint(tx, { accountId: user.id, id }, ifMatch);
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
    const { includesObject, eventTypes: sentTypes } = { ...before, ...changes };
    const isWidened = changes.url ?? changes.eventTypes ?? changes.includesObject;
    if (includesObject && isWidened) await authorizeObjects(tx, user, sentTypes);
    const after = await updateWebhookEndpoint(tx, before.id, changes, isToggled ? enabled : undefined);
    if (!isSameUrl && !after.isVerified) await enqueueWebhookChallenge(fieldCipher, tx, after);
    await recordAuditEntry(tx, context, { resourceId: before.accountId, changes: Object.keys(input) });
    return after;
  });
  dispatcher.wake();
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
    const after = await updateWebhookEndpoint(tx, before.id, { isVerified: true }, undefined);
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
    await deleteWebhookEndpoint(tx, id);
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
    const after = await updateWebhookEndpoint(tx, before.id, changes, undefined);
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
