import type { LocalizedHtmlPage } from '../../platform/pages/page-frame.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import {
  decryptQrCodeData,
  getQrCodeKindByName,
  listVisiblePictures,
  parseFieldVisibilities,
  resolveFieldVisibilities,
} from '../codes/index.ts';
import type { ScannedQrCode } from '../scans/index.ts';
import type { FinderServices } from './finder-services.ts';
import { findVisibleGallery } from './gallery.ts';
import { createUnsavedPage } from './unsaved-page.ts';

/**
 * Create the page that finders see of a code without its PIN, also of a code that is closed, for the frame beside a
 * decision. Records no scan; its forms cannot be sent.
 * @throws DATA_INTEGRITY
 */
export function createReviewPage(
  services: FinderServices,
  code: ScannedQrCode,
  picturesAddress: string,
  locale: Locale,
): Promise<LocalizedHtmlPage> {
  const data = decryptQrCodeData(services.fieldCipher, code);
  return createUnsavedPage(
    services,
    { code, data, visibility: resolveVisibilities(code), picturesAddress },
    locale,
  );
}

/** Whether the page of `createReviewPage` has a picture. */
export async function hasReviewPicture(
  services: FinderServices,
  code: ScannedQrCode,
  pictureId: string,
): Promise<boolean> {
  const pictures = listVisiblePictures(services, code, 'FINDER');
  const gallery = await findVisibleGallery(services, { code, pictures, pinRequired: code.pinHash !== null });
  return gallery?.pictures.some(({ id }) => id === pictureId) ?? false;
}

function resolveVisibilities({ kind, visibility, pinHash }: ScannedQrCode) {
  return resolveFieldVisibilities(
    getQrCodeKindByName(kind),
    parseFieldVisibilities(visibility),
    pinHash !== null,
  );
}
