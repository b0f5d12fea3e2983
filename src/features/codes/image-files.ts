import { Readable } from 'node:stream';
import type { Db } from '../../platform/database.ts';
import { mapDatabaseError } from '../../platform/http/database-errors.ts';
import { FileExistsError, type FileStore } from '../../providers/files/files.port.ts';
import { ServiceError } from '../../shared/errors.ts';
import { removeFileIfStoreAvailable } from '../files/index.ts';
import type { QrCodeKindDefinition } from './kinds/kind-definition.ts';
import { isQrCodeImageWithheld } from './qrcode-image.repository.ts';
import { createQrCodeImageFileName } from './slug.rules.ts';

export interface QrCodeImageNameParts {
  kind: QrCodeKindDefinition;
  slug: string;
  accountId: string;
}

export function getQrCodeImagePath(name: string): string {
  return `qrcodes/${name}`;
}

let lastNameTime = 0;

/** Name an image that is drawn later. Times differ within a process; `writeWithImageNames` tries again beyond it. */
export function createQrCodeImageName({ kind, slug, accountId }: QrCodeImageNameParts): string {
  lastNameTime = Math.max(Date.now(), lastNameTime + 1);
  return createQrCodeImageFileName(kind, slug, accountId, new Date(lastNameTime));
}

/** Store names of images with `write`, and once more with others where another process has taken one of them. */
export async function writeWithImageNames<Result>(
  write: (createName: (owner: QrCodeImageNameParts) => string) => Promise<Result>,
): Promise<Result> {
  try {
    return await write(createQrCodeImageName);
  } catch (error) {
    if (mapDatabaseError(error)?.code !== 'CONFLICT') throw error;
    return write(createQrCodeImageName);
  }
}

/** Equal names in one millisecond get different times. */
export async function storeQrCodeImage(
  files: FileStore,
  owner: QrCodeImageNameParts,
  png: Buffer,
): Promise<string> {
  for (let at = Date.now(); ; at += 1) {
    const name = createQrCodeImageFileName(owner.kind, owner.slug, owner.accountId, new Date(at));
    try {
      await files.put(getQrCodeImagePath(name), Readable.from([png]));
      return name;
    } catch (error) {
      if (!(error instanceof FileExistsError)) throw error;
    }
  }
}

export async function removeQrCodeImage(files: FileStore, name: string | null): Promise<void> {
  if (name) await removeFileIfStoreAvailable(files, getQrCodeImagePath(name));
}

/** The owner's id in a name of `createQrCodeImageFileName`: a replaced file has no row any more. */
const ACCOUNT_ID_PATTERN = /-([0-9a-f]{24})-\d{13}\.png$/;

/** @throws CODE_UNAVAILABLE */
export async function assertQrCodeImageAvailable(db: Db, imageFile: string): Promise<void> {
  const accountId = ACCOUNT_ID_PATTERN.exec(imageFile)?.[1] ?? null;
  if (await isQrCodeImageWithheld(db, imageFile, accountId)) throw new ServiceError('CODE_UNAVAILABLE');
}
