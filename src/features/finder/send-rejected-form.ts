import type { FastifyReply } from 'fastify';
import type { Locale } from '../../shared/i18n/locales.ts';
import { isClosedQrCodeError, sendClosedQrCodePage } from './closed-page.ts';
import type { FinderServices } from './finder-services.ts';
import type { FormTokenVisit } from './form-token.ts';
import { type PageFormResult, sendVisitPage } from './send-visit.ts';
import type { PageVisit } from './visit.ts';

type RejectedForm = { status: number } & (
  | { messageForm: NonNullable<PageFormResult['messageForm']> }
  | { locationForm: NonNullable<PageFormResult['locationForm']> }
  | { guestBookForm: NonNullable<PageFormResult['guestBookForm']> }
);

/** Send the page of a rejected form for the same visit or a new one. @throws as `getVisit` */
export async function sendRejectedFormPage(
  services: FinderServices,
  reply: FastifyReply,
  {
    codeId,
    visit,
    getVisit,
  }: { codeId: string; visit: FormTokenVisit | null; getVisit(): Promise<PageVisit> },
  locale: Locale,
  rejectedForm: RejectedForm,
): Promise<FastifyReply> {
  try {
    const pageVisit = await getVisit();
    const token = visit ? { visit: visit.token } : {};
    const { status, ...form } = rejectedForm;
    const forms = {
      ...('messageForm' in form && { messageForm: { ...form.messageForm, ...token } }),
      ...('locationForm' in form && { locationForm: form.locationForm }),
      ...('guestBookForm' in form && { guestBookForm: { ...form.guestBookForm, ...token } }),
    };
    return await sendVisitPage(services, reply, pageVisit, locale, { status, errorMessage: null, ...forms });
  } catch (error) {
    if (!isClosedQrCodeError(error)) throw error;
    const messageForm =
      'messageForm' in rejectedForm
        ? rejectedForm.messageForm
        : 'locationForm' in rejectedForm
          ? locationToMessageForm(rejectedForm.locationForm)
          : guestBookToMessageForm(rejectedForm.guestBookForm);
    return sendClosedQrCodePage(services, reply, error, codeId, locale, {
      status: rejectedForm.status,
      visit,
      messageForm,
    });
  }
}

/** Convert to a message: a closed code has no guest book. */
function guestBookToMessageForm({
  draft,
  ...form
}: NonNullable<PageFormResult['guestBookForm']>): NonNullable<PageFormResult['messageForm']> {
  return { ...form, draft: draft && { ...draft, preset: null, email: '' } };
}

/** Convert to a message: a closed code has no location form. */
function locationToMessageForm({
  place,
  ...form
}: NonNullable<PageFormResult['locationForm']>): NonNullable<PageFormResult['messageForm']> {
  const draft = { message: place, preset: 'AM_AT', name: '', email: '' } as const;
  return { draft, ...form };
}
