import { defineColumnCipher } from '../../../platform/column-cipher.ts';
import type { Tx } from '../../../platform/database.ts';
import type { FieldCipher } from '../../../platform/field-cipher.ts';
import { type NetworkAttemptRule, tryConsumeNetworkAttempts } from '../../../platform/network-attempts.ts';
import { DAY_SECONDS } from '../../../shared/durations.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { ACCOUNTLESS_PICTURE_BYTES_RULE, type PictureUploader } from '../../files/index.ts';
import { identityCatalogue } from '../catalogue.ts';
import { createProfilePicture, type ProfilePicture } from './profile-picture.ts';

/** Of a redrawn picture; those of cameras have 100 to 400 kB. */
const MAX_REGISTRATION_PICTURE_BYTES = 500_000;

/** In bytes. Registrations are kept for seven days. */
const PICTURE_BYTES_RULES: readonly NetworkAttemptRule[] = [
  {
    name: 'registration-pictures',
    windowSeconds: DAY_SECONDS,
    perNetwork: 5_000_000,
    open: 100_000_000,
    reserve: { perNetwork: 1_000_000, perProvider: 10_000_000 },
    max: 300_000_000,
  },
  ACCOUNTLESS_PICTURE_BYTES_RULE,
];

/** Redraw a picture sent with a registration; null if it is too large or the service too busy. @throws VALIDATION_FAILED, PAYLOAD_TOO_LARGE */
export async function createRegistrationPicture(
  upload: Buffer,
  uploader: PictureUploader,
): Promise<ProfilePicture | null> {
  try {
    const picture = await createProfilePicture(upload, uploader);
    return picture.bytes.length > MAX_REGISTRATION_PICTURE_BYTES ? null : picture;
  } catch (error) {
    // A registration does not wait for its picture.
    if (error instanceof ServiceError && ['BUSY', 'RATE_LIMITED'].includes(error.code)) return null;
    throw error;
  }
}

/** Consume bytes of what clients without an account may store; false when none are left. */
export async function tryConsumeRegistrationPictureBytes(
  { fieldCipher }: { fieldCipher: FieldCipher },
  tx: Tx,
  address: string,
  count: number,
): Promise<boolean> {
  return tryConsumeNetworkAttempts(tx, fieldCipher, PICTURE_BYTES_RULES, { subject: '', address, count });
}

const PENDING_PICTURE = defineColumnCipher(identityCatalogue, 'pending_registrations.picture').of<{
  extension: ProfilePicture['extension'];
  base64: string;
}>();

type RegistrationKey = { id: string; userId: string };

export function encryptRegistrationPicture(
  fieldCipher: FieldCipher,
  registration: RegistrationKey,
  { bytes, extension }: ProfilePicture,
): Buffer<ArrayBuffer> {
  return PENDING_PICTURE.encrypt(fieldCipher, registration, { extension, base64: bytes.toString('base64') });
}

/** @throws DATA_INTEGRITY */
export function decryptRegistrationPicture(
  fieldCipher: FieldCipher,
  registration: RegistrationKey,
  encrypted: Uint8Array,
): ProfilePicture {
  const { extension, base64 } = PENDING_PICTURE.decryptValue(fieldCipher, registration, encrypted);
  return { extension, bytes: Buffer.from(base64, 'base64') };
}
