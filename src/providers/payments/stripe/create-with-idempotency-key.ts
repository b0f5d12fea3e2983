import { isIdempotencyKeyExhausted } from './stripe-errors.ts';

/**
 * Create an object once per key. When an earlier request with an unknown result used up the key, find its
 * effect, or create the object under another key.
 */
export async function createWithIdempotencyKey<Made>(
  key: string,
  create: (idempotencyKey: string) => Promise<Made>,
  find: () => Promise<Made | null>,
): Promise<Made> {
  try {
    return await create(key);
  } catch (error) {
    if (!isIdempotencyKeyExhausted(error)) throw error;
    return (await find()) ?? (await create(`${key}:again`));
  }
}
