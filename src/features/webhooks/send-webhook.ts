import type { LookupAddress } from 'node:dns';
import { HostAddressError } from '../../shared/host-address-error.ts';
import { HttpRequestError, sendHttpRequest } from '../../shared/http-client.ts';
import type { EventRow } from './event.repository.ts';
import { toEventView } from './event.view.ts';
import type { SentObject } from './read-event-object.ts';
import { describeResponse, MAX_EXCERPT_BYTES } from './response-excerpt.rules.ts';
import { isChallengeAnswer } from './webhook-challenge.ts';
import type { DeliveryAttempt } from './webhook-delivery.repository.ts';
import { createWebhookHeaders, type WebhookSecret } from './webhook-signature.rules.ts';
import { findWebhookUrlProblem } from './webhook-url.rules.ts';
import type { DELIVERY_ERRORS } from './webhooks.schemas.ts';

export interface WebhookSenderOptions {
  allowsLoopback: boolean;
  timeoutMs: number;
  resolveAddresses(hostname: string): Promise<LookupAddress[]>;
}

/** An endpoint with its decrypted values. */
export interface WebhookTarget {
  url: string;
  secrets: readonly WebhookSecret[];
}

type DeliveryError = (typeof DELIVERY_ERRORS)[number];

const CERTIFICATE_ERROR = /^(?:ERR_TLS_|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH)/;

/** Bytes; a challenge has 43. */
const MAX_CHALLENGE_ANSWER_BYTES = 1024;

interface WebhookSendOptions {
  challenge?: string | undefined;
  /** Omitted for an endpoint that gets ids only. */
  object?: SentObject | undefined;
  signal?: AbortSignal | undefined;
}

/** Send an event once and describe the attempt. What an address answers to a challenge is not kept: until then it can be anybody's. Never throws. */
export async function sendWebhook(
  { allowsLoopback, timeoutMs, resolveAddresses }: WebhookSenderOptions,
  { url, secrets }: WebhookTarget,
  event: EventRow,
  { challenge, object, signal }: WebhookSendOptions = {},
): Promise<DeliveryAttempt> {
  const at = new Date();
  const startedAt = performance.now();
  const toAttempt = (statusCode: number | null, error: DeliveryError | null): DeliveryAttempt => ({
    at: at.toISOString(),
    statusCode,
    error,
    durationMs: Math.round(performance.now() - startedAt),
  });
  // Stored before production, or by an earlier rule.
  if (findWebhookUrlProblem(url, allowsLoopback)) return toAttempt(null, 'ADDRESS_NOT_ALLOWED');
  const { data, ...view } = toEventView(event);
  const body = JSON.stringify({ ...view, data: { ...data, challenge, ...object } });
  try {
    const response = await sendHttpRequest(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...createWebhookHeaders(secrets, { id: event.id, at, body }),
      },
      body,
      timeoutMs,
      // One byte more says that there are more.
      maxResponseBytes: challenge === undefined ? MAX_EXCERPT_BYTES + 1 : MAX_CHALLENGE_ANSWER_BYTES,
      isExcerpt: challenge === undefined,
      resolveAddresses,
      hidesHost: true,
      signal,
    });
    const { status } = response;
    const isSuccess = status >= 200 && status < 300;
    if (challenge === undefined) {
      const described = describeResponse(response.headers.get('content-type'), response.body);
      return { ...toAttempt(status, isSuccess ? null : 'STATUS'), response: described };
    }
    if (!isSuccess) return toAttempt(status, 'STATUS');
    const isReturned = isChallengeAnswer(challenge, response.body.toString());
    return toAttempt(status, isReturned ? null : 'CHALLENGE_NOT_RETURNED');
  } catch (error) {
    return toAttempt(null, toDeliveryError(error));
  }
}

// The reason of a connection could tell something of the network around: it is one of few words.
function toDeliveryError(error: unknown): DeliveryError {
  const cause = error instanceof HttpRequestError ? error.cause : error;
  if (cause instanceof HostAddressError) return cause.reason;
  const reason = error instanceof Error ? error.message : '';
  if (reason === 'timeout' || reason === 'ETIMEDOUT') return 'TIMEOUT';
  return CERTIFICATE_ERROR.test(reason) ? 'CERTIFICATE_INVALID' : 'CONNECTION_FAILED';
}
