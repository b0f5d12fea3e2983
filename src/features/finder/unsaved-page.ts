import type { LocalizedHtmlPage } from '../../platform/pages/page-frame.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import { generateId } from '../../shared/ids.ts';
import { type FieldVisibility, filterVisibleFields, listVisiblePictures } from '../codes/index.ts';
import type { ScannedQrCode } from '../scans/index.ts';
import type { FinderServices } from './finder-services.ts';
import { createVisitPage, NO_FORM } from './send-visit.ts';

export interface UnsavedQrCode {
  /** As it is stored, or would be. */
  code: ScannedQrCode;
  /** What replaces its data, in display order. */
  data: Readonly<Record<string, unknown>>;
  visibility: Readonly<Record<string, FieldVisibility>>;
  /** In place of the public address of its pictures. */
  picturesAddress?: string;
}

/** Create the page that finders would see once a code is saved, for a frame of its owner in which nothing is sent. */
export async function createUnsavedPage(
  services: FinderServices,
  { code, data, visibility, picturesAddress }: UnsavedQrCode,
  locale: Locale,
): Promise<LocalizedHtmlPage> {
  const visit = {
    code,
    scanId: null,
    profile: filterVisibleFields('FINDER', data, visibility),
    pictures: listVisiblePictures(services, { ...code, visibility }, 'FINDER'),
    pinRequired: code.pinHash !== null,
    contactable: code.contactable,
    isOwnerPreview: true,
    unsavedData: data,
    picturesAddress,
  };
  return createVisitPage(services, visit, locale, NO_FORM, null);
}

/** Create the row of a code that does not exist. */
export function createUnsavedCode(
  kind: string,
  accountId: string,
  visibility: object,
): UnsavedQrCode['code'] {
  return {
    id: generateId(),
    accountId,
    kind,
    title: '',
    status: 'ACTIVE',
    expiresAt: null,
    data: null,
    visibility,
    pinHash: null,
    contactable: true,
    version: 1,
    pictures: [],
    lostDetails: null,
    showsPage: true,
    pageDesign: {},
  };
}
