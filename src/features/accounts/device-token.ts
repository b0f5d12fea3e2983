import { randomBytes } from 'node:crypto';
import type { Vault } from '../../platform/vault.ts';
import { sameBytes } from '../../shared/crypto/keyed-hash.ts';

/** Under which names the failed log-ins of an address count. */
export interface LoginKeys {
  /** Whose failures make one wait: the device's where it is known, else the address's. */
  delay: string;
  /** Where the failures in a row of all devices of the address are counted. */
  account: string;
  /** Whether a genuine device token was given. */
  isKnownDevice: boolean;
}

/**
 * A token for a device from which a person logged in: given back at the next log-in, the device has a budget
 * of failures of its own, so that somebody else's guesses lock nobody out.
 */
export function deviceTokenFor(vault: Vault, email: string): string {
  const device = randomBytes(16).toString('base64url');
  return `${device}.${signature(vault, email, device)}`;
}

/** The keys under which failed log-ins of a normalised address count, by a device that may be known. */
export function loginKeys(vault: Vault, email: string, deviceToken: string | undefined): LoginKeys {
  const account = `email:${vault.hash('login-email', email).toString('hex')}`;
  const [device, signed] = deviceToken?.split('.') ?? [];
  if (device && signed && sameBytes(signature(vault, email, device), signed)) {
    const delay = `device:${vault.hash('login-device', device).toString('hex')}`;
    return { delay, account, isKnownDevice: true };
  }
  return { delay: account, account, isKnownDevice: false };
}

/**
 * The keys under which wrong passwords given in an open session count: the session waits for itself, as a known
 * device does, and its failures are the account's.
 */
export function sessionKeys(vault: Vault, user: { email: string; sessionId: string }): LoginKeys {
  const delay = `session:${vault.hash('login-session', user.sessionId).toString('hex')}`;
  return { ...loginKeys(vault, user.email, undefined), delay, isKnownDevice: true };
}

function signature(vault: Vault, email: string, device: string): string {
  return vault.hash('device-token', email, device).toString('base64url');
}
