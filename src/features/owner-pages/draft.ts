import type { FastifyReply, FastifyRequest } from 'fastify';
import { formatHostCookie, getHostCookieName } from '../../platform/session-cookie.ts';
import { parseCookieHeader } from '../../shared/cookies.ts';
import { html } from '../../shared/html.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import { t } from '../../shared/i18n/translate.ts';
import { renderForm } from './components.ts';
import { chooseOwnerPageLocale, sendOwnerPage } from './layout.ts';
import { getOwnerPagesPath, getPublicPath, isSecure, type OwnerPageServices } from './owner-page-services.ts';
import { parseTarget } from './target.rules.ts';

/** What somebody sent when a sign-in was needed first: they send it again afterwards, with one button. */
export interface FormDraft {
  action: string;
  fields: Record<string, string>;
  /** Of the form, for sending it again without a sign-in. */
  token?: string;
}

/** The longest text that a field may have. */
const MAX_DRAFT_BYTES = 60_000;

/** What a sign-in with the provider takes along; the form's own field would need a form that leads to another site. */
const DRAFT_COOKIE = 'form-draft';
const DRAFT_COOKIE_SECONDS = 900;
/** A browser keeps 4,096 bytes of a cookie, with its name. */
const MAX_DRAFT_COOKIE_CHARACTERS = 3_900;
const DRAFT_LOCATION = { table: 'cookie', column: 'form_draft', rowId: 'form-draft', ownerId: '' };

/** A form with one of these is filled in again: without it, it would mean something else. */
const SECRET_FIELDS = [
  'password',
  'currentPassword',
  'newPassword',
  'code',
  'recoveryCode',
  'passcode',
  'pin',
  'secret',
];

const OMITTED_FIELDS = ['token', 'draft', ...SECRET_FIELDS];

/** Create the draft of a form that was refused; null for one with files or a secret. */
export function createDraft(
  services: Pick<OwnerPageServices, 'publicBaseUrl'>,
  request: FastifyRequest,
  body: unknown,
): FormDraft | null {
  if (typeof body !== 'object' || body === null) return null;
  if (SECRET_FIELDS.some((name) => Reflect.get(body, name))) return null;
  const token: unknown = Reflect.get(body, 'token');
  return {
    action: getPublicPath(services, request),
    fields: pickDraftFields(body),
    ...(typeof token === 'string' && { token }),
  };
}

/** Serialize a draft for a field of a form; undefined without one, and for one that is too large. */
export function serializeDraft(draft: FormDraft | null): string | undefined {
  const text = draft && JSON.stringify({ action: draft.action, fields: draft.fields });
  return text && Buffer.byteLength(text) <= MAX_DRAFT_BYTES ? text : undefined;
}

/** Keep a draft, encrypted, in the browser for a sign-in with the provider; one that is too large for a cookie is not kept. */
export function setDraftCookie(services: OwnerPageServices, reply: FastifyReply, draft: FormDraft): void {
  const { action, fields } = draft;
  const value = services.fieldCipher.encrypt(DRAFT_LOCATION, { action, fields }).toString('base64url');
  if (value.length <= MAX_DRAFT_COOKIE_CHARACTERS)
    reply.header(
      'Set-Cookie',
      formatHostCookie(DRAFT_COOKIE, value, DRAFT_COOKIE_SECONDS, isSecure(services)),
    );
}

/** Take the draft out of the browser; null for none, and for one that is not ours. */
export function takeDraftCookie(
  services: OwnerPageServices,
  { headers }: FastifyRequest,
  reply: FastifyReply,
): FormDraft | null {
  const secure = isSecure(services);
  const value = parseCookieHeader(headers.cookie)[getHostCookieName(DRAFT_COOKIE, secure)];
  if (value === undefined) return null;
  reply.header('Set-Cookie', formatHostCookie(DRAFT_COOKIE, '', 0, secure));
  try {
    const draft = services.fieldCipher.decrypt<FormDraft>(DRAFT_LOCATION, Buffer.from(value, 'base64url'));
    return parseDraft(services, JSON.stringify(draft));
  } catch {
    return null;
  }
}

/** Anybody can have written the text: the action is a path of these pages, or there is no draft. */
export function parseDraft(
  services: Pick<OwnerPageServices, 'publicBaseUrl'>,
  text: string | undefined,
): FormDraft | null {
  try {
    const { action, fields } = JSON.parse(text ?? '');
    const target = parseTarget(action, getOwnerPagesPath(services));
    return target === null ? null : { action: target, fields: pickDraftFields(Object(fields)) };
  } catch {
    return null;
  }
}

/** Where a sign-in leads to. */
export interface SignInTarget {
  target: string | null;
  draft: FormDraft | null;
}

/** Parse where the fields of a form say that its sign-in leads to. */
export function parseSignInTarget(
  services: Pick<OwnerPageServices, 'publicBaseUrl'>,
  { to, draft }: { to?: string; draft?: string },
): SignInTarget {
  return { target: parseTarget(to, getOwnerPagesPath(services)), draft: parseDraft(services, draft) };
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

function pickDraftFields(body: object): Record<string, string> {
  const isKept = (entry: [string, unknown]): entry is [string, string] =>
    typeof entry[1] === 'string' && !OMITTED_FIELDS.includes(entry[0]);
  return Object.fromEntries(Object.entries(body).filter(isKept));
}
