import type { FirebaseServiceAccount } from '../../shared/firebase-service-account.ts';
import { sendHttpRequest } from '../../shared/http-client.ts';
import { rejectOnAbort } from '../../shared/reject-on-abort.ts';
import { toFcmMessage } from './fcm-message.ts';
import { assertFcmAccepted } from './fcm-response.ts';
import type { Credential } from './google-credential.ts';
import { PushError, type PushProvider } from './push.port.ts';

/** Everything of one send together, in milliseconds; below the 30 s after which its job is given to another. */
const SEND_TIMEOUT_MS = 18_000;

/** No honest answer of the provider is near this size, in bytes. */
const MAX_RESPONSE_BYTES = 64 * 1024;

/** Statuses by which Google's token server says that it does not know the account or its key. */
const UNKNOWN_ACCOUNT_STATUSES = [400, 401, 403];

/**
 * Sends by Firebase Cloud Messaging (HTTP v1), each push over within 20 s whatever the servers do.
 * The library gives the access tokens and does not send: it would go on trying by itself for longer than a job may take,
 * does not tell for how long the server wants to be left alone, and takes a project that is not there for a device that is gone.
 * @param sendTimeoutMs for tests: milliseconds for one send instead of 18,000
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

/** Loads the library when it is needed first: it is large. */
async function loadCredential({
  projectId,
  clientEmail,
  privateKey,
}: FirebaseServiceAccount): Promise<Credential> {
  const { cert } = await import('./google-credential.ts');
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
