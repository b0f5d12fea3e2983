import { isRepeatedFailure } from './stripe-failure.ts';

/**
 * Makes something, once for each key. Where the first request under the key failed at Stripe, so does every further one
 * for a day: it is looked whether that one had its effect, and if not it is made under another key.
 */
export async function createOnce<Made>(
  key: string,
  create: (idempotencyKey: string) => Promise<Made>,
  find: () => Promise<Made | null>,
): Promise<Made> {
  try {
    return await create(key);
  } catch (error) {
    if (!isRepeatedFailure(error)) throw error;
    return (await find()) ?? (await create(`${key}:again`));
  }
}
