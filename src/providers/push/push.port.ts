/** One push to one device. Whatever it says may be read on a locked screen. */
export interface PushMessage {
  /** By what the provider reaches the device. */
  token: string;
  title: string;
  body: string;
  /** Ids for the application on the device. */
  data: Readonly<Record<string, string>>;
  /** The same for every try, 32 letters and digits at most: on the device a repeat takes the place of what it repeats. */
  collapseKey: string;
  /** Whether it wakes a device that sleeps. */
  urgent: boolean;
  /** Seconds after which it is not shown any more. */
  ttl: number;
}

/** What sends pushes. */
export interface PushProvider {
  readonly name: string;
  /** Resolves once the push is taken; throws PushError otherwise. */
  send(push: PushMessage): Promise<void>;
  /** Ends what is under way; `send` throws a BUSY afterwards. */
  close(): void;
}

/**
 * DEVICE_GONE: the application is not on the device any more, or the token is none. BUSY: another try may succeed.
 * CREDENTIALS: the provider does not know the service. REFUSED: this push never will be taken.
 */
export type PushFailureCode = 'DEVICE_GONE' | 'BUSY' | 'CREDENTIALS' | 'REFUSED';

/** Why a push was not taken. The reason is a word, and holds nothing of the token or of what was said. */
export class PushError extends Error {
  override readonly name = 'PushError';
  readonly failure: PushFailureCode;
  readonly reason: string;
  /** Seconds for which the provider wants to be left alone; null where it does not say. */
  readonly retryAfter: number | null;

  constructor(failure: PushFailureCode, reason: string, retryAfter: number | null = null) {
    super(`The push was not taken: ${reason}.`);
    this.failure = failure;
    this.reason = reason;
    this.retryAfter = retryAfter;
  }
}
