import type { Db } from '../../platform/database.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import { timingSafeEquals } from '../../shared/crypto/keyed-hash.ts';
import { ServiceError } from '../../shared/errors.ts';
import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';
import { listMemoryTagPicturesOfCode, type MemoryTagPictureRow } from '../memory-tags/index.ts';
import { getOpenQrCode, type ScannedQrCode } from '../scans/index.ts';
import { getQrCodePagePath } from './finder-services.ts';
import type { PageVisit } from './visit.ts';

export interface VisibleGallery {
  pictures: readonly MemoryTagPictureRow[];
  address: string;
  /** The ticket for pictures behind a PIN; null if they are public. */
  ticket: string | null;
}

interface Services {
  database: { client: Db };
  fieldCipher: FieldCipher;
  publicBaseUrl: string;
}

/** Null for other kinds or while a PIN is missing. */
export async function findVisibleGallery(
  services: Services,
  { code, pinRequired }: Pick<PageVisit, 'code' | 'pinRequired'>,
): Promise<VisibleGallery | null> {
  if (code.kind !== 'MEMORY_TAG' || pinRequired) return null;
  return findCodeGallery(
    services,
    code,
    code.pinHash ? createPictureTicket(services.fieldCipher, code) : null,
  );
}

/** Get the pictures that the page of a code would show now to the bearer of a ticket. @throws NOT_FOUND */
export async function getGalleryByPictureTicket(
  services: Services,
  codeId: string | null,
  ticket: string | undefined,
): Promise<VisibleGallery> {
  const code = codeId ? await getOpenQrCode(services.database.client, codeId).catch(toNullIfClosed) : null;
  if (code?.kind !== 'MEMORY_TAG') throw new ServiceError('NOT_FOUND');
  const isTicketValid = isValidPictureTicket(services.fieldCipher, code, ticket);
  if (code.pinHash && !isTicketValid) throw new ServiceError('NOT_FOUND');
  const gallery = await findCodeGallery(services, code, code.pinHash && isTicketValid ? ticket : null);
  if (!gallery) throw new ServiceError('NOT_FOUND');
  return gallery;
}

async function findCodeGallery(
  services: Services,
  code: ScannedQrCode,
  ticket: string | null,
): Promise<VisibleGallery | null> {
  const pictures = await listMemoryTagPicturesOfCode(services.database.client, code);
  return pictures.length > 0
    ? { pictures, address: `${getQrCodePagePath(services, code.id)}/pictures`, ticket }
    : null;
}

/** Do not reveal whether a code is paused or expired; only its page does. */
function toNullIfClosed(error: unknown): null {
  if (error instanceof ServiceError && error.statusCode < 500) return null;
  throw error;
}

interface CodeVersion {
  id: string;
  version: number;
}

/** The ticket opens the pictures alone, for two hours, and becomes invalid when the code changes. */
export function createPictureTicket(fieldCipher: FieldCipher, code: CodeVersion): string {
  const expiresAtSeconds = String(Math.floor(Date.now() / 1000) + LIFETIMES_SECONDS.pictureTicket);
  return `${expiresAtSeconds}.${computeSignature(fieldCipher, code, expiresAtSeconds)}`;
}

function isValidPictureTicket(
  fieldCipher: FieldCipher,
  code: CodeVersion,
  ticket: string | undefined,
): ticket is string {
  const [expiresAtSeconds = '', signature = ''] = ticket?.split('.') ?? [];
  if (!/^\d{1,12}$/.test(expiresAtSeconds) || Number(expiresAtSeconds) * 1000 <= Date.now()) return false;
  return timingSafeEquals(signature, computeSignature(fieldCipher, code, expiresAtSeconds));
}

function computeSignature(
  fieldCipher: FieldCipher,
  { id, version }: CodeVersion,
  expiresAtSeconds: string,
): string {
  return fieldCipher
    .hash('picture-ticket', id, String(version), expiresAtSeconds)
    .subarray(0, 16)
    .toString('base64url');
}
