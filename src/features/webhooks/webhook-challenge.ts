import { consumeAttempts } from '../../platform/attempt-budget.repository.ts';
import type { Tx } from '../../platform/database.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import { timingSafeEquals } from '../../shared/crypto/keyed-hash.ts';
import { HOUR_SECONDS } from '../../shared/durations.ts';
import { generateId } from '../../shared/ids.ts';
import { insertWebhookDelivery, type WebhookDeliveryRow } from './webhook-delivery.repository.ts';

/** Of an account, to addresses that nobody has proved to control. */
const MAX_CHALLENGES_PER_HOUR = 30;

/** Store the challenge of an endpoint, which is sent once and soon. @throws RATE_LIMITED */
export async function enqueueWebhookChallenge(
  fieldCipher: FieldCipher,
  tx: Tx,
  endpoint: { accountId: string; id: string },
): Promise<WebhookDeliveryRow> {
  const hash = fieldCipher.hash('webhook-challenges', endpoint.accountId).toString('hex');
  const allowed = MAX_CHALLENGES_PER_HOUR;
  await consumeAttempts(tx, [{ key: `webhook-challenges:${hash}`, allowed, windowSeconds: HOUR_SECONDS }]);
  const at = new Date();
  const event = { id: generateId(at), at, data: { id: endpoint.id } };
  return insertWebhookDelivery(tx, endpoint, { type: 'webhook_endpoint.verification', ...event });
}

/** Compute the challenge that only the address of an endpoint receives: 43 characters, the same each time. */
export function computeWebhookChallenge(
  fieldCipher: FieldCipher,
  { id, accountId }: { id: string; accountId: string },
  url: string,
): string {
  return fieldCipher.hash('webhook-challenge', accountId, id, url).toString('base64url');
}

/**
 * Whether a body is the challenge, or a JSON object with it as `challenge`. Nothing around it is accepted: a server that
 * echoes every request would pass.
 */
export function isChallengeAnswer(challenge: string, body: string): boolean {
  const text = body.trim();
  return timingSafeEquals(text, challenge) || timingSafeEquals(readChallengeField(text), challenge);
}

function readChallengeField(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    const challenge: unknown = typeof value === 'string' ? value : Reflect.get(Object(value), 'challenge');
    return typeof challenge === 'string' ? challenge : '';
  } catch {
    return '';
  }
}
