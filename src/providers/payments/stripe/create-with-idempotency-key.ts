import { isIdempotencyKeyExhausted } from './stripe-errors.ts';

/**
 * Makes something, once for each key. Where the key is used up by a request of which nobody heard the end, it is looked
 * whether that one had its effect, and if not it is made under another key.
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
