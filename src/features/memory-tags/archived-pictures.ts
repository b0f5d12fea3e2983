import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { insertAuditEntry } from '../../platform/audit.repository.ts';
import type { Database } from '../../platform/database.ts';
import { toIntegrityFailureEntry } from '../../platform/integrity-failure.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { type IntegrityFailure, ServiceError } from '../../shared/errors.ts';
import type { EncryptedFileStore } from '../files/encrypted-file-store.ts';
import { openReadableContent } from '../files/open-readable-content.ts';
import type { Width } from '../pictures/rendition.rules.ts';
import type { Renditions } from '../pictures/renditions.ts';
import type { PictureRow } from './gallery.repository.ts';

/** Width of the pictures within the page; as they are kept they lie beside it. */
const SHOWN: Width = 640;

/** Tries to have a picture drawn while others are. */
const PATIENCE = 10;

/** What pictures are put into an archive with. */
export interface ArchivedPictureServices {
  database: Database;
  files: EncryptedFileStore;
  renditions: Renditions;
}

type Services = ArchivedPictureServices;

/**
 * A picture as it is kept, as far as it can be read; null where nothing of it can. `tell` hears of what is read that it is
 * whole, and that it is not where it breaks off.
 */
export async function openKept(
  services: Services,
  context: RequestContext,
  { fileId }: PictureRow,
  tell: (isWhole: boolean) => void,
): Promise<Readable | null> {
  let hasBegun = false;
  const content = await openPicture(services, context, fileId, () => {
    if (hasBegun) tell(false);
  });
  if (!content) return null;
  hasBegun = true;
  tell(true);
  return content;
}

/** A picture for the page, small enough that a hundred of them are one page; null where it cannot be drawn or read now. */
export async function drawnFor(
  services: Services,
  context: RequestContext,
  picture: PictureRow,
): Promise<Buffer | null> {
  for (let tries = 1; ; tries += 1)
    try {
      const { fileId } = await services.renditions.of(picture, { width: SHOWN, format: 'jpeg' });
      let isWhole = true;
      const content = await openPicture(services, context, fileId, () => {
        isWhole = false;
      });
      const drawn = content && (await buffer(content));
      return isWhole ? drawn : null;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (error.code !== 'BUSY' || tries === PATIENCE) return null;
      await wait(1_000);
    }
}

/** Writes into the trail that something could not be read. */
export function recordDamage(
  { database }: Pick<Services, 'database'>,
  { user, operation, requestId }: RequestContext,
  damaged: IntegrityFailure,
): Promise<void> {
  const entry = { ...toIntegrityFailureEntry(damaged), ...{ operation, requestId, actorId: user?.id } };
  return insertAuditEntry(database.client, entry);
}

/** Where a picture is in the archive: in the order of the gallery. */
export function pictureName({ position, format }: PictureRow): string {
  return `pictures/${String(position).padStart(3, '0')}.${format === 'jpeg' ? 'jpg' : format}`;
}

/** What is told of a picture; its file is null where nothing of it could be read, and damaged where only a part could. */
export function pictureFacts(picture: PictureRow, isWhole: boolean | undefined) {
  const { caption, width, height } = picture;
  const file = isWhole === undefined ? null : pictureName(picture);
  return { file, ...(isWhole === false && { damaged: true }), caption, width, height };
}

/** What can be read of a file; what cannot is recorded. */
function openPicture(
  services: Services,
  context: RequestContext,
  fileId: string,
  onDamage: () => void,
): Promise<Readable | null> {
  return openReadableContent(services.files, services.database.client, fileId, async (damaged) => {
    onDamage();
    await recordDamage(services, context, damaged);
  });
}
