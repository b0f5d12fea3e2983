import type { FirebaseServiceAccount } from '../../shared/firebase-service-account.ts';
import { sendHttpRequest } from '../../shared/http-client.ts';
import { rejectOnAbort } from '../../shared/reject-on-abort.ts';
import { assertFcmAccepted } from './fcm-response.ts';
import type { Credential } from './google-credential.ts';
import { PushError, type PushMessage, type PushProvider } from './push.port.ts';

/** For a whole send; below the 30 s after which its job is retried. */
const SEND_TIMEOUT_MS = 18_000;

/** Far above any real response. */
const MAX_RESPONSE_BYTES = 64 * 1024;

/** Google's token server rejects the account or its key. */
const UNKNOWN_ACCOUNT_STATUSES = [400, 401, 403];

/**
 * Create a provider for FCM (HTTP v1). The library only gets access tokens: its own sending retries for too
 * long, hides Retry-After, and reports a missing project as a missing device.
 */
export function createFirebasePushProvider(
  account: FirebaseServiceAccount,
  sendTimeoutMs = SEND_TIMEOUT_MS,
): PushProvider {
  const url = `https://fcm.googleapis.com/v1/projects/${account.projectId}/messages:send`;
  const closing = new AbortController();
  let credential: Promise<Credential> | null = null;

  return {
    name: 'firebase',

    async send(push) {
      const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(sendTimeoutMs)]);
      try {
        credential ??= loadCredential(account);
        const accessToken = await rejectOnAbort(signal, fetchAccessToken(credential));
        const { status, headers, body } = await sendHttpRequest(url, {
          method: 'POST',
          headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
          body: JSON.stringify(toFcmMessage(push)),
          timeoutMs: sendTimeoutMs,
          maxResponseBytes: MAX_RESPONSE_BYTES,
          signal,
        });
        const retryAfter = headers.get('retry-after') ?? undefined;
        assertFcmAccepted({ status, retryAfter, text: body.toString() });
      } catch (error) {
        throw toPushError(error, signal);
      }
    },

    close: () => closing.abort(),
  };
}

/** Ask Google for an access token of the account, without sending a push. @throws PushError */
export async function verifyFirebaseAccount(account: FirebaseServiceAccount): Promise<void> {
  await fetchAccessToken(loadCredential(account));
}

/** Load the large library. */
export function loadFirebaseLibrary() {
  return import('./google-credential.ts');
}

/** Load the large library on first use. */
async function loadCredential({
  projectId,
  clientEmail,
  privateKey,
}: FirebaseServiceAccount): Promise<Credential> {
  const { cert } = await loadFirebaseLibrary();
  return cert({ projectId, clientEmail, privateKey });
}

async function fetchAccessToken(credential: Promise<Credential>): Promise<string> {
  try {
    return (await (await credential).getAccessToken()).access_token;
  } catch (error) {
    const status: unknown = error instanceof Error ? Reflect.get(error, 'status') : undefined;
    if (typeof status === 'number' && UNKNOWN_ACCOUNT_STATUSES.includes(status))
      throw new PushError('CREDENTIALS', 'CREDENTIALS');
    throw new PushError('BUSY', 'UNAVAILABLE');
  }
}

function toPushError(error: unknown, signal: AbortSignal): PushError {
  if (error instanceof PushError) return error;
  return new PushError('BUSY', signal.aborted ? 'TIMEOUT' : 'UNAVAILABLE');
}

function toFcmMessage({ token, title, body, data, collapseKey, urgent, ttl }: PushMessage, now = Date.now()) {
  const expiration = Math.floor(now / 1000) + ttl;
  return {
    message: {
      token,
      notification: { title, ...(body ? { body } : {}) },
      data,
      // `tag` instead of `collapse_key`: a device keeps only four collapse keys.
      android: { priority: urgent ? 'HIGH' : 'NORMAL', ttl: `${ttl}s`, notification: { tag: collapseKey } },
      apns: {
        headers: {
          'apns-priority': urgent ? '10' : '5',
          'apns-expiration': String(expiration),
          'apns-collapse-id': collapseKey,
        },
        payload: { aps: urgent ? { sound: 'default' } : {} },
      },
      webpush: {
        headers: { TTL: String(ttl), Urgency: urgent ? 'high' : 'normal', Topic: collapseKey },
        notification: { tag: collapseKey },
      },
    },
  };
}
