import type Stripe from 'stripe';
import { PaymentError } from '../payments.port.ts';

/** Maximum age of a signature, in the past or the future. */
const TOLERANCE_SECONDS = 300;

/** Far above any real header, which has one signature per active secret. */
const MAX_HEADER_LENGTH = 2_000;

/** Verify the raw body against one of the secrets and decode it. @throws PaymentError SIGNATURE */
export function verifyStripeWebhookBody(
  { webhooks }: Pick<Stripe, 'webhooks'>,
  secrets: readonly string[],
  body: Buffer,
  header: string | undefined,
  now: Date,
): unknown {
  if (typeof header !== 'string' || header === '') throw new PaymentError('SIGNATURE', 'MISSING');
  if (header.length > MAX_HEADER_LENGTH) throw new PaymentError('SIGNATURE', 'HEADER');
  // Node joins two headers with a comma and a space; a second timestamp is rejected too.
  const times = header.split(',').filter((part) => part.trimStart().startsWith('t='));
  const signedAt = times.length === 1 ? /^t=(\d{1,12})$/.exec(times[0] ?? '')?.[1] : undefined;
  if (signedAt === undefined) throw new PaymentError('SIGNATURE', 'HEADER');
  // The library rejects old timestamps but accepts future ones.
  if (Number(signedAt) - Math.floor(now.getTime() / 1000) > TOLERANCE_SECONDS)
    throw new PaymentError('SIGNATURE', 'TIME');

  const text = decodeBody(body);
  for (const secret of secrets) {
    try {
      return webhooks.constructEvent(text, header, secret, TOLERANCE_SECONDS, undefined, now.getTime());
    } catch {
      // Try the next secret.
    }
  }
  throw new PaymentError('SIGNATURE', 'WRONG');
}

/** The library would decode other bytes to the same text: invalid UTF-8 and a byte order mark. */
function decodeBody(body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    throw new PaymentError('SIGNATURE', 'BODY');
  }
}
