import { insertAuditEntry } from '../../platform/audit.repository.ts';
import type { Database } from '../../platform/database.ts';
import { getErrorCodeOrName } from '../../platform/error-reason.ts';
import type { DomainEventBus } from '../../platform/events.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import { toIntegrityFailureAuditEntry } from '../../platform/integrity-failure.ts';
import { webhookAttempts } from '../../platform/monitoring/metrics.ts';
import { createPollLoop } from '../../platform/poll-loop.ts';
import { ServiceError } from '../../shared/errors.ts';
import { createConcurrencyLimiter } from '../../shared/limiter.ts';
import { openDestinationBudget } from './destination-budget.ts';
import { WEBHOOK_SECRETS, WEBHOOK_URL } from './encrypted-endpoint.ts';
import { type EventObjectServices, readEventObject } from './read-event-object.ts';
import { getEndpointPauseMs, getRetryDelayMs, MAX_FAILING_MS } from './retry.rules.ts';
import { sendWebhook, type WebhookSenderOptions, type WebhookTarget } from './send-webhook.ts';
import { computeWebhookChallenge } from './webhook-challenge.ts';
import {
  type ClaimedDelivery,
  claimWebhookDeliveries,
  type DeliveryAttempt,
  recordDeliveryAttempt,
} from './webhook-delivery.repository.ts';
import {
  type ClaimedEndpoint,
  claimWebhookEndpoints,
  disableWebhookEndpoint,
  type EndpointOutcome,
  releaseWebhookEndpoint,
  verifyClaimedEndpoint,
} from './webhook-endpoint.repository.ts';

export interface WebhookDispatcherServices extends EventObjectServices {
  events: DomainEventBus;
  fieldCipher: FieldCipher;
  log: { error(details: object, message: string): void };
  sender: WebhookSenderOptions;
}

/** Send deliveries while the process runs. Instances share the endpoints by claims. */
export interface WebhookDispatcher {
  start(): void;
  /** Look for deliveries soon instead of at the next poll. */
  wake(): void;
  /** Take no new delivery. Those under way get a second to finish, and are otherwise repeated later. */
  stop(): Promise<void>;
}

const POLL_INTERVAL_MS = 1_000;

/** Endpoints that a process sends to at the same time. */
const MAX_FAST_ENDPOINTS = 24;
const MAX_SLOW_ENDPOINTS = 8;
const MAX_ENDPOINTS_PER_USER = 3;
/** Fast endpoints that turned out not to answer, in addition: otherwise new ones of a few users would take all places. */
const MAX_UNANSWERED_ENDPOINTS = 64;

/** Requests to one endpoint at the same time; one while it fails. */
const CONCURRENCY = 5;
/** Deliveries claimed at once: so many can be repeated when the process is killed. */
const BATCH_SIZE = 10;
/** Then the slot is free for the endpoint that waited longest. */
const MAX_SERVING_MS = 5_000;
/** Above the time of serving and of a batch whose requests all time out. */
const LEASE_SECONDS = 60;
/** An endpoint whose mean response takes longer counts as slow. */
const SLOW_RESPONSE_MS = 2_000;
const GONE_STATUS = 410;
const STOP_TIMEOUT_MS = 1_000;

export function createWebhookDispatcher(services: WebhookDispatcherServices): WebhookDispatcher {
  const { database, fieldCipher, log, sender } = services;
  const { client } = database;
  const active = {
    fast: new Set<Promise<void>>(),
    slow: new Set<Promise<void>>(),
    unanswered: new Set<Promise<void>>(),
  };
  const loop = createPollLoop({ work: claimEndpoints, pollIntervalMs: POLL_INTERVAL_MS });
  let isFailing = false;
  let abort = new AbortController();

  async function claimEndpoints(): Promise<boolean> {
    const fast = MAX_FAST_ENDPOINTS - active.fast.size;
    const slow = MAX_SLOW_ENDPOINTS - active.slow.size;
    if (fast + slow === 0) return false;
    try {
      const endpoints = await claimWebhookEndpoints(client, {
        fast,
        slow,
        perUser: MAX_ENDPOINTS_PER_USER,
        leaseSeconds: LEASE_SECONDS,
      });
      for (const endpoint of endpoints) startServing(endpoint);
      isFailing = false;
      return endpoints.length > 0;
    } catch (error) {
      if (!isFailing)
        log.error({ err: error }, `webhooks: dispatch failed (${getErrorCodeOrName(error)}), retrying`);
      isFailing = true;
      return false;
    }
  }

  function startServing(endpoint: ClaimedEndpoint): void {
    const tasks = endpoint.isSlow ? active.slow : active.fast;
    const task = serveEndpoint(endpoint, () => clearTimeout(timer))
      .catch((error: unknown) => {
        // Its claim ends by itself.
        log.error({ err: error }, `webhooks: an endpoint was left (${getErrorCodeOrName(error)})`);
      })
      .finally(() => {
        clearTimeout(timer);
        tasks.delete(task);
        active.unanswered.delete(task);
        loop.wakeNow();
      });
    tasks.add(task);
    const timer = setTimeout(() => {
      if (active.unanswered.size >= MAX_UNANSWERED_ENDPOINTS || !active.fast.delete(task)) return;
      active.unanswered.add(task);
      loop.wakeNow();
    }, SLOW_RESPONSE_MS);
  }

  async function serveEndpoint(endpoint: ClaimedEndpoint, onAttempt: () => void): Promise<void> {
    const target = await decryptTarget(endpoint);
    if (!target) return;
    const budget = await openDestinationBudget(services, endpoint.accountId, target.url);
    let waitSeconds = 0;
    const isCautious = endpoint.failedBatches > 1;
    const endsAt = performance.now() + MAX_SERVING_MS;
    const attempts: DeliveryAttempt[] = [];
    while (!loop.isStopped && performance.now() < endsAt) {
      const limit = isCautious ? 1 : BATCH_SIZE;
      waitSeconds = await budget.reserve(limit);
      if (waitSeconds > 0) break;
      const deliveries = await claimWebhookDeliveries(client, endpoint, {
        limit,
        leaseSeconds: LEASE_SECONDS,
      });
      if (deliveries.length < limit) await budget.release(limit - deliveries.length);
      const limiter = createConcurrencyLimiter(CONCURRENCY);
      const batch = await Promise.all(
        deliveries.map((delivery) => limiter(() => deliver(endpoint, target, delivery).finally(onAttempt))),
      );
      const finished = batch.filter((attempt) => attempt !== null);
      attempts.push(...finished);
      if (isCautious || batch.length < BATCH_SIZE || !finished.some(isSuccess)) break;
    }
    await releaseEndpoint(endpoint, attempts, waitSeconds * 1000);
  }

  /** Null for an integrity failure, which disables the endpoint: it would fail each time. */
  async function decryptTarget(endpoint: ClaimedEndpoint): Promise<WebhookTarget | null> {
    try {
      return {
        url: WEBHOOK_URL.decrypt(fieldCipher, endpoint),
        secrets: WEBHOOK_SECRETS.decrypt(fieldCipher, endpoint),
      };
    } catch (error) {
      if (!(error instanceof ServiceError && error.integrityFailure)) throw error;
      const entry = toIntegrityFailureAuditEntry(error.integrityFailure);
      await insertAuditEntry(client, { ...entry, operation: 'webhooks.dispatch', requestId: 'job' });
      await disableFailingEndpoint(services, endpoint, 'FAILING');
      return null;
    }
  }

  /** Null if it was aborted: its claim ends by itself. */
  async function deliver(
    endpoint: ClaimedEndpoint,
    target: WebhookTarget,
    { event, failures }: ClaimedDelivery,
  ): Promise<DeliveryAttempt | null> {
    const { id: endpointId, accountId, includesObject } = endpoint;
    const isChallenge = event.type === 'webhook_endpoint.verification';
    const challenge = isChallenge ? computeWebhookChallenge(fieldCipher, endpoint, target.url) : undefined;
    const object =
      includesObject && !isChallenge ? await readEventObject(services, accountId, event) : undefined;
    const attempt = await sendWebhook(sender, target, event, { challenge, object, signal: abort.signal });
    // A receiver may echo the object.
    if (object !== undefined && attempt.response) attempt.response.body = null;
    if (attempt.error !== null && abort.signal.aborted) return null;
    webhookAttempts.inc({ result: attempt.error ?? 'DELIVERED' });
    const retryDelayMs = isSuccess(attempt) || isChallenge ? null : getRetryDelayMs(failures + 1);
    const failed = retryDelayMs === null ? 'FAILED' : 'PENDING';
    const status = isSuccess(attempt) ? 'DELIVERED' : failed;
    await recordDeliveryAttempt(client, { accountId, endpointId, eventId: event.id }, attempt, {
      status,
      retryDelayMs,
    });
    if (!isChallenge) return attempt;
    if (isSuccess(attempt)) await verifyEndpoint(services, endpoint);
    // Says nothing about the endpoint in use.
    return null;
  }

  async function releaseEndpoint(
    endpoint: ClaimedEndpoint,
    attempts: readonly DeliveryAttempt[],
    waitMs: number,
  ): Promise<void> {
    const outcome = toOutcome(endpoint, attempts);
    const pauseMs = Math.max(outcome.pauseMs, waitMs);
    const reason = await releaseWebhookEndpoint(client, endpoint, { ...outcome, pauseMs }, MAX_FAILING_MS);
    if (reason) await disableFailingEndpoint(services, endpoint, reason);
  }

  return {
    start() {
      if (!loop.isStopped) return;
      abort = new AbortController();
      loop.start();
    },
    wake: loop.wake,
    async stop() {
      const timer = setTimeout(() => abort.abort(), STOP_TIMEOUT_MS);
      await loop.stop();
      await Promise.all(Object.values(active).flatMap((tasks) => [...tasks])).finally(() =>
        clearTimeout(timer),
      );
    },
  };
}

function toOutcome(
  { failedBatches }: ClaimedEndpoint,
  attempts: readonly DeliveryAttempt[],
): EndpointOutcome {
  if (attempts.length === 0) return { hasSuccess: null, isGone: false, isSlow: false, pauseMs: 0 };
  const hasSuccess = attempts.some(isSuccess);
  const meanMs = attempts.reduce((sum, { durationMs }) => sum + durationMs, 0) / attempts.length;
  return {
    hasSuccess,
    isGone: !hasSuccess && attempts.some(({ statusCode }) => statusCode === GONE_STATUS),
    isSlow: meanMs > SLOW_RESPONSE_MS || (!hasSuccess && failedBatches > 0),
    pauseMs: hasSuccess ? 0 : getEndpointPauseMs(failedBatches + 1),
  };
}

function isSuccess({ error }: DeliveryAttempt): boolean {
  return error === null;
}

async function verifyEndpoint(
  { database }: { database: Database },
  endpoint: ClaimedEndpoint,
): Promise<void> {
  await database.transaction(async (tx) => {
    if (!(await verifyClaimedEndpoint(tx, endpoint))) return;
    await insertAuditEntry(tx, {
      action: 'WEBHOOK_ENDPOINT_VERIFIED',
      outcome: 'SUCCESS',
      resourceId: endpoint.accountId,
      operation: 'webhooks.verify',
      requestId: 'job',
    });
  });
}

/** Disable an endpoint that only fails, and notify its owner. */
async function disableFailingEndpoint(
  { database, events }: { database: Database; events: DomainEventBus },
  endpoint: { id: string; accountId: string },
  reason: 'GONE' | 'FAILING',
): Promise<void> {
  const { id, accountId } = endpoint;
  await database.transaction(async (tx) => {
    if (!(await disableWebhookEndpoint(tx, endpoint, reason))) return;
    await insertAuditEntry(tx, {
      action: 'WEBHOOK_ENDPOINT_DISABLED',
      outcome: 'SUCCESS',
      resourceId: accountId,
      operation: 'webhooks.disable',
      requestId: 'job',
    });
    await events.publish(tx, 'webhook_endpoint.disabled', { accountId, webhookEndpointId: id });
  });
}
