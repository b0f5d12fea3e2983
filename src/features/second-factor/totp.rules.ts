import { Secret, TOTP } from 'otpauth';

/** What every authenticator application understands (RFC 6238 with the defaults of RFC 4226). */
const SHAPE = { algorithm: 'SHA1', digits: 6, period: 30 } as const;

/** Who the code is for, as the application shows it. */
const ISSUER = 'QR Profile Service';

/** Steps before and after the present one whose code is taken: for clocks that are off, and slow fingers. */
const WINDOW = 1;

/** A new secret of 160 bits, in base32. */
export function newSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** The address by which an authenticator application takes a secret over; `label` is shown beside its codes. */
export function enrollmentUri(secret: string, label: string): string {
  return new TOTP({ ...SHAPE, issuer: ISSUER, label, secret: Secret.fromBase32(secret) }).toString();
}

/**
 * The number of the 30 s step (since 1970) that a code of six digits belongs to; null when it belongs to none of
 * the present one and its neighbours. Compared in constant time.
 */
export function stepOfCode(secret: string, code: string, now = Date.now()): number | null {
  const delta = TOTP.validate({
    ...SHAPE,
    secret: Secret.fromBase32(secret),
    token: code,
    timestamp: now,
    window: WINDOW,
  });
  return delta === null ? null : TOTP.counter({ period: SHAPE.period, timestamp: now }) + delta;
}
