import type { LookupAddress } from 'node:dns';
import type { VapidKey } from '../../../shared/crypto/vapid-key.ts';
import { HostAddressError } from '../../../shared/host-address-error.ts';
import { HttpRequestError, sendHttpRequest } from '../../../shared/http-client.ts';
import { truncateWithEllipsis } from '../../../shared/truncate.ts';
import { type PushContent, PushError, type WebPushProvider } from '../push.port.ts';
import { DEFAULT_QUOTA_RETRY_SECONDS, parseRetryAfter } from '../retry-after.ts';
import { areSubscriptionKeysValid, encryptPushPayload } from './encrypt-payload.ts';
import { isAllowedPushEndpoint } from './endpoint.rules.ts';

/** For a whole send; below the 30 s after which its job is retried. */
const SEND_TIMEOUT_MS = 10_000;

/** JSON needs six bytes for some characters; the whole payload stays below MAX_PAYLOAD_BYTES. */
const MAX_TITLE_CHARACTERS = 100;
const MAX_BODY_CHARACTERS = 300;

interface WebPushOptions {
  vapidKey: VapidKey;
  /** How push services reach the operator: a URL of https or mailto. */
  contact: string;
  /** Hosts of push services. */
  hosts: readonly string[];
  allowsLoopback: boolean;
  resolveAddresses(hostname: string): Promise<LookupAddress[]>;
  sendTimeoutMs?: number;
}

/** Create a provider that sends pushes to browsers by the protocol Web Push (RFC 8030, 8291 and 8292). */
export function createWebPushProvider(options: WebPushOptions): WebPushProvider {
  const { vapidKey, contact, resolveAddresses, sendTimeoutMs = SEND_TIMEOUT_MS } = options;
  const closing = new AbortController();
  const isAllowedEndpoint = (endpoint: string) => isAllowedPushEndpoint(endpoint, options);

  return {
    publicKey: vapidKey.publicKey,
    isAllowedEndpoint,
    areKeysValid: areSubscriptionKeysValid,

    async send(subscription, content) {
      const { endpoint } = subscription;
      // Registered outside production, or before the hosts changed.
      if (!isAllowedEndpoint(endpoint)) throw new PushError('REFUSED', 'ADDRESS_NOT_ALLOWED');
      const { ttl, urgent, collapseKey } = content;
      try {
        const { status, headers } = await sendHttpRequest(endpoint, {
          method: 'POST',
          headers: {
            authorization: vapidKey.authorize(endpoint, contact),
            'content-encoding': 'aes128gcm',
            'content-type': 'application/octet-stream',
            ttl: String(ttl),
            urgency: urgent ? 'high' : 'normal',
            topic: collapseKey,
          },
          body: encryptPushPayload(Buffer.from(createPayload(content)), subscription),
          timeoutMs: sendTimeoutMs,
          maxResponseBytes: null,
          resolveAddresses,
          hidesHost: true,
          signal: closing.signal,
        });
        assertAccepted(status, headers.get('retry-after') ?? undefined);
      } catch (error) {
        throw toPushError(error);
      }
    },

    close: () => closing.abort(),
  };
}

/** What the service worker shows, as JSON. */
function createPayload({ title, body, data, collapseKey }: PushContent): string {
  return JSON.stringify({
    title: truncateWithEllipsis(title, MAX_TITLE_CHARACTERS),
    body: truncateWithEllipsis(body, MAX_BODY_CHARACTERS),
    data,
    tag: collapseKey,
  });
}

/** @throws PushError unless the push was accepted */
function assertAccepted(status: number, retryAfter: string | undefined): void {
  if (status >= 200 && status < 300) return;
  if (status === 404 || status === 410) throw new PushError('DEVICE_GONE', 'UNREGISTERED');
  const seconds = parseRetryAfter(retryAfter, Date.now());
  if (status === 429) throw new PushError('BUSY', 'QUOTA_EXCEEDED', seconds ?? DEFAULT_QUOTA_RETRY_SECONDS);
  if (status >= 500) throw new PushError('BUSY', 'UNAVAILABLE', seconds);
  // The subscription was made with another key, or the clock is wrong.
  if (status === 401 || status === 403) throw new PushError('REFUSED', 'VAPID_KEY_REFUSED');
  if (status >= 400) throw new PushError('REFUSED', 'INVALID_ARGUMENT');
  throw new PushError('BUSY', 'UNREADABLE_ANSWER');
}

function toPushError(error: unknown): PushError {
  if (error instanceof PushError) return error;
  const cause = error instanceof HttpRequestError ? error.cause : error;
  if (cause instanceof HostAddressError && cause.reason === 'ADDRESS_NOT_ALLOWED')
    return new PushError('REFUSED', 'ADDRESS_NOT_ALLOWED');
  const isTimeout = error instanceof Error && (error.message === 'timeout' || error.message === 'ETIMEDOUT');
  return new PushError('BUSY', isTimeout ? 'TIMEOUT' : 'UNAVAILABLE');
}
