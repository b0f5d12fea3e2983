import { createHash } from 'node:crypto';
import { StripeFailure } from './stripe-error.ts';

export interface ApiResponse {
  status: number;
  body: string;
}

interface StoredAnswer {
  fingerprint: string;
  /** Null while the first request runs. */
  answer: ApiResponse | null;
  at: number;
}

export type StoredAnswers = [string, StoredAnswer][];

const ANSWER_LIFETIME_SECONDS = 24 * 3_600;
const MAX_KEY_CHARACTERS = 255;

/** Responses by Idempotency-Key: a repeated request gets the first response. */
export class IdempotentAnswers {
  readonly #entries = new Map<string, StoredAnswer>();

  /** After null call `finish` or `abandon`. @throws StripeFailure for other parameters or a running request */
  begin(key: string, request: string, now: number): ApiResponse | null {
    if (key.length > MAX_KEY_CHARACTERS)
      throw createFailure(
        400,
        `Idempotency keys have at most ${MAX_KEY_CHARACTERS} characters.`,
        'invalid_request_error',
      );
    const fingerprint = createHash('sha256').update(request).digest('base64');
    const entry = this.#entries.get(key);
    if (!entry || entry.at + ANSWER_LIFETIME_SECONDS <= now) {
      this.#entries.delete(key);
      this.#entries.set(key, { fingerprint, answer: null, at: now });
      this.#prune(now);
      return null;
    }
    if (entry.fingerprint !== fingerprint)
      throw createFailure(
        400,
        `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
        'idempotency_error',
      );
    if (!entry.answer)
      throw createFailure(
        409,
        `There is currently another in-progress request using this Idempotency Key (that probably means you submitted twice, and the other request is still going through): ${key}.`,
        'idempotency_error',
        'idempotency_key_in_use',
      );
    return entry.answer;
  }

  finish(key: string, answer: ApiResponse): void {
    const entry = this.#entries.get(key);
    if (entry) entry.answer = answer;
  }

  /** Release the key of a request that did nothing. */
  abandon(key: string): void {
    if (this.#entries.get(key)?.answer === null) this.#entries.delete(key);
  }

  toStored(): StoredAnswers {
    return [...this.#entries].filter(([, { answer }]) => answer !== null);
  }

  restore(stored: StoredAnswers): void {
    for (const [key, entry] of stored) this.#entries.set(key, entry);
  }

  #prune(now: number): void {
    for (const [key, { at }] of this.#entries) {
      if (at + ANSWER_LIFETIME_SECONDS > now) break;
      this.#entries.delete(key);
    }
  }
}

function createFailure(status: number, message: string, type: string, code?: string): StripeFailure {
  return new StripeFailure(status, { type, code, message });
}
