import type { Db } from '../../platform/database.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import { ServiceError } from '../../shared/errors.ts';
import { listPicturesOfCode, type PictureRow } from '../memory-tags/index.ts';
import { getOpenCode, type ScannedCode } from '../scans/index.ts';
import { getCodePath } from './finder-services.ts';
import { createPictureTicket, isValidPictureTicket } from './picture-ticket.ts';
import type { PageVisit } from './record-visit.ts';

/** The pictures of a memory tag that a visit to its code shows. */
export interface VisitGallery {
  pictures: readonly PictureRow[];
  /** Where they are, as browsers see it. */
  address: string;
  /** What their addresses need besides; null where everybody may see them. */
  ticket: string | null;
}

interface Services {
  database: { client: Db };
  fieldCipher: FieldCipher;
  publicBaseUrl: string;
}

/** The pictures that a visit shows; null of codes of other kinds, where there are none, and as long as a PIN is missing. */
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

/** The pictures of a code whose page would show them at this moment to who has such a ticket. Throws NOT_FOUND. */
export async function getGallery(
  services: Services,
  codeId: string | null,
  ticket: string | undefined,
): Promise<VisitGallery> {
  const code = codeId ? await getOpenCode(services.database.client, codeId).catch(toNullIfClosed) : null;
  if (code?.kind !== 'MEMORY_TAG') throw new ServiceError('NOT_FOUND');
  const isOpened = isValidPictureTicket(services.fieldCipher, code, ticket);
  if (code.pinHash && !isOpened) throw new ServiceError('NOT_FOUND');
  const gallery = await findCodeGallery(services, code, code.pinHash && isOpened ? ticket : null);
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

/** A paused or expired code has no pictures; whether it is one is told on its page alone. */
function toNullIfClosed(error: unknown): null {
  if (error instanceof ServiceError && error.statusCode < 500) return null;
  throw error;
}
