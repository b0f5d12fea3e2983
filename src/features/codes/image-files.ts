import { Readable } from 'node:stream';
import { FileExistsError, type FileStore } from '../../providers/files/files.port.ts';
import { removeFileIfStoreAvailable } from '../files/index.ts';
import type { QrCodeKindDefinition } from './kinds/kind-definition.ts';
import { createQrCodeImageFileName } from './slug.rules.ts';

export interface QrCodeImageNameParts {
  kind: QrCodeKindDefinition;
  slug: string;
  ownerId: string;
}

export function getQrCodeImagePath(name: string): string {
  return `qrcodes/${name}`;
}

/** Equal names in one millisecond get different times. */
export async function storeQrCodeImage(
  files: FileStore,
  owner: QrCodeImageNameParts,
  png: Buffer,
): Promise<string> {
  for (let at = Date.now(); ; at += 1) {
    const name = createQrCodeImageFileName(owner.kind, owner.slug, owner.ownerId, new Date(at));
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
