import type { EventObjectReaders } from '../../platform/event-objects.ts';
import type { Feature, FeatureManifest } from '../../platform/feature.ts';
import { nullable } from '../../shared/common.schemas.ts';
import { type GalleryServices, galleryRoutes } from '../files/index.ts';
import { caretakerRoutes } from './caretakers.routes.ts';
import { CaredFor, Caretaker } from './caretakers.schemas.ts';
import { purgeDeletedGuestBookEntries } from './deleted-entries.ts';
import { createMemoryTagGallery, type MemoryTagGalleryServices, MemoryTagPicture } from './gallery.ts';
import { guestBookModerationRoutes } from './guest-book.routes.ts';
import { GuestBook, GuestBookEntry } from './guest-book.schemas.ts';
import { memoryTagRoutes } from './memory-tags.routes.ts';
import { MemoryTag, MemoryTagItem, MemoryTagPlace, PartialDate } from './memory-tags.schemas.ts';
import { createNotifyAnniversariesJob, NOTIFY_ANNIVERSARIES_QUEUE } from './notify-anniversaries.job.ts';
import { createGuestBookEventReader } from './read-event-entry.ts';
import { guestBookWithdrawalRoutes } from './withdrawal.routes.ts';

type MemoryTagServices = Parameters<typeof memoryTagRoutes>[1] &
  MemoryTagGalleryServices &
  GalleryServices &
  Parameters<typeof caretakerRoutes>[1] &
  Parameters<typeof guestBookModerationRoutes>[1] &
  Parameters<typeof guestBookWithdrawalRoutes>[1];

export const memoryTagsManifest: FeatureManifest = {
  name: 'memory-tags',
  queues: [NOTIFY_ANNIVERSARIES_QUEUE],
  repeatedSchemas: { MemoryTagPlace, NullablePartialDate: nullable(PartialDate) },
  schemas: [CaredFor, Caretaker, GuestBook, GuestBookEntry, MemoryTag, MemoryTagItem, MemoryTagPicture],
};

export function createMemoryTagsFeature(services: MemoryTagServices & { eventObjects: EventObjectReaders }) {
  services.eventObjects.register('guest_book', createGuestBookEventReader(services));
  const feature: Feature = {
    async plugin(app) {
      const options = { ...services, prefix: '/api/memory-tags' };
      await app.register(memoryTagRoutes, options);
      await app.register(galleryRoutes, { ...options, gallery: createMemoryTagGallery(services) });
      await app.register(caretakerRoutes, options);
      await app.register(guestBookModerationRoutes, options);
      await app.register(guestBookWithdrawalRoutes, options);
    },
    cleanUp: [() => purgeDeletedGuestBookEntries(services.database)],
    jobs: [
      {
        queue: NOTIFY_ANNIVERSARIES_QUEUE,
        handler: createNotifyAnniversariesJob(services),
        intervalSeconds: 900,
      },
    ],
  };
  return { feature };
}

export { addOwnCaretaker } from './add-caretaker.ts';
export { listCaretakers, markMemoryTagOpenedByCaretaker } from './caretaker.repository.ts';
export { CARETAKER_EMAIL } from './caretaker-email.ts';
export {
  decideGuestBookEntry,
  removeGuestBookEntry,
  restoreDeletedGuestBookEntry,
} from './decide-entry.use-case.ts';
export { getGuestBookRestoreCutoff, LAST_DELETED_FIRST } from './deleted-entries.ts';
export { createMemoryTagGallery, listMemoryTagPicturesOfCode } from './gallery.ts';
export {
  findGuestBookEntry,
  findGuestBookEntryById,
  type GuestBookEntryRow,
  listDeletedGuestBookEntries,
  listGuestBookEntries,
  listGuestBookEntriesAfter,
} from './guest-book.repository.ts';
export type { GuestBookEntryState } from './guest-book.schemas.ts';
export { toGuestBookEntryView } from './guest-book.view.ts';
export { GUEST_BOOK_ENTRY, type GuestBookEntryContent } from './guest-book-content.ts';
export { listOwnCaredForMemoryTags } from './list-cared-for.ts';
export {
  findMemoryTagOfCode,
  listMemoryTags,
  MEMORY_TAG_LIST_SORTS,
  type MemoryTagRow,
} from './memory-tag.repository.ts';
export { parseMemoryTagPlaces, toMemoryTagListItemView } from './memory-tag.view.ts';
export { findEditableMemoryTag } from './memory-tag-access.ts';
export {
  MEMORY_TAG_PLACE_KINDS,
  MemoryTagChange,
  MemoryTagPlace,
  NewMemoryTag,
} from './memory-tags.schemas.ts';
export { memoryTagsPersonalData } from './personal-data.ts';
export { leaveMemoryTag, removeCaretaker } from './remove-caretaker.use-case.ts';
export {
  changeMemoryTag,
  createMemoryTag,
  findMemoryTagErrors,
  removeMemoryTag,
} from './save-memory-tag.use-case.ts';
export { type GuestBookServices, signGuestBook } from './sign-guest-book.ts';
export {
  createGuestBookWithdrawalToken,
  requireGuestBookEntryByToken,
  withdrawGuestBookEntry,
} from './withdraw-entry.use-case.ts';
