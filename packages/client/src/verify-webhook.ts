import type { webhooks } from './generated/openapi.ts';

type DeliveryOf<Type extends keyof webhooks> =
  webhooks[Type]['post']['requestBody']['content']['application/json'];

/** `type` tells what `data.object` is. */
export type WebhookEvent = { [Type in keyof webhooks]: DeliveryOf<Type> }[keyof webhooks];

/** The delivery is not from the service, or too old. Answer 401. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

export interface VerifyWebhookOptions {
  /** Of the endpoint, `whsec_…`; during a rotation the previous one as well. */
  secrets: string | readonly string[];
  /** How far its time may be from now; 300 seconds by default. */
  toleranceSeconds?: number;
}

const DEFAULT_TOLERANCE_SECONDS = 300;
const SECRET_PREFIX = 'whsec_';
/** More than the service sends. */
const MAX_SIGNATURES = 10;

/**
 * Verify a delivery by its headers (Standard Webhooks), and parse it.
 * @param body as it came, before anything parsed it
 * @throws WebhookVerificationError
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>,
  { secrets, toleranceSeconds = DEFAULT_TOLERANCE_SECONDS }: VerifyWebhookOptions,
): Promise<WebhookEvent> {
  const id = readHeader(headers, 'webhook-id');
  const timestamp = readHeader(headers, 'webhook-timestamp');
  const signatures = readHeader(headers, 'webhook-signature');
  const distance = Math.abs(Date.now() / 1000 - Number(timestamp));
  // Also for a tolerance that is not a number.
  if (!(/^\d{1,12}$/.test(timestamp) && distance <= toleranceSeconds))
    throw new WebhookVerificationError('The time of the delivery is too far from now.');
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const signed = encode(`${id}.${timestamp}.${text}`);
  const candidates = signatures.split(' ').slice(0, MAX_SIGNATURES).flatMap(parseSignature);
  for (const secret of [secrets].flat()) {
    const key = await importSecret(secret);
    for (const signature of candidates)
      if (await crypto.subtle.verify('HMAC', key, signature, signed)) return JSON.parse(text);
  }
  throw new WebhookVerificationError('No signature of the delivery is valid.');
}

function readHeader(headers: Parameters<typeof verifyWebhook>[1], name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new WebhookVerificationError(`The header ${name} is missing.`);
}

/** Other versions than v1 are for later schemes. */
function parseSignature(signature: string): Uint8Array<ArrayBuffer>[] {
  const [version, value = ''] = signature.split(',');
  if (version !== 'v1') return [];
  try {
    return [decodeBase64(value)];
  } catch {
    return [];
  }
}

function importSecret(secret: string) {
  const key = decodeBase64(secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret);
  return crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

function encode(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(new TextEncoder().encode(text));
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
