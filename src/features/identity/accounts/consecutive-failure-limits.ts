/**
 * How many failures in a row one account takes before only a better way in is left: never more than a hundred over
 * both factors (NIST SP 800-63B, 5.2.2). The last ones of each are for devices that logged in before, so that an
 * attacker cannot use them up for the owner. Recovery codes are not counted: nobody guesses one of 80 bits.
 */
export const MAX_CONSECUTIVE_FAILURES = {
  /** From here on a known device, or a new password by a mailed link. */
  password: { unknownDevice: 60, knownDevice: 70 },
  /** From here on a known device, or a recovery code. */
  secondFactor: { unknownDevice: 20, knownDevice: 30 },
} as const;

/** The limit of one factor for a device. */
export function getMaxConsecutiveFailures(
  factor: keyof typeof MAX_CONSECUTIVE_FAILURES,
  isKnownDevice: boolean,
): number {
  return MAX_CONSECUTIVE_FAILURES[factor][isKnownDevice ? 'knownDevice' : 'unknownDevice'];
}
