import type { FastifyReply } from 'fastify';
import type { Locale } from '../../shared/i18n/locales.ts';
import { isClosedCodeError, sendClosedPage } from './closed-page.ts';
import type { FinderServices } from './finder-services.ts';
import type { FormVisit } from './form-token.ts';
import type { PageVisit } from './record-visit.ts';
import { type FormResponse, sendVisitPage } from './send-visit.ts';

/** How a message, a place or an entry of a guest book is answered that was not sent. */
type RejectedForm = { status: number } & (
  | { write: NonNullable<FormResponse['write']> }
  | { share: NonNullable<FormResponse['share']> }
  | { sign: NonNullable<FormResponse['sign']> }
);

/**
 * Sends the page that something was typed on, with what was typed and why it was not sent: of the visit that it came from,
 * or of a new one. `show` answers what the page shows. Throws what `show` throws, but for a code that is closed.
 */
export async function sendRejectedForm(
  services: FinderServices,
  reply: FastifyReply,
  { codeId, visit, show: getVisit }: { codeId: string; visit: FormVisit | null; show(): Promise<PageVisit> },
  locale: Locale,
  rejectedForm: RejectedForm,
): Promise<FastifyReply> {
  try {
    const shown = await getVisit();
    const token = visit ? { visit: visit.token } : {};
    const { status, ...form } = rejectedForm;
    const forms = {
      ...('write' in form && { write: { ...form.write, ...token } }),
      ...('share' in form && { share: form.share }),
      ...('sign' in form && { sign: { ...form.sign, ...token } }),
    };
    return await sendVisitPage(services, reply, shown, locale, { status, errorMessage: null, ...forms });
  } catch (error) {
    if (!isClosedCodeError(error)) throw error;
    const write =
      'write' in rejectedForm
        ? rejectedForm.write
        : 'share' in rejectedForm
          ? locationToMessageForm(rejectedForm.share)
          : toMessageForm(rejectedForm.sign);
    return sendClosedPage(services, reply, error, codeId, locale, {
      status: rejectedForm.status,
      visit,
      write,
    });
  }
}

/** An entry as a message: a code that is closed has no guest book. */
function toMessageForm({
  draft,
  ...answer
}: NonNullable<FormResponse['sign']>): NonNullable<FormResponse['write']> {
  return { ...answer, draft: draft && { ...draft, preset: null, email: '' } };
}

/** A place as a message: a code that is closed has no form for places. */
function locationToMessageForm({
  place,
  ...answer
}: NonNullable<FormResponse['share']>): NonNullable<FormResponse['write']> {
  const draft = { message: place, preset: 'AM_AT', name: '', email: '' } as const;
  return { draft, ...answer };
}
