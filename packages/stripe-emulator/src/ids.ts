import { randomBytes } from 'node:crypto';

const ID_ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export function generateStripeId(prefix: string, length = 24): string {
  let id = '';
  // Bytes from 248 on would bias the letters.
  while (id.length < length)
    for (const byte of randomBytes(length)) if (byte < 248) id += ID_ALPHABET[byte % 62];
  return `${prefix}_${id.slice(0, length)}`;
}
