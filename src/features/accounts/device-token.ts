import { randomBytes } from 'node:crypto';
import type { Vault } from '../../platform/vault.ts';
import { sameBytes } from '../../shared/crypto/keyed-hash.ts';

/**
 * A token for a device from which a person logged in: given back at the next log-in, the device has a budget
 * of failures of its own, so that somebody else's guesses lock nobody out.
 */
export function deviceTokenFor(vault: Vault, email: string): string {
  const device = randomBytes(16).toString('base64url');
  return `${device}.${signature(vault, email, device)}`;
}

/** The key under which failed log-ins count: the device's when its token is genuine, else the address's. */
export function loginKey(vault: Vault, email: string, deviceToken: string | undefined): string {
  const [device, signed] = deviceToken?.split('.') ?? [];
  if (device && signed && sameBytes(signature(vault, email, device), signed)) {
    return `device:${vault.hash('login-device', device).toString('hex')}`;
  }
  return `email:${vault.hash('login-email', email).toString('hex')}`;
}

function signature(vault: Vault, email: string, device: string): string {
  return vault.hash('device-token', email, device).toString('base64url');
}
