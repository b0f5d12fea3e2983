import type { Database } from '../../platform/database.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { ServiceError } from '../../shared/errors.ts';
import {
  createPictureTicket,
  isValidPictureTicket,
  listVisiblePictures,
  type PictureSummary,
} from '../codes/index.ts';
import { listMemoryTagPicturesOfCode } from '../memory-tags/index.ts';
import { commitMedicalContentAccess, getOpenQrCode } from '../scans/index.ts';
import { getQrCodePagePath } from './finder-services.ts';
import type { PageVisit } from './visit.ts';

export interface VisibleGallery {
  /** Never empty. */
  pictures: readonly PictureSummary[];
  address: string;
  /** The ticket for pictures behind a PIN; null if they are public. */
  ticket: string | null;
}

interface Services {
  database: Database;
  fieldCipher: FieldCipher;
  publicBaseUrl: string;
}

/** Null without pictures or while a PIN is missing. */
export async function findVisibleGallery(
  services: Services,
  {
    code,
    pinRequired,
    pictures,
    picturesAddress,
  }: Pick<PageVisit, 'code' | 'pinRequired' | 'pictures' | 'picturesAddress'>,
): Promise<VisibleGallery | null> {
  const address = picturesAddress ?? `${getQrCodePagePath(services, code.id)}/pictures`;
  if (code.kind !== 'MEMORY_TAG')
    return pictures[0] ? { pictures, address, ticket: pictures[0].ticket } : null;
  const memorialPictures = pinRequired
    ? []
    : await listMemoryTagPicturesOfCode(services.database.client, code);
  if (memorialPictures.length === 0) return null;
  const ticket = code.pinHash ? createPictureTicket(services.fieldCipher, code) : null;
  return { pictures: memorialPictures, address, ticket };
}

/**
 * Open the pictures that the page of a code would show now to the bearer of a ticket. Those of a medical code are
 * audited, since nothing else records who opens them without the page.
 * @param context null for HEAD, which shows nothing
 * @throws NOT_FOUND, also without the picture that is named
 */
export async function openGalleryByPictureTicket(
  services: Services,
  context: RequestContext | null,
  codeId: string | null,
  { ticket, pictureId }: { ticket: string | undefined; pictureId?: string },
): Promise<VisibleGallery & { accountId: string }> {
  const { database } = services;
  const code = codeId ? await getOpenQrCode(database.client, codeId).catch(toNullIfClosed) : null;
  if (!code) throw new ServiceError('NOT_FOUND');
  const hasPin = code.pinHash !== null;
  const isUnlocked = hasPin && isValidPictureTicket(services.fieldCipher, code, ticket);
  const pictures = listVisiblePictures(services, code, isUnlocked ? 'PIN' : 'FINDER');
  const gallery = await findVisibleGallery(services, { code, pictures, pinRequired: hasPin && !isUnlocked });
  if (!gallery) throw new ServiceError('NOT_FOUND');
  if (pictureId !== undefined && !gallery.pictures.some(({ id }) => id === pictureId))
    throw new ServiceError('NOT_FOUND');
  if (context && code.kind === 'MEDICAL') {
    const content = { profile: null, pictures: gallery.pictures };
    await commitMedicalContentAccess(database, context, code, content);
  }
  // The same ticket: a new one would last longer.
  return { ...gallery, accountId: code.accountId, ticket: gallery.ticket && (ticket ?? null) };
}

/** Do not reveal whether a code is paused or expired; only its page does. */
function toNullIfClosed(error: unknown): null {
  if (error instanceof ServiceError && error.statusCode < 500) return null;
  throw error;
}
