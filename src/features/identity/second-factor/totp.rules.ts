import { Secret, TOTP } from 'otpauth';

/** What every authenticator application understands (RFC 6238 with the defaults of RFC 4226). */
const TOTP_PARAMETERS = { algorithm: 'SHA1', digits: 6, period: 30 } as const;

/** Who the code is for, as the application shows it. */
const TOTP_ISSUER = 'QR Profile Service';

/** Steps before and after the present one whose code is taken: for clocks that are off, and slow fingers. */
const TOTP_WINDOW_STEPS = 1;

/** A new secret of 160 bits, in base32. */
export function generateTotpSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** The address by which an authenticator application takes a secret over; `label` is shown beside its codes. */
export function createOtpauthUri(secret: string, label: string): string {
  return new TOTP({
    ...TOTP_PARAMETERS,
    issuer: TOTP_ISSUER,
    label,
    secret: Secret.fromBase32(secret),
  }).toString();
}

/**
 * The number of the 30 s step (since 1970) that a code of six digits belongs to; null when it belongs to none of
 * the present one and its neighbours. Compared in constant time.
 */
export function findTotpStep(secret: string, code: string, now = Date.now()): number | null {
  const delta = TOTP.validate({
    ...TOTP_PARAMETERS,
    secret: Secret.fromBase32(secret),
    token: code,
    timestamp: now,
    window: TOTP_WINDOW_STEPS,
  });
  return delta === null ? null : TOTP.counter({ period: TOTP_PARAMETERS.period, timestamp: now }) + delta;
}
