export type { CaretakerNamedEvent } from './add-caretaker.ts';
export type { AnniversaryEvent, AnniversaryRow } from './anniversary.repository.ts';
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
export { type GuestBookServices, type GuestBookSignedEvent, signGuestBook } from './sign-guest-book.ts';
export {
  createGuestBookEntryToken,
  getGuestBookEntryByToken,
  withdrawGuestBookEntry,
} from './withdraw-entry.ts';
