import { randomBytes } from 'node:crypto';
import type { FieldCipher } from '../../../platform/field-cipher.ts';
import { timingSafeEquals } from '../../../shared/crypto/keyed-hash.ts';
import { LIFETIMES_SECONDS } from '../../../shared/lifetimes.ts';

/** Under which names the failed log-ins of an address count. */
export interface LoginThrottleKeys {
  /** Whose failures make one wait: the device's where it is known, else the address's. */
  delayKey: string;
  /** Where the failures in a row of all devices of the address are counted. */
  accountKey: string;
  /** Whether a genuine device token was given. */
  isKnownDevice: boolean;
}

/** Whose devices: the person, in the epoch of their access. */
export interface DeviceOwner {
  id: string;
  accessEpoch: number;
}

/** In whose name a token is compared where nobody has the address: nobody has this id. */
const DUMMY_DEVICE_OWNER: DeviceOwner = { id: '0'.repeat(24), accessEpoch: 0 };

/** `<device>.<end, in seconds since 1970>.<signature>` */
const DEVICE_TOKEN_PATTERN = /^([\w-]{22})\.(\d{10})\.([\w-]{43})$/;

/**
 * A token for a device from which a person logged in: given back at the next log-in, the device has a budget
 * of failures of its own, so that somebody else's guesses lock nobody out. It ends by itself, and with all sessions.
 */
export function createDeviceToken(fieldCipher: FieldCipher, owner: DeviceOwner, now = Date.now()): string {
  const device = randomBytes(16).toString('base64url');
  const end = String(Math.floor(now / 1000) + LIFETIMES_SECONDS.deviceToken);
  return `${device}.${end}.${signDeviceToken(fieldCipher, owner, device, end)}`;
}

/**
 * The keys under which failed log-ins of a normalised address count, by a device that may be known.
 * @param owner the account of the address, null where there is none; the work is the same
 */
export function createLoginThrottleKeys(
  fieldCipher: FieldCipher,
  email: string,
  owner: DeviceOwner | null,
  deviceToken: string | undefined,
): LoginThrottleKeys {
  const address = createEmailThrottleKeys(fieldCipher, email);
  const [, device, end, signed] = DEVICE_TOKEN_PATTERN.exec(deviceToken ?? '') ?? [];
  if (!device || !end || !signed) return address;
  const isGenuine = timingSafeEquals(
    signDeviceToken(fieldCipher, owner ?? DUMMY_DEVICE_OWNER, device, end),
    signed,
  );
  if (!isGenuine || !owner || Number(end) * 1000 <= Date.now()) return address;
  const delayKey = `device:${fieldCipher.hash('login-device', device).toString('hex')}`;
  return { ...address, delayKey, isKnownDevice: true };
}

/** The keys under which failed log-ins of a normalised address count, by a device that is not known. */
export function createEmailThrottleKeys(fieldCipher: FieldCipher, email: string): LoginThrottleKeys {
  const accountKey = `email:${fieldCipher.hash('login-email', email).toString('hex')}`;
  return { delayKey: accountKey, accountKey, isKnownDevice: false };
}

/**
 * The keys under which wrong passwords given in an open session count: the session waits for itself, as a known
 * device does, and its failures are the account's.
 */
export function createSessionThrottleKeys(
  fieldCipher: FieldCipher,
  user: { email: string; sessionId: string },
): LoginThrottleKeys {
  const delayKey = `session:${fieldCipher.hash('login-session', user.sessionId).toString('hex')}`;
  return { ...createEmailThrottleKeys(fieldCipher, user.email), delayKey, isKnownDevice: true };
}

function signDeviceToken(fieldCipher: FieldCipher, owner: DeviceOwner, device: string, end: string): string {
  return fieldCipher
    .hash('device-token', owner.id, String(owner.accessEpoch), device, end)
    .toString('base64url');
}
