import { createHmac, randomBytes } from 'node:crypto';

/** A secret of an endpoint, as it is stored. `endsAt` is null for the newest. */
export interface WebhookSecret {
  secret: string;
  endsAt: string | null;
}

const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;
/** All of them sign each request. */
const MAX_SECRETS = 5;

/** Generate a secret in the form of Standard Webhooks. */
export function generateWebhookSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/** Put a new secret first; the previous one ends at a time, those before it as they did. */
export function rotateWebhookSecrets(
  secrets: readonly WebhookSecret[],
  secret: string,
  previousEndsAt: Date,
): WebhookSecret[] {
  const previous = secrets.map((one) => ({ ...one, endsAt: one.endsAt ?? previousEndsAt.toISOString() }));
  return [{ secret, endsAt: null }, ...listValidWebhookSecrets(previous, new Date())].slice(0, MAX_SECRETS);
}

export function listValidWebhookSecrets(secrets: readonly WebhookSecret[], now: Date): WebhookSecret[] {
  return secrets.filter(({ endsAt }) => endsAt === null || new Date(endsAt) > now);
}

/** Create the headers of Standard Webhooks: https://github.com/standard-webhooks/standard-webhooks */
export function createWebhookHeaders(
  secrets: readonly WebhookSecret[],
  { id, at, body }: { id: string; at: Date; body: string },
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signatures = listValidWebhookSecrets(secrets, at).map(({ secret }) => {
    const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
