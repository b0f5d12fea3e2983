import type { Feature, FeatureManifest } from '../../platform/feature.ts';
import { caretakerRoutes } from './caretakers.routes.ts';
import { CaredFor, Caretaker } from './caretakers.schemas.ts';
import { galleryRoutes } from './gallery.routes.ts';
import { MemoryTagPicture } from './gallery.schemas.ts';
import { guestBookRoutes } from './guest-book.routes.ts';
import { GuestBook, GuestBookEntry } from './guest-book.schemas.ts';
import { memoryTagRoutes } from './memory-tags.routes.ts';
import { MemoryTag, MemoryTagItem } from './memory-tags.schemas.ts';
import { ANNIVERSARIES_QUEUE, createNotifyAnniversariesJob } from './notify-anniversaries.job.ts';
import { withdrawalRoutes } from './withdrawal.routes.ts';

type MemoryTagServices = Parameters<typeof memoryTagRoutes>[1] &
  Parameters<typeof galleryRoutes>[1] &
  Parameters<typeof caretakerRoutes>[1] &
  Parameters<typeof guestBookRoutes>[1] &
  Parameters<typeof withdrawalRoutes>[1];

export const memoryTagsManifest: FeatureManifest = {
  name: 'memory-tags',
  queues: [ANNIVERSARIES_QUEUE],
  schemas: [CaredFor, Caretaker, GuestBook, GuestBookEntry, MemoryTag, MemoryTagItem, MemoryTagPicture],
};

export function createMemoryTags(services: MemoryTagServices) {
  const feature: Feature = {
    async plugin(app) {
      const options = { ...services, prefix: '/api/memory-tags' };
      await app.register(memoryTagRoutes, options);
      await app.register(galleryRoutes, options);
      await app.register(caretakerRoutes, options);
      await app.register(guestBookRoutes, options);
      await app.register(withdrawalRoutes, options);
    },
    jobs: [
      { queue: ANNIVERSARIES_QUEUE, handler: createNotifyAnniversariesJob(services), intervalSeconds: 900 },
    ],
  };
  return { feature };
}

export { deleteUnlinkedCaretakers } from './caretaker.repository.ts';
export { decryptCaretakerEmail, hashCaretakerEmail } from './caretaker-email.ts';
export { CaredFor, Caretaker } from './caretakers.schemas.ts';
export { listPictures, listPicturesOfCode, type PictureRow } from './gallery.repository.ts';
export { MemoryTagPicture } from './gallery.schemas.ts';
export { findGuestBookEntryById, listGuestBookEntriesAfter } from './guest-book.repository.ts';
export { GuestBook, GuestBookEntry } from './guest-book.schemas.ts';
export { decryptGuestBookEntry, type GuestBookEntryContent } from './guest-book-content.ts';
export { findMemoryTagOfCode, type MemoryTagRow } from './memory-tag.repository.ts';
export { getMemoryTagPlaces, toMemoryTagItemView } from './memory-tag.view.ts';
export { findEditableTag } from './memory-tag-access.ts';
export { MemoryTag, MemoryTagItem, MemoryTagPlace } from './memory-tags.schemas.ts';
export { ANNIVERSARIES_QUEUE, createNotifyAnniversariesJob } from './notify-anniversaries.job.ts';
export { memoryTagsPersonalData } from './personal-data.ts';
export { type GuestBookServices, signGuestBook } from './sign-guest-book.ts';
export {
  createGuestBookEntryToken,
  getGuestBookEntryByToken,
  withdrawGuestBookEntry,
} from './withdraw-entry.ts';
