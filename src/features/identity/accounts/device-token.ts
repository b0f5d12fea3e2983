import { randomBytes } from 'node:crypto';
import type { FieldCipher } from '../../../platform/field-cipher.ts';
import { truncateIpAddress } from '../../../shared/client-address.ts';
import { timingSafeEquals } from '../../../shared/crypto/keyed-hash.ts';
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

/** `<device>.<expiry in Unix seconds>.<signature>` */
const DEVICE_TOKEN_PATTERN = /^([\w-]{22})\.(\d{10})\.([\w-]{43})$/;

/** The token gives a device its own limit of failed logins, until it expires or all sessions end. */
export function createDeviceToken(
  fieldCipher: FieldCipher,
  owner: DeviceTokenOwner,
  now = Date.now(),
): string {
  const device = randomBytes(16).toString('base64url');
  const end = String(Math.floor(now / 1000) + LIFETIMES_SECONDS.deviceToken);
  return `${device}.${end}.${signDeviceToken(fieldCipher, owner, device, end)}`;
}

/** Null as `owner` does the same work, so that timing reveals nothing. */
export function deriveLoginThrottleKeys(
  fieldCipher: FieldCipher,
  email: string,
  owner: DeviceTokenOwner | null,
  client: { address: string; deviceToken: string | undefined },
): LoginThrottleKeys {
  const { address, deviceToken } = client;
  const keys = { ...deriveEmailLoginThrottleKeys(fieldCipher, email, address), userId: owner?.id ?? '' };
  const [, device, end, signed] = DEVICE_TOKEN_PATTERN.exec(deviceToken ?? '') ?? [];
  if (!device || !end || !signed) return keys;
  const isGenuine = timingSafeEquals(
    signDeviceToken(fieldCipher, owner ?? DUMMY_DEVICE_OWNER, device, end),
    signed,
  );
  if (!isGenuine || !owner || Number(end) * 1000 <= Date.now()) return keys;
  const delayKey = `device:${fieldCipher.hash('login-device', device).toString('hex')}`;
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

function signDeviceToken(
  fieldCipher: FieldCipher,
  owner: DeviceTokenOwner,
  device: string,
  end: string,
): string {
  return fieldCipher
    .hash('device-token', owner.id, String(owner.accessEpoch), device, end)
    .toString('base64url');
}
