import type { FieldCipher } from '../../platform/field-cipher.ts';
import { timingSafeEquals } from '../../shared/crypto/keyed-hash.ts';
import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';
import type { PictureSummary, QrCodeWithPictures } from './qrcode.repository.ts';
import { getQrCodeKindByName } from './qrcode.view.ts';
import {
  type FieldViewer,
  isFieldVisible,
  parseFieldVisibilities,
  resolveFieldVisibilities,
} from './visibility.rules.ts';

export interface VisiblePicture extends PictureSummary {
  url: string;
  /** In `url`; null for a public picture. */
  ticket: string | null;
}

/** List the pictures that a viewer sees. Addresses of pictures behind a PIN work until the code changes. */
export function listVisiblePictures(
  { fieldCipher, publicBaseUrl }: { fieldCipher: FieldCipher; publicBaseUrl: string },
  code: Pick<QrCodeWithPictures, 'id' | 'kind' | 'version' | 'visibility' | 'pinHash' | 'pictures'>,
  viewer: FieldViewer,
): VisiblePicture[] {
  if (code.pictures.length === 0) return [];
  const { pictures: visibility } = resolveFieldVisibilities(
    getQrCodeKindByName(code.kind),
    parseFieldVisibilities(code.visibility),
    code.pinHash !== null,
  );
  if (!visibility || !isFieldVisible(viewer, visibility)) return [];
  const ticket = visibility === 'PUBLIC' ? null : createPictureTicket(fieldCipher, code);
  return code.pictures.map(({ id, caption, position, width, height }) => ({
    id,
    caption,
    position,
    width,
    height,
    url: `${publicBaseUrl}/s/${code.id}/pictures/${id}${ticket === null ? '' : `?t=${ticket}`}`,
    ticket,
  }));
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

export function isValidPictureTicket(
  fieldCipher: FieldCipher,
  code: CodeVersion,
  ticket: string | undefined,
): ticket is string {
  const [expiresAtSeconds = '', signature = '', ...rest] = ticket?.split('.') ?? [];
  if (rest.length > 0) return false;
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
