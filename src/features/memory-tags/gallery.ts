import type { Database, Db } from '../../platform/database.ts';
import { skipAudit } from '../../platform/route-access.ts';
import { Id } from '../../shared/common.schemas.ts';
import { ServiceError } from '../../shared/errors.ts';
import { createPictureSchema, listPictures, type PictureGallery, type PictureRow } from '../files/index.ts';
import { findMemoryTagOfCode, type MemoryTagRow } from './memory-tag.repository.ts';
import { findEditableMemoryTag, lockEditableMemoryTag } from './memory-tag-access.ts';

export const MemoryTagPicture = createPictureSchema('MemoryTagPicture', { memoryTagId: Id });

export interface MemoryTagGalleryServices {
  database: Database;
  isReadOnly(db: Db, limit: 'memoryTags', row: MemoryTagRow): Promise<boolean>;
  /** @throws PLAN_LIMIT_REACHED */
  rejectReadOnlyChange(db: Db, limit: 'memoryTags', accountId: string): Promise<never>;
}

/** Define the pictures that owners and caretakers of a memory tag edit. */
export function createMemoryTagGallery(services: MemoryTagGalleryServices): PictureGallery {
  const findOwner = async (db: Db, userId: string, id: string) => {
    const access = await findEditableMemoryTag(db, userId, id);
    if (!access) throw new ServiceError('NOT_FOUND');
    return access.row;
  };
  return {
    name: 'memoryTags',
    tag: 'Memory tags',
    subject: 'a memory tag',
    path: '/api/memory-tags',
    permission: 'memory-tags:own',
    readAudit: skipAudit('MEMORY_TAG'),
    auditActions: {
      added: 'PICTURE_ADDED',
      updated: 'PICTURE_UPDATED',
      deleted: 'PICTURE_DELETED',
      restored: 'PICTURE_RESTORED',
    },
    schema: MemoryTagPicture,
    maxPictures: 100,
    toKey: (memoryTagId) => ({ memoryTagId }),
    authorizeRead: (_context, userId, id) => findOwner(services.database.client, userId, id),
    findOwner,
    async lockForChange(tx, userId, id, change) {
      const { row } = await lockEditableMemoryTag(tx, userId, id);
      if (change !== 'DELETE' && (await services.isReadOnly(tx, 'memoryTags', row)))
        await services.rejectReadOnlyChange(tx, 'memoryTags', row.accountId);
      return row;
    },
  };
}

/** List the pictures that the page of a code shows, by position. */
export async function listMemoryTagPicturesOfCode(
  db: Db,
  code: { id: string; accountId: string },
): Promise<PictureRow[]> {
  const tag = await findMemoryTagOfCode(db, code);
  return tag ? listPictures(db, tag.accountId, { memoryTagId: tag.id }) : [];
}
