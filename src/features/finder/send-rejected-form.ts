import type { FastifyReply } from 'fastify';
import type { Locale } from '../../shared/i18n/locales.ts';
import { isClosedCodeError, sendClosedPage } from './closed-page.ts';
import type { FinderServices } from './finder-services.ts';
import type { FormVisit } from './form-token.ts';
import type { PageVisit } from './record-visit.ts';
import { type FormResponse, sendVisitPage } from './send-visit.ts';

type RejectedForm = { status: number } & (
  | { write: NonNullable<FormResponse['write']> }
  | { share: NonNullable<FormResponse['share']> }
  | { sign: NonNullable<FormResponse['sign']> }
);

/**
 * Send the page of a rejected form with its input and the error, for the same visit or a new one. A closed code gets
 * its closed page.
 * @throws what `getVisit` throws
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

/** Convert to a message: a closed code has no guest book. */
function toMessageForm({
  draft,
  ...answer
}: NonNullable<FormResponse['sign']>): NonNullable<FormResponse['write']> {
  return { ...answer, draft: draft && { ...draft, preset: null, email: '' } };
}

/** Convert to a message: a closed code has no location form. */
function locationToMessageForm({
  place,
  ...answer
}: NonNullable<FormResponse['share']>): NonNullable<FormResponse['write']> {
  const draft = { message: place, preset: 'AM_AT', name: '', email: '' } as const;
  return { draft, ...answer };
}
