import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import {
  allowByCookie,
  allowUsersWithProfile,
  allowWriters,
  skipAudit,
} from '../../../platform/route-access.ts';
import { createIdParamsSchema } from '../../../shared/common.schemas.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { type MessageKey, t } from '../../../shared/i18n/translate.ts';
import { isKeyOf } from '../../../shared/is-key-of.ts';
import { findEditableMemoryTag, type MemoryTagRow } from '../../memory-tags/index.ts';
import { type FormErrors, renderErrorSummary, renderNote, renderTabs } from '../components.ts';
import { chooseOwnerPageLocale, sendOwnerPage } from '../layout.ts';
import { getAccountPath, type OwnerPageServices } from '../owner-page-services.ts';
import { translateRefusal } from '../translate-refusal.ts';

export const MEMORIAL_ACCESS = allowByCookie(allowUsersWithProfile('memory-tags:own'));

export const MEMORIAL_PAGE_CONFIG = {
  access: MEMORIAL_ACCESS,
  audit: skipAudit('MEMORY_TAG'),
  rateLimitClass: 'page',
} as const;

/** Of pages that are one form. */
export const MEMORIAL_FORM_CONFIG = {
  ...MEMORIAL_PAGE_CONFIG,
  access: allowWriters(MEMORIAL_ACCESS),
} as const;

export const MemorialParams = createIdParamsSchema('accountId', 'id');

export const DoneQuery = Type.Object({
  done: Type.Optional(Type.String()),
  /** What was deleted. */
  id: Type.Optional(Type.String()),
  cursor: Type.Optional(Type.String()),
});

export type MemorialRequest = FastifyRequest<{ Params: { accountId: string; id: string } }>;

/** Why a form was refused, for the page that has it. */
export interface Refused {
  status?: number;
  errors?: FormErrors;
  refusal?: string | undefined;
}

const DONE_MESSAGES = {
  created: 'app.memorials.done.created',
  saved: 'app.content.done.saved',
  deleted: 'app.memorials.done.deleted',
  left: 'app.memorials.done.left',
  'picture-added': 'app.content.done.pictureAdded',
  'picture-restored': 'app.content.done.pictureRestored',
  'entry-restored': 'app.memorials.entryRestored',
} as const satisfies Record<string, MessageKey>;

export function getMemorialsPath(services: OwnerPageServices, { accountId }: { accountId: string }): string {
  return `${getAccountPath(services, accountId)}/memorials`;
}

export function getMemorialPath(
  services: OwnerPageServices,
  { accountId, id }: { accountId: string; id: string },
): string {
  return `${getMemorialsPath(services, { accountId })}/${id}`;
}

export function renderMemorialList(
  path: string,
  list: readonly Pick<MemoryTagRow, 'id' | 'name' | 'bornOn' | 'diedOn'>[],
): Html {
  return html`<ul class="cards rows">${list.map(
    ({ id, name, bornOn, diedOn }) =>
      html`<li><div><h2><a href="${path}/${id}"><bdi>${name}</bdi></a></h2><p class="small">${[bornOn, diedOn].filter(Boolean).join(' – ')}</p></div></li>\n`,
  )}</ul>`;
}

/** Find a memorial of an owner, or of whom they help with it. @throws NOT_FOUND */
export async function requireMemorial({ database }: OwnerPageServices, { params }: MemorialRequest) {
  const access = await findEditableMemoryTag(database.client, params.accountId, params.id);
  if (!access) throw new ServiceError('NOT_FOUND');
  return access;
}

const TABS = [
  { name: 'story', path: '', label: 'memorial.storyTitle', isOwnerOnly: false },
  { name: 'pictures', path: '/pictures', label: 'app.content.pictures', isOwnerOnly: false },
  { name: 'places', path: '/places', label: 'memorial.placesTitle', isOwnerOnly: false },
  { name: 'guest-book', path: '/guest-book', label: 'memorial.guestBookTitle', isOwnerOnly: false },
  { name: 'caretakers', path: '/caretakers', label: 'app.memorials.caretakers', isOwnerOnly: true },
] as const satisfies readonly { name: string; path: string; label: MessageKey; isOwnerOnly: boolean }[];

interface MemorialPage {
  tab: (typeof TABS)[number]['name'];
  memorial: { row: MemoryTagRow; role: 'OWNER' | 'CARETAKER' };
  body: Html;
  refused?: Refused;
}

/** Send a page of a memorial. `?done=` says what was done before. */
export function sendMemorialPage(
  services: OwnerPageServices,
  request: MemorialRequest,
  reply: FastifyReply,
  { tab, memorial, body, refused = {} }: MemorialPage,
): FastifyReply {
  const locale = chooseOwnerPageLocale(request);
  const { errors = [], refusal } = refused;
  const path = getMemorialPath(services, request.params);
  const tabs = TABS.filter(({ isOwnerOnly }) => memorial.role === 'OWNER' || !isOwnerOnly).map((one) => ({
    href: `${path}${one.path}`,
    label: t(locale, one.label),
    isCurrent: one.name === tab,
  }));
  const note = refusal ? renderNote(refusal, 'wrong') : renderErrorSummary(errors, locale);
  return sendOwnerPage(services, request, reply, {
    title: memorial.row.name,
    entry: 'memorials',
    status: refused.status ?? (errors.length > 0 ? 400 : 200),
    body: html`${renderTabs(tabs, t(locale, 'app.memorials.parts'))}${note ?? renderDone(request, locale)}
${body}`,
  });
}

/** Render what `?done=` says was done before. */
export function renderDone({ query, method }: FastifyRequest, locale: Locale): Html | null {
  const done: unknown = Reflect.get(Object(query), 'done');
  return method === 'GET' && isKeyOf(DONE_MESSAGES, done) ? renderNote(t(locale, DONE_MESSAGES[done])) : null;
}

/** @throws what is no refusal */
export function describeRefusal(error: unknown, request: FastifyRequest, reply: FastifyReply): Refused {
  if (error instanceof ServiceError && error.code === 'VALIDATION_FAILED' && error.errors)
    return { status: 400, errors: error.errors };
  const locale = chooseOwnerPageLocale(request);
  const { status, text } = translateRefusal(error, reply, locale, {
    PLAN_LIMIT_REACHED: t(locale, 'app.content.limit'),
    PRECONDITION_FAILED: t(locale, 'app.content.changed'),
    IDEMPOTENCY_KEY_REUSED: t(locale, 'app.documents.error.sentBefore'),
    PAYLOAD_TOO_LARGE: t(locale, 'app.content.pictureTooLarge'),
    TOO_MANY_PICTURES: t(locale, 'app.content.limit'),
    TOO_MANY_PENDING_ENTRIES: t(locale, 'app.memorials.tooManyPending'),
  });
  return { status, refusal: text };
}
