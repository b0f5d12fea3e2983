import type { FastifyReply } from 'fastify';
import type { Language } from '../../shared/languages/language.ts';
import { openLost } from '../qrcodes/encrypted-content.ts';
import { currentStatus } from '../qrcodes/qrcode.view.ts';
import { codePage } from './code-page.ts';
import { codePath, type FinderServices } from './finder-services.ts';
import { formToken } from './form-token.ts';
import { sendPage } from './page-frame.ts';
import type { Visit } from './record-visit.ts';
import { onwardUrl } from './sections/onward-link.ts';

/** How a visit is answered when something about a form was wrong. */
export interface Answer {
  status: number;
  complaint: string | null;
}

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
  { status, complaint }: Answer,
): FastifyReply {
  const { code, scanId, profile } = visit;
  const { vault } = services;
  const address = codePath(services, code.id);
  const form = scanId && {
    action: `${address}/pin?lang=${language.tag}`,
    visit: formToken(vault, code.id, scanId),
    complaint,
  };
  const facts = {
    status,
    address,
    kind: code.kind,
    isLost: currentStatus(code) === 'LOST',
    lost: openLost(vault, code),
    profile,
    pin: visit.pinRequired ? (form ?? language.finder.pinLater) : null,
  };
  return sendPage(reply, codePage(facts, language));
}
