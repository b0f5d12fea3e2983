import type { FastifyReply } from 'fastify';
import { type LocalizedHtmlPage, sendLocalizedHtmlPage } from '../../platform/pages/page-frame.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import { t } from '../../shared/i18n/translate.ts';
import {
  decryptQrCodeData,
  findPublicQrCodeStatus,
  findScannedQrCodeId,
  getCurrentQrCodeStatus,
  getQrCodeScanUrl,
  LOST_ITEM_REPORT,
  toPageDesign,
} from '../codes/index.ts';
import { getMessagePresetsForCodeKind } from '../conversations/index.ts';
import { createQrCodePage, type PageConfirmation } from './code-page.ts';
import { shouldRedirectWithoutInterstitial } from './contact-links.rules.ts';
import { findOngoingConversation, type OngoingConversation } from './conversation-access.ts';
import {
  type FinderServices,
  getCopyScriptPath,
  getFinderBasePath,
  getQrCodePagePath,
} from './finder-services.ts';
import { createVisitFormToken } from './form-token.ts';
import { findVisibleGallery } from './gallery.ts';
import { findMemorialContent } from './memorial.ts';
import { findOfferedDocuments } from './offered-documents.ts';
import { findTargetUrl } from './sections/contact.ts';
import {
  EMPTY_FORM_STATE,
  type GuestBookForm,
  type LocationForm,
  type MessageForm,
} from './sections/forms.ts';
import type { PageVisit } from './visit.ts';

export interface PageFormResult {
  status: number;
  errorMessage: string | null;
  messageForm?: Pick<MessageForm, 'draft' | 'errorMessage' | 'needsConfirmation' | 'showsHoneypot'> & {
    visit?: string;
  };
  locationForm?: Pick<LocationForm, 'place' | 'errorMessage' | 'needsConfirmation'>;
  guestBookForm?: Pick<GuestBookForm, 'draft' | 'errorMessage' | 'needsConfirmation' | 'showsHoneypot'> & {
    visit?: string;
  };
  confirmation?: PageConfirmation;
}

export const NO_FORM: PageFormResult = { status: 200, errorMessage: null };

/** Send the page of a visit, or redirect if a code of kind URL needs no page. */
export async function sendVisitPageOrRedirect(
  services: FinderServices,
  reply: FastifyReply,
  visit: PageVisit,
  locale: Locale,
): Promise<FastifyReply> {
  const redirectUrl = await findRedirectUrl(services, visit);
  if (redirectUrl) return sendRedirect(reply, redirectUrl);
  return sendVisitPage(services, reply, visit, locale, NO_FORM);
}

export function sendRedirect(reply: FastifyReply, url: string): FastifyReply {
  return reply.header('Cache-Control', 'no-store').redirect(url, 302);
}

/** Get the target of a code of kind URL that needs no page. */
export async function findRedirectUrl(
  { database, urlPagePolicy }: Pick<FinderServices, 'database' | 'urlPagePolicy'>,
  { code, profile }: Pick<PageVisit, 'code' | 'profile'>,
): Promise<string | null> {
  const url = findTargetUrl(code.kind, profile);
  if (!url || !shouldRedirectWithoutInterstitial(code, urlPagePolicy, new Date())) return null;
  // The rules of codes know only some of the names of this service. A redirect could go in circles.
  const nextCodeId = findScannedQrCodeId(url);
  const isLoop = nextCodeId && (await findPublicQrCodeStatus(database.client, nextCodeId)) !== 'DELETED';
  return isLoop ? null : url.href;
}

/** @throws DATA_INTEGRITY */
export async function sendVisitPage(
  services: FinderServices,
  reply: FastifyReply,
  visit: PageVisit,
  locale: Locale,
  form: PageFormResult,
): Promise<FastifyReply> {
  const ongoing =
    form.confirmation?.topic === 'conversation'
      ? null
      : await findOngoingConversation(services, visit.code.id, reply.request.headers.cookie);
  return sendLocalizedHtmlPage(reply, await createVisitPage(services, visit, locale, form, ongoing));
}

/** @throws DATA_INTEGRITY */
export async function createVisitPage(
  services: FinderServices,
  visit: PageVisit,
  locale: Locale,
  { status, errorMessage, messageForm, locationForm, guestBookForm, confirmation }: PageFormResult,
  ongoingConversation: OngoingConversation | null,
): Promise<LocalizedHtmlPage> {
  const { code, scanId, profile } = visit;
  const { fieldCipher } = services;
  const address = getQrCodePagePath(services, code.id);
  // The forms of a page that is not saved are shown; no route accepts their token.
  const token = visit.unsavedData ? 'unsaved' : scanId && createVisitFormToken(fieldCipher, code.id, scanId);
  const messageToken = messageForm?.visit ?? token;
  const guestBookToken = guestBookForm?.visit ?? token;
  const memorial = await findMemorialContent(services, visit);
  const pinForm = token && {
    action: `${address}/pin?lang=${locale.tag}#answer`,
    visit: token,
    errorMessage,
    isDocument: code.kind === 'DOCUMENT',
  };
  const content = {
    confirmation: confirmation ?? null,
    isOwnPhone: visit.isOwnPhone ?? false,
    ongoingConversation,
    status,
    address,
    scanUrl: getQrCodeScanUrl(services.publicBaseUrl, code.id),
    copyScript: getCopyScriptPath(services),
    kind: code.kind,
    pageDesign: toPageDesign(code.pageDesign),
    country: visit.country ?? null,
    isLost: getCurrentQrCodeStatus(code) === 'LOST',
    lost: LOST_ITEM_REPORT.decrypt(fieldCipher, code),
    profile,
    documents: await findOfferedDocuments(services, visit, token),
    hiddenFields: listHiddenFields(fieldCipher, visit),
    unlockedVisit: code.pinHash && !visit.pinRequired ? token : null,
    messageForm:
      messageToken && visit.contactable
        ? {
            action: `${address}/message?lang=${locale.tag}#answer`,
            kind: code.kind,
            presets: getMessagePresetsForCodeKind(code.kind, getCurrentQrCodeStatus(code) === 'LOST'),
            ...(messageForm ?? EMPTY_FORM_STATE),
            visit: messageToken,
          }
        : messageForm || locationForm
          ? t(locale, visit.contactable ? 'conversation.notSent' : 'conversation.notAccepted')
          : null,
    memorial,
    guestBookForm:
      guestBookToken && memorial?.tag.guestBookOpen
        ? {
            action: `${address}/guest-book?lang=${locale.tag}#answer`,
            ...(guestBookForm ?? EMPTY_FORM_STATE),
            visit: guestBookToken,
          }
        : guestBookForm
          ? t(locale, 'memorial.signNotAccepted')
          : null,
    gallery: await findVisibleGallery(services, visit),
    locationForm:
      token && visit.contactable
        ? { ...createLocationForm(services, code.id, token, locale), ...locationForm }
        : null,
    pinForm: visit.pinRequired ? (pinForm ?? t(locale, 'finder.pinLater')) : null,
  };
  const page = { ...createQrCodePage(content, locale), isScan: scanId !== null && !visit.isOwnPhone };
  return visit.isOwnerPreview ? { ...page, address: null, isOwnerPreview: true } : page;
}

export function createLocationForm(
  services: Pick<FinderServices, 'publicBaseUrl'>,
  codeId: string,
  visit: string,
  locale: Locale,
): LocationForm {
  return {
    action: `${getQrCodePagePath(services, codeId)}/location?lang=${locale.tag}#answer`,
    script: `${getFinderBasePath(services)}/position.js?lang=${locale.tag}`,
    visit,
    place: '',
    errorMessage: null,
    needsConfirmation: false,
  };
}

/** @throws DATA_INTEGRITY */
function listHiddenFields(
  fieldCipher: FinderServices['fieldCipher'],
  { code, profile, unsavedData }: PageVisit,
): readonly string[] {
  if (code.kind !== 'WIFI') return [];
  return Object.keys(unsavedData ?? decryptQrCodeData(fieldCipher, code)).filter(
    (field) => !Object.hasOwn(profile ?? {}, field),
  );
}
