import type { Static } from 'typebox';
import type { MemoryTagPictureRow } from './gallery.repository.ts';
import type { MemoryTagPicture } from './gallery.schemas.ts';

export function toMemoryTagPictureView(row: MemoryTagPictureRow): Static<typeof MemoryTagPicture> {
  const { id, memoryTagId, caption, position, width, height, size, version } = row;
  return {
    id,
    memoryTagId,
    caption,
    position,
    width,
    height,
    size,
    url: `/api/memory-tags/${memoryTagId}/pictures/${id}`,
    version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
