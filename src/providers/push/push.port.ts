/** What is pushed; its text may be visible on a locked screen. */
export interface PushContent {
  title: string;
  body: string;
  data: Readonly<Record<string, string>>;
  /** At most 32 letters and digits, the same for every attempt: a device replaces a duplicate. */
  collapseKey: string;
  /** Whether it wakes a sleeping device. */
  urgent: boolean;
  /** Seconds after which it expires. */
  ttl: number;
}

/** A push to one device. */
export interface PushMessage extends PushContent {
  token: string;
}

export interface PushProvider {
  readonly name: string;
  /** Resolves when the push is accepted. @throws PushError */
  send(push: PushMessage): Promise<void>;
  /** Abort running sends; `send` then throws PushError BUSY. */
  close(): void;
}

/** What a browser gives to those who may push to it (Push API, PushSubscription). */
export interface WebPushSubscription {
  /** URL of the push service of the browser; a secret. */
  endpoint: string;
  /** Public key of the browser: an uncompressed point of P-256, in base64url. */
  p256dh: string;
  /** Secret that is shared with the browser: 16 bytes in base64url. */
  auth: string;
}

export interface WebPushProvider {
  /** With which browsers subscribe (VAPID, RFC 8292), in base64url. */
  readonly publicKey: string;
  /** Resolves when the push service of the browser accepted the push. @throws PushError */
  send(subscription: WebPushSubscription, content: PushContent): Promise<void>;
  /** Whether pushes may be sent to a URL, which a user gave. */
  isAllowedEndpoint(endpoint: string): boolean;
  /** Whether something can be encrypted for these keys. */
  areKeysValid(keys: Pick<WebPushSubscription, 'p256dh' | 'auth'>): boolean;
  /** Abort running sends; `send` then throws PushError BUSY. */
  close(): void;
}

/**
 * DEVICE_GONE: the app was removed or the token is invalid. BUSY: try again later. CREDENTIALS: the provider rejects
 * the service's account. PLATFORM_CREDENTIALS: the provider itself is rejected by the platform of the device, such as
 * Apple's, whose key the operator gave it. REFUSED: the push is never accepted.
 */
export type PushFailureCode = 'DEVICE_GONE' | 'BUSY' | 'CREDENTIALS' | 'PLATFORM_CREDENTIALS' | 'REFUSED';

/** The reason is a code without token or text of the push. */
export class PushError extends Error {
  override readonly name = 'PushError';
  readonly failure: PushFailureCode;
  readonly reason: string;
  /** Seconds until a retry; null when the provider does not send it. */
  readonly retryAfter: number | null;

  constructor(failure: PushFailureCode, reason: string, retryAfter: number | null = null) {
    super(`Push error: ${reason}.`);
    this.failure = failure;
    this.reason = reason;
    this.retryAfter = retryAfter;
  }
}
