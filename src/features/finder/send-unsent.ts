import type { FastifyReply } from 'fastify';
import type { Locale } from '../../shared/i18n/locales.ts';
import { isClosed, sendClosed } from './closed-page.ts';
import type { FinderServices } from './finder-services.ts';
import type { FormVisit } from './form-token.ts';
import type { Visit } from './record-visit.ts';
import { type Answer, sendVisitPage } from './send-visit.ts';

/** How a message, a place or an entry of a guest book is answered that was not sent. */
type Unsent = { status: number } & (
  | { write: NonNullable<Answer['write']> }
  | { share: NonNullable<Answer['share']> }
  | { sign: NonNullable<Answer['sign']> }
);

/**
 * Sends the page that something was typed on, with what was typed and why it was not sent: of the visit that it came from,
 * or of a new one. `show` answers what the page shows. Throws what `show` throws, but for a code that is closed.
 */
export async function sendUnsent(
  services: FinderServices,
  reply: FastifyReply,
  { codeId, visit, show }: { codeId: string; visit: FormVisit | null; show(): Promise<Visit> },
  locale: Locale,
  unsent: Unsent,
): Promise<FastifyReply> {
  try {
    const shown = await show();
    const token = visit ? { visit: visit.token } : {};
    const { status, ...form } = unsent;
    const forms = {
      ...('write' in form && { write: { ...form.write, ...token } }),
      ...('share' in form && { share: form.share }),
      ...('sign' in form && { sign: { ...form.sign, ...token } }),
    };
    return await sendVisitPage(services, reply, shown, locale, { status, complaint: null, ...forms });
  } catch (error) {
    if (!isClosed(error)) throw error;
    const write =
      'write' in unsent
        ? unsent.write
        : 'share' in unsent
          ? messageOf(unsent.share)
          : entryAsMessage(unsent.sign);
    return sendClosed(services, reply, error, codeId, locale, { status: unsent.status, visit, write });
  }
}

/** An entry as a message: a code that is closed has no guest book. */
function entryAsMessage({ typed, ...answer }: NonNullable<Answer['sign']>): NonNullable<Answer['write']> {
  return { ...answer, typed: typed && { ...typed, preset: null, email: '' } };
}

/** A place as a message: a code that is closed has no form for places. */
function messageOf({ place, ...answer }: NonNullable<Answer['share']>): NonNullable<Answer['write']> {
  const typed = { message: place, preset: 'AM_AT', name: '', email: '' } as const;
  return { typed, ...answer };
}
