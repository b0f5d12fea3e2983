import type { FastifyReply, FastifyRequest } from 'fastify';
import { html } from '../../shared/html.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import { t } from '../../shared/i18n/translate.ts';
import { renderForm } from './components.ts';
import { chooseOwnerPageLocale, sendOwnerPage } from './layout.ts';
import { getOwnerPagesPath, getPublicPath, type OwnerPageServices } from './owner-page-services.ts';
import { parseTarget } from './target.rules.ts';

/** What somebody sent when a sign-in was needed first: they send it again afterwards, with one button. */
export interface FormDraft {
  action: string;
  fields: Record<string, string>;
}

/** Secrets are asked for again. */
const OMITTED_FIELDS = ['token', 'password', 'currentPassword', 'newPassword', 'code', 'secret', 'draft'];

/** Create the draft of a form that was refused; null for one with files. */
export function createDraft(
  services: Pick<OwnerPageServices, 'publicBaseUrl'>,
  request: FastifyRequest,
  body: unknown,
): FormDraft | null {
  if (typeof body !== 'object' || body === null) return null;
  const fields = Object.entries(body).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && !OMITTED_FIELDS.includes(entry[0]),
  );
  return { action: getPublicPath(services, request), fields: Object.fromEntries(fields) };
}

export function serializeDraft(draft: FormDraft | null): string | undefined {
  return draft === null ? undefined : JSON.stringify(draft);
}

/** Anybody can have written the text: the action is a path of these pages, or there is no draft. */
export function parseDraft(
  services: Pick<OwnerPageServices, 'publicBaseUrl'>,
  text: string | undefined,
): FormDraft | null {
  try {
    const { action, fields } = JSON.parse(text ?? '');
    const target = parseTarget(action, getOwnerPagesPath(services));
    const values = Object.entries(Object(fields)).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    );
    return target === null ? null : { action: target, fields: Object.fromEntries(values) };
  } catch {
    return null;
  }
}

interface DraftPage {
  token: string;
  isTooOld?: boolean;
  /** Of the account that signed in with this request. */
  locale?: Locale;
}

/** Send a page with what somebody sent before, and a button that sends it again. */
export function sendDraftPage(
  services: OwnerPageServices,
  request: FastifyRequest,
  reply: FastifyReply,
  draft: FormDraft,
  { token, isTooOld = false, locale = chooseOwnerPageLocale(request) }: DraftPage,
): FastifyReply {
  return sendOwnerPage(services, request, reply, {
    locale,
    status: isTooOld ? 403 : 200,
    title: t(locale, isTooOld ? 'app.draft.tooOldTitle' : 'app.draft.title'),
    isNarrow: true,
    body: html`<p>${t(locale, 'app.draft.text')}</p>
${renderForm({ action: draft.action, token, hidden: draft.fields, submit: t(locale, 'app.draft.button') })}`,
  });
}
