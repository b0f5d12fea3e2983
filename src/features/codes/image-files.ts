import { Readable } from 'node:stream';
import { FileExistsError, type FileStore } from '../../providers/files/files.port.ts';
import { removeFileIfStoreAvailable } from '../files/index.ts';
import type { KindDefinition } from './kinds/kind-definition.ts';
import { createImageFileName } from './slug.rules.ts';

export interface ImageNameParts {
  kind: KindDefinition;
  slug: string;
  ownerId: string;
}

export function getImagePath(name: string): string {
  return `qrcodes/${name}`;
}

/** Equal names in one millisecond get different times. */
export async function storeImage(files: FileStore, owner: ImageNameParts, png: Buffer): Promise<string> {
  for (let at = Date.now(); ; at += 1) {
    const name = createImageFileName(owner.kind, owner.slug, owner.ownerId, new Date(at));
    try {
      await files.put(getImagePath(name), Readable.from([png]));
      return name;
    } catch (error) {
      if (!(error instanceof FileExistsError)) throw error;
    }
  }
}

export async function removeImage(files: FileStore, name: string | null): Promise<void> {
  if (name) await removeFileIfStoreAvailable(files, getImagePath(name));
}
