import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { KindDefinition } from './kinds/kind-definition.ts';
import { imageFileName } from './slug.rules.ts';

/** What the name of an image is made of. */
export interface ImageOwner {
  kind: KindDefinition;
  slug: string;
  ownerId: string;
}

/**
 * Stores an image under the name that the interface gives and answers the name. It is on the disk when this
 * resolves. Two codes of one name in one millisecond get different times.
 */
export async function storeImage(folder: string, owner: ImageOwner, png: Buffer): Promise<string> {
  for (let at = Date.now(); ; at += 1) {
    const name = imageFileName(owner.kind, owner.slug, owner.ownerId, new Date(at));
    const file = await open(join(folder, name), 'wx', 0o644).catch((error: unknown) => {
      if (error instanceof Error && Reflect.get(error, 'code') === 'EEXIST') return null;
      throw error;
    });
    if (!file) continue;
    try {
      await file.writeFile(png);
      await file.sync();
    } catch (error) {
      await removeImage(folder, name);
      throw error;
    } finally {
      await file.close();
    }
    return name;
  }
}

/** Removes an image that no row names any more; nothing happens when it is gone already. */
export async function removeImage(folder: string, name: string | null): Promise<void> {
  if (name) await rm(join(folder, name), { force: true });
}
