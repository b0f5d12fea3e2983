import { isStripeIdempotencyKeyExhausted } from './stripe-errors.ts';

/** Create once per key; if an unknown result used up the key, find its effect or create under another key. */
export async function createStripeObjectIdempotently<Made>(
  key: string,
  create: (idempotencyKey: string) => Promise<Made>,
  find: () => Promise<Made | null>,
): Promise<Made> {
  try {
    return await create(key);
  } catch (error) {
    if (!isStripeIdempotencyKeyExhausted(error)) throw error;
    return (await find()) ?? (await create(`${key}:again`));
  }
}
