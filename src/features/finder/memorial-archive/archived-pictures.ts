import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { insertAuditEntry } from '../../../platform/audit.repository.ts';
import type { Database } from '../../../platform/database.ts';
import { toIntegrityFailureAuditEntry } from '../../../platform/integrity-failure.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { type IntegrityFailure, ServiceError } from '../../../shared/errors.ts';
import {
  type EncryptedFileStore,
  openPrivateFileForArchive,
  type PictureRow,
  type RenditionService,
  type RenditionWidth,
} from '../../files/index.ts';

/** Width of the pictures in the page; the originals are separate files. */
const PAGE_PICTURE_WIDTH: RenditionWidth = 640;

/** Attempts while the renderer is busy. */
const MAX_ATTEMPTS = 10;

export interface ArchivedPictureServices {
  database: Database;
  files: EncryptedFileStore;
  renditions: RenditionService;
}

type Services = ArchivedPictureServices;

/** Null if nothing can be read. `reportIntegrity` gets true at first, and false if reading fails later. */
export async function openOriginalPicture(
  services: Services,
  context: RequestContext,
  { accountId, fileId: id }: PictureRow,
  reportIntegrity: (isWhole: boolean) => void,
): Promise<Readable | null> {
  let hasBegun = false;
  const content = await openReadablePicture(services, context, { accountId, id }, () => {
    if (hasBegun) reportIntegrity(false);
  });
  if (!content) return null;
  hasBegun = true;
  reportIntegrity(true);
  return content;
}

/** Render a picture small enough for one page of a hundred; null if it cannot be rendered or read now. */
export async function renderArchivePicture(
  services: Services,
  context: RequestContext,
  picture: PictureRow,
): Promise<Buffer | null> {
  for (let attempt = 1; ; attempt += 1)
    try {
      const { accountId } = picture;
      const { fileId: id } = await services.renditions.getRendition(picture, {
        width: PAGE_PICTURE_WIDTH,
        format: 'jpeg',
        requester: accountId,
      });
      let isWhole = true;
      const content = await openReadablePicture(services, context, { accountId, id }, () => {
        isWhole = false;
      });
      const rendition = content && (await buffer(content));
      return isWhole ? rendition : null;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (error.code !== 'BUSY' || attempt === MAX_ATTEMPTS) return null;
      await wait(1_000);
    }
}

export function recordIntegrityFailure(
  { database }: Pick<Services, 'database'>,
  { user, operation, requestId }: RequestContext,
  failure: IntegrityFailure,
): Promise<void> {
  const actor = { actorId: user?.id, accountId: user?.account?.id };
  const entry = { ...toIntegrityFailureAuditEntry(failure), operation, requestId, ...actor };
  return insertAuditEntry(database.client, entry);
}

export function getArchivePictureEntryName({ position, format }: PictureRow): string {
  return `pictures/${String(position).padStart(3, '0')}.${format === 'jpeg' ? 'jpg' : format}`;
}

export function toArchivePictureMetadata(picture: PictureRow, isWhole: boolean | undefined) {
  const { caption, width, height } = picture;
  const file = isWhole === undefined ? null : getArchivePictureEntryName(picture);
  return { file, ...(isWhole === false && { damaged: true }), caption, width, height };
}

/** An integrity failure is recorded. */
function openReadablePicture(
  services: Services,
  context: RequestContext,
  file: { accountId: string; id: string },
  onIntegrityFailure: () => void,
): Promise<Readable | null> {
  return openPrivateFileForArchive(services.files, services.database.client, file, async (failure) => {
    onIntegrityFailure();
    await recordIntegrityFailure(services, context, failure);
  });
}
