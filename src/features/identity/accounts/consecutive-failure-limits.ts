/**
 * Together at most 100 (NIST SP 800-63B, 5.2.2). Known devices have more, so attackers cannot lock out the
 * owner. Recovery codes are not counted: they have 80 bits.
 */
export const MAX_CONSECUTIVE_LOGIN_FAILURES = {
  /** Beyond it: a known device, or a password reset by mail. */
  password: { unknownDevice: 60, knownDevice: 70 },
  /** Beyond it: a known device, or a recovery code. */
  secondFactor: { unknownDevice: 20, knownDevice: 30 },
} as const;

export function getMaxConsecutiveLoginFailures(
  factor: keyof typeof MAX_CONSECUTIVE_LOGIN_FAILURES,
  isKnownDevice: boolean,
): number {
  return MAX_CONSECUTIVE_LOGIN_FAILURES[factor][isKnownDevice ? 'knownDevice' : 'unknownDevice'];
}
