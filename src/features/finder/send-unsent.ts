import type { FastifyReply } from 'fastify';
import type { Language } from '../../shared/languages/language.ts';
import { isClosed, sendClosed } from './closed-page.ts';
import type { FinderServices } from './finder-services.ts';
import { type FormVisit, formToken } from './form-token.ts';
import type { Visit } from './record-visit.ts';
import type { WriteForm } from './sections/write-form.ts';
import { sendVisitPage } from './send-visit.ts';

/**
 * Sends the page that a message was typed on, with what was typed and why it was not sent: of the visit that it came from,
 * or of a new one. `show` answers what the page shows. Throws what `show` throws, but for a code that is closed.
 */
export async function sendUnsent(
  services: FinderServices,
  reply: FastifyReply,
  { codeId, visit, show }: { codeId: string; visit: FormVisit | null; show(): Promise<Visit> },
  language: Language,
  { status, write }: { status: number; write: Pick<WriteForm, 'typed' | 'complaint' | 'asksToConfirm'> },
): Promise<FastifyReply> {
  try {
    const shown = await show();
    const scanId = visit?.isScan ? visit.id : shown.scanId;
    const token = visit && !visit.isScan ? { visit: formToken(services.vault, codeId, visit.id, false) } : {};
    const answer = { status, complaint: null, write: { ...write, ...token } };
    return sendVisitPage(services, reply, { ...shown, scanId }, language, answer);
  } catch (error) {
    if (!isClosed(error)) throw error;
    return sendClosed(services, reply, error, codeId, language, { status, visit, write });
  }
}
