import type { FieldCipher } from '../../platform/field-cipher.ts';
import { CONTEXT, defineSignedToken } from '../../shared/crypto/signed-token.ts';
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

/** Opens the pictures alone, and becomes invalid when the code changes. */
const pictureTicket = defineSignedToken({
  purpose: 'picture-ticket',
  parts: { id: CONTEXT, version: CONTEXT },
  lifetimeSeconds: LIFETIMES_SECONDS.pictureTicket,
});

export function createPictureTicket(fieldCipher: FieldCipher, { id, version }: CodeVersion): string {
  return pictureTicket.create(fieldCipher, { id, version });
}

export function isValidPictureTicket(
  fieldCipher: FieldCipher,
  { id, version }: CodeVersion,
  ticket: string | undefined,
): ticket is string {
  return pictureTicket.verify(fieldCipher, ticket, { id, version }) !== null;
}
