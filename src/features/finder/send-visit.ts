import type { FastifyReply } from 'fastify';
import type { Language } from '../../shared/languages/language.ts';
import { presetsFor } from '../conversations/presets.rules.ts';
import { openLost } from '../qrcodes/encrypted-content.ts';
import { currentStatus } from '../qrcodes/qrcode.view.ts';
import { codePage } from './code-page.ts';
import { codePath, type FinderServices, finderPath } from './finder-services.ts';
import { formToken } from './form-token.ts';
import { sendPage } from './page-frame.ts';
import type { Visit } from './record-visit.ts';
import { onwardUrl } from './sections/onward-link.ts';
import type { ShareForm } from './sections/share-form.ts';
import type { WriteForm } from './sections/write-form.ts';

/** How a visit is answered when something about a form was wrong. */
export interface Answer {
  status: number;
  /** Of the PIN. */
  complaint: string | null;
  /** Of a message. */
  write?: Pick<WriteForm, 'typed' | 'complaint' | 'asksToConfirm'>;
  /** Of a place. */
  share?: Pick<ShareForm, 'place' | 'complaint'>;
}

const NOTHING_TYPED = { typed: null, complaint: null, asksToConfirm: false };

/** Sends the page of a visit; a code of kind URL goes on at once, unless its owner wants the page or it is lost. */
export function sendVisit(
  services: FinderServices,
  reply: FastifyReply,
  visit: Visit,
  language: Language,
): FastifyReply {
  const { code } = visit;
  const url = onwardUrl(code.kind, visit.profile);
  const goesOn = url && !code.showsPage && currentStatus(code) !== 'LOST';
  if (goesOn) return reply.header('Cache-Control', 'no-store').redirect(url.href, 302);
  return sendVisitPage(services, reply, visit, language, { status: 200, complaint: null });
}

/** Sends the page of a visit. Throws DATA_INTEGRITY. */
export function sendVisitPage(
  services: FinderServices,
  reply: FastifyReply,
  visit: Visit,
  language: Language,
  { status, complaint, write, share }: Answer,
): FastifyReply {
  const { code, scanId, profile } = visit;
  const { vault } = services;
  const address = codePath(services, code.id);
  const token = scanId && formToken(vault, code.id, scanId);
  const form = token && {
    action: `${address}/pin?lang=${language.tag}`,
    visit: token,
    complaint,
    isOfDocument: code.kind === 'DOCUMENT',
  };
  const facts = {
    status,
    address,
    kind: code.kind,
    isLost: currentStatus(code) === 'LOST',
    lost: openLost(vault, code),
    profile,
    unlockedVisit: code.pinHash && !visit.pinRequired ? token : null,
    write:
      token && visit.contactable
        ? {
            action: `${address}/message?lang=${language.tag}#write`,
            visit: token,
            isToFamily: code.kind === 'MEMORY_TAG',
            presets: presetsFor(code.kind),
            ...(write ?? NOTHING_TYPED),
          }
        : null,
    share:
      token && visit.contactable
        ? {
            action: `${address}/location?lang=${language.tag}#share`,
            script: `${finderPath(services)}/position.js`,
            visit: token,
            ...(share ?? { place: '', complaint: null }),
          }
        : null,
    pin: visit.pinRequired ? (form ?? language.finder.pinLater) : null,
  };
  return sendPage(reply, codePage(facts, language));
}
