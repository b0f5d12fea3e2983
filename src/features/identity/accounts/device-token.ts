import { randomBytes } from 'node:crypto';
import type { FieldCipher } from '../../../platform/field-cipher.ts';
import { truncateIpAddress } from '../../../shared/client-address.ts';
import { CONTEXT, defineSignedToken } from '../../../shared/crypto/signed-token.ts';
import { LIFETIMES_SECONDS } from '../../../shared/lifetimes.ts';

export interface LoginThrottleKeys {
  /** Of the device if it is known, else of the email address and the network. */
  delayKey: string;
  accountKey: string;
  isKnownDevice: boolean;
  /** Empty without an account. */
  userId: string;
  address: string;
}

/** A new access epoch invalidates device tokens. */
export interface DeviceTokenOwner {
  id: string;
  accessEpoch: number;
}

/** Used for unknown addresses, so that the work is the same. */
const DUMMY_DEVICE_OWNER: DeviceTokenOwner = { id: '0'.repeat(24), accessEpoch: 0 };

/** Gives a device its own limit of failed logins, until it expires or all sessions end. */
const deviceToken = defineSignedToken({
  purpose: 'device-token',
  parts: { userId: CONTEXT, accessEpoch: CONTEXT, device: /^[\w-]{22}$/ },
  lifetimeSeconds: LIFETIMES_SECONDS.deviceToken,
});

export function createDeviceToken(
  fieldCipher: FieldCipher,
  { id: userId, accessEpoch }: DeviceTokenOwner,
  now?: number,
): string {
  const device = randomBytes(16).toString('base64url');
  return deviceToken.create(fieldCipher, { userId, accessEpoch, device }, now);
}

/** Null as `owner` does the same work, so that timing reveals nothing. */
export function deriveLoginThrottleKeys(
  fieldCipher: FieldCipher,
  email: string,
  owner: DeviceTokenOwner | null,
  client: { address: string; deviceToken: string | undefined },
): LoginThrottleKeys {
  const keys = {
    ...deriveEmailLoginThrottleKeys(fieldCipher, email, client.address),
    userId: owner?.id ?? '',
  };
  const { id: userId, accessEpoch } = owner ?? DUMMY_DEVICE_OWNER;
  const verified = deviceToken.verify(fieldCipher, client.deviceToken, { userId, accessEpoch });
  if (!verified || !owner) return keys;
  const delayKey = `device:${fieldCipher.hash('login-device', verified.device).toString('hex')}`;
  return { ...keys, delayKey, isKnownDevice: true };
}

export function deriveEmailLoginThrottleKeys(
  fieldCipher: FieldCipher,
  email: string,
  address: string,
): LoginThrottleKeys {
  const network = fieldCipher.hash('login-network', email, truncateIpAddress(address)).toString('hex');
  const accountKey = deriveLoginAccountKey(fieldCipher, email);
  return { delayKey: `network:${network}`, accountKey, isKnownDevice: false, userId: '', address };
}

export function deriveLoginAccountKey(fieldCipher: FieldCipher, email: string): string {
  return `email:${fieldCipher.hash('login-email', email).toString('hex')}`;
}

export function deriveSessionLoginThrottleKeys(
  fieldCipher: FieldCipher,
  user: { id: string; email: string; sessionId: string },
): LoginThrottleKeys {
  const delayKey = `session:${fieldCipher.hash('login-session', user.sessionId).toString('hex')}`;
  const accountKey = deriveLoginAccountKey(fieldCipher, user.email);
  return { delayKey, accountKey, isKnownDevice: true, userId: user.id, address: '' };
}
