import { isIdempotencyKeyExhausted } from './stripe-errors.ts';

/** Create once per key; if an unknown result used up the key, find its effect or create under another key. */
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
