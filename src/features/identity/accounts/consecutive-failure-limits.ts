/**
 * Together at most 100 without a botnet (NIST SP 800-63B, 5.2.2). Known devices have their own, so attackers cannot
 * lock out the owner. Recovery codes are not counted: they have 120 bits.
 */
export const MAX_CONSECUTIVE_LOGIN_FAILURES = {
  /**
   * Unknown devices of one network, and of all networks together. Beyond the latter: a network that the user logged in
   * from, the reserve of a network (login-delay.repository.ts), or a password reset by mail.
   */
  password: { unknownDevice: 50, knownDevice: 20 },
  /** Beyond it: a known device, or a recovery code. */
  secondFactor: { unknownDevice: 20, knownDevice: 30 },
} as const;

export function getMaxConsecutiveLoginFailures(
  factor: keyof typeof MAX_CONSECUTIVE_LOGIN_FAILURES,
  isKnownDevice: boolean,
): number {
  return MAX_CONSECUTIVE_LOGIN_FAILURES[factor][isKnownDevice ? 'knownDevice' : 'unknownDevice'];
}
