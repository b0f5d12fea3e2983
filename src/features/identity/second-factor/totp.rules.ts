import { Secret, TOTP } from 'otpauth';

/** RFC 6238 with the defaults of RFC 4226, which every authenticator application supports. */
const TOTP_PARAMETERS = { algorithm: 'SHA1', digits: 6, period: 30 } as const;

const TOTP_ISSUER = 'QR Profile Service';

/** Before and after the current step, for clock drift and slow typing. */
const TOTP_WINDOW_STEPS = 1;

export function generateTotpSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** `label` is shown beside the codes. */
export function createOtpauthUri(secret: string, label: string): string {
  return new TOTP({
    ...TOTP_PARAMETERS,
    issuer: TOTP_ISSUER,
    label,
    secret: Secret.fromBase32(secret),
  }).toString();
}

/** Find the 30 s step (since 1970) of a code in constant time; null when there is none. */
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
