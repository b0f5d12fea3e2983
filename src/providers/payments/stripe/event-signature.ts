import type Stripe from 'stripe';
import { PaymentError } from '../payments.port.ts';

/** Seconds that a signature may be old, or in the future. */
const TOLERANCE_SECONDS = 300;

/** No honest header is near this length: it has one signature for each secret that is in use. */
const MAX_HEADER_LENGTH = 2_000;

/**
 * What was signed with one of the secrets, read from the bytes as they came. Throws PaymentError SIGNATURE where none
 * signed it, or not now.
 */
export function verifyWebhookBody(
  { webhooks }: Pick<Stripe, 'webhooks'>,
  secrets: readonly string[],
  body: Buffer,
  header: string | undefined,
  now: Date,
): unknown {
  // A caller without types may hand over what it did not look at.
  if (typeof header !== 'string' || header === '') throw new PaymentError('SIGNATURE', 'MISSING');
  if (header.length > MAX_HEADER_LENGTH) throw new PaymentError('SIGNATURE', 'HEADER');
  // Of two headers Node makes one, with a blank in between: a second time is in it then, too.
  const times = header.split(',').filter((part) => part.trimStart().startsWith('t='));
  const signedAt = times.length === 1 ? /^t=(\d{1,12})$/.exec(times[0] ?? '')?.[1] : undefined;
  if (signedAt === undefined) throw new PaymentError('SIGNATURE', 'HEADER');
  // The library refuses what is old, and takes what is in the future.
  if (Number(signedAt) - Math.floor(now.getTime() / 1000) > TOLERANCE_SECONDS)
    throw new PaymentError('SIGNATURE', 'TIME');

  const text = decodeBody(body);
  for (const secret of secrets) {
    try {
      return webhooks.constructEvent(text, header, secret, TOLERANCE_SECONDS, undefined, now.getTime());
    } catch {
      // Another secret may have signed it.
    }
  }
  throw new PaymentError('SIGNATURE', 'WRONG');
}

/** The library would read other bytes as the same text: those that are no text, and a mark before it. */
function decodeBody(body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    throw new PaymentError('SIGNATURE', 'BODY');
  }
}
