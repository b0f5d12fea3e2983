import type { Db } from '../../platform/database.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import { ServiceError } from '../../shared/errors.ts';
import { listPicturesOfCode, type PictureRow } from '../memory-tags/index.ts';
import { getOpenCode, type ScannedCode } from '../scans/index.ts';
import { getCodePath } from './finder-services.ts';
import { createPictureTicket, isValidPictureTicket } from './picture-ticket.ts';
import type { PageVisit } from './record-visit.ts';

export interface VisitGallery {
  pictures: readonly PictureRow[];
  address: string;
  /** The ticket for pictures behind a PIN; null if they are public. */
  ticket: string | null;
}

interface Services {
  database: { client: Db };
  fieldCipher: FieldCipher;
  publicBaseUrl: string;
}

/** Find the pictures that a visit shows; null for other kinds or while a PIN is missing. */
export async function findVisitGallery(
  services: Services,
  { code, pinRequired }: Pick<PageVisit, 'code' | 'pinRequired'>,
): Promise<VisitGallery | null> {
  if (code.kind !== 'MEMORY_TAG' || pinRequired) return null;
  return findCodeGallery(
    services,
    code,
    code.pinHash ? createPictureTicket(services.fieldCipher, code) : null,
  );
}

/** Get the pictures that the page of a code would show now to the bearer of a ticket. @throws NOT_FOUND */
export async function getGallery(
  services: Services,
  codeId: string | null,
  ticket: string | undefined,
): Promise<VisitGallery> {
  const code = codeId ? await getOpenCode(services.database.client, codeId).catch(toNullIfClosed) : null;
  if (code?.kind !== 'MEMORY_TAG') throw new ServiceError('NOT_FOUND');
  const isTicketValid = isValidPictureTicket(services.fieldCipher, code, ticket);
  if (code.pinHash && !isTicketValid) throw new ServiceError('NOT_FOUND');
  const gallery = await findCodeGallery(services, code, code.pinHash && isTicketValid ? ticket : null);
  if (!gallery) throw new ServiceError('NOT_FOUND');
  return gallery;
}

async function findCodeGallery(
  services: Services,
  code: ScannedCode,
  ticket: string | null,
): Promise<VisitGallery | null> {
  const pictures = await listPicturesOfCode(services.database.client, code);
  return pictures.length > 0
    ? { pictures, address: `${getCodePath(services, code.id)}/pictures`, ticket }
    : null;
}

/** Do not reveal whether a code is paused or expired; only its page does. */
function toNullIfClosed(error: unknown): null {
  if (error instanceof ServiceError && error.statusCode < 500) return null;
  throw error;
}
