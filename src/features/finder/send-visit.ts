import type { FastifyReply } from 'fastify';
import type { Html } from '../../shared/html.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import { t } from '../../shared/i18n/translate.ts';
import { getPresetsForKind } from '../conversations/presets.rules.ts';
import { openData, openLost } from '../qrcodes/encrypted-content.ts';
import { currentStatus } from '../qrcodes/qrcode.view.ts';
import { codePage } from './code-page.ts';
import { codePath, type FinderServices, finderPath } from './finder-services.ts';
import { formToken } from './form-token.ts';
import { galleryOf } from './gallery.ts';
import { memorialOf } from './memorial.ts';
import { offeredBy } from './offered-documents.ts';
import { begunConversation } from './opened-conversation.ts';
import { sendPage } from './page-frame.ts';
import type { Visit } from './record-visit.ts';
import { onwardUrl } from './sections/onward-link.ts';
import type { ShareForm } from './sections/share-form.ts';
import type { SignForm } from './sections/sign-form.ts';
import { NOTHING_TYPED, type WriteForm } from './sections/write-form.ts';
import { goesOnAtOnce } from './url-page.rules.ts';

/** How a visit is answered when something about a form was wrong. */
export interface Answer {
  status: number;
  /** Of the PIN. */
  complaint: string | null;
  /** Of a message. */
  write?: Pick<WriteForm, 'typed' | 'complaint' | 'asksToConfirm' | 'showsTrap'> & { visit?: string };
  /** Of a place. */
  share?: Pick<ShareForm, 'place' | 'complaint' | 'asksToConfirm'>;
  /** Of an entry of a guest book. */
  sign?: Pick<SignForm, 'typed' | 'complaint' | 'asksToConfirm' | 'showsTrap'> & { visit?: string };
  /** What was done, and the way to what came of it: to the conversation, where it was done in one. */
  done?: { text: string; way: Html | null; isOfConversation: boolean };
}

/** Sends the page of a visit; a code of kind URL goes on at once where no page is wanted. */
export async function sendVisit(
  services: FinderServices,
  reply: FastifyReply,
  visit: Visit,
  locale: Locale,
): Promise<FastifyReply> {
  const { code } = visit;
  const url = onwardUrl(code.kind, visit.profile);
  if (url && goesOnAtOnce(code, services.urlPage, new Date()))
    return reply.header('Cache-Control', 'no-store').redirect(url.href, 302);
  return sendVisitPage(services, reply, visit, locale, { status: 200, complaint: null });
}

/** Sends the page of a visit. Throws DATA_INTEGRITY. */
export async function sendVisitPage(
  services: FinderServices,
  reply: FastifyReply,
  visit: Visit,
  locale: Locale,
  { status, complaint, write, share, sign, done }: Answer,
): Promise<FastifyReply> {
  const { code, scanId, profile } = visit;
  const { fieldCipher } = services;
  const address = codePath(services, code.id);
  const token = scanId && formToken(fieldCipher, code.id, scanId);
  const writeToken = write?.visit ?? token;
  const signToken = sign?.visit ?? token;
  const memorial = await memorialOf(services, visit);
  const form = token && {
    action: `${address}/pin?lang=${locale.tag}#answer`,
    visit: token,
    complaint,
    isOfDocument: code.kind === 'DOCUMENT',
  };
  const begun = done?.isOfConversation
    ? null
    : await begunConversation(services, code.id, reply.request.headers.cookie);
  const facts = {
    done: done ?? null,
    begun,
    status,
    address,
    kind: code.kind,
    isLost: currentStatus(code) === 'LOST',
    lost: openLost(fieldCipher, code),
    profile,
    documents: await offeredBy(services, visit, token),
    withheld: withheldOf(fieldCipher, code, profile),
    unlockedVisit: code.pinHash && !visit.pinRequired ? token : null,
    write:
      writeToken && visit.contactable
        ? {
            action: `${address}/message?lang=${locale.tag}#answer`,
            kind: code.kind,
            presets: getPresetsForKind(code.kind, currentStatus(code) === 'LOST'),
            ...(write ?? NOTHING_TYPED),
            visit: writeToken,
          }
        : write || share
          ? t(locale, visit.contactable ? 'conversation.notSent' : 'conversation.notAccepted')
          : null,
    memorial,
    sign:
      signToken && memorial?.tag.guestBookOpen
        ? {
            action: `${address}/guest-book?lang=${locale.tag}#answer`,
            ...(sign ?? NOTHING_TYPED),
            visit: signToken,
          }
        : sign
          ? t(locale, 'memorial.signNotAccepted')
          : null,
    gallery: await galleryOf(services, visit),
    share:
      token && visit.contactable
        ? {
            action: `${address}/location?lang=${locale.tag}#answer`,
            script: `${finderPath(services)}/position.js`,
            visit: token,
            ...(share ?? { place: '', complaint: null, asksToConfirm: false }),
          }
        : null,
    pin: visit.pinRequired ? (form ?? t(locale, 'finder.pinLater')) : null,
  };
  const page = codePage(facts, locale);
  return sendPage(reply, visit.isOwnerLook ? { ...page, address: null } : page);
}

/** The fields of a network that a visit does not show. Throws DATA_INTEGRITY. */
function withheldOf(
  fieldCipher: FinderServices['fieldCipher'],
  code: Visit['code'],
  profile: Visit['profile'],
): readonly string[] {
  if (code.kind !== 'WIFI') return [];
  return Object.keys(openData(fieldCipher, code)).filter((field) => !Object.hasOwn(profile ?? {}, field));
}
