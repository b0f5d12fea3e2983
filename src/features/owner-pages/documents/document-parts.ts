import { type Static, Type } from 'typebox';
import {
  allowByCookie,
  allowUsersWithProfile,
  allowWriters,
  skipAudit,
} from '../../../platform/route-access.ts';
import { createIdParamsSchema } from '../../../shared/common.schemas.ts';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { type MessageKey, t, translateHtml } from '../../../shared/i18n/translate.ts';
import { isId } from '../../../shared/ids.ts';
import { isKeyOf } from '../../../shared/is-key-of.ts';
import { type DOCUMENT_KINDS, FILE_EXTENSIONS_BY_CONTENT_TYPE } from '../../documents/index.ts';
import { renderNote, renderTabs, renderUndoBar } from '../components.ts';
import type { FormToken } from '../form-token.ts';
import { formatSize } from '../format-size.ts';
import { getAccountPath, type OwnerPageServices } from '../owner-page-services.ts';

export const DOCUMENT_ACCESS = allowByCookie(allowUsersWithProfile('documents:own'));

/** Of pages that are one form. */
export const DOCUMENT_FORM_CONFIG = {
  access: allowWriters(DOCUMENT_ACCESS),
  audit: skipAudit('DOCUMENT'),
  rateLimitClass: 'page',
} as const;

export const DOCUMENT_PAGE_CONFIG = {
  access: DOCUMENT_ACCESS,
  audit: skipAudit('DOCUMENT'),
  rateLimitClass: 'page',
} as const;

export const DocumentParams = createIdParamsSchema('accountId', 'id');

/** `id` is that of a deleted document. */
export const DoneQuery = Type.Object({
  done: Type.Optional(Type.String()),
  id: Type.Optional(Type.String()),
});

/** What was done before a page is shown, by its name in the address. */
const DONE_MESSAGES = {
  added: 'app.documents.done.added',
  saved: 'app.content.done.saved',
  deleted: 'app.documents.done.deleted',
  restored: 'app.documents.done.restored',
  purged: 'app.documents.done.purged',
  version: 'app.documents.done.version',
  'version-restored': 'app.documents.done.versionRestored',
  'version-deleted': 'app.documents.done.versionDeleted',
  'link-ended': 'app.documents.done.linkEnded',
  granted: 'app.documents.done.granted',
  revoked: 'app.documents.done.revoked',
  declined: 'app.documents.done.declined',
} as const satisfies Record<string, MessageKey>;

export type DocumentDone = keyof typeof DONE_MESSAGES;

export function renderDone({ done = '' }: Static<typeof DoneQuery>, locale: Locale): Html | null {
  return isKeyOf(DONE_MESSAGES, done) ? renderNote(t(locale, DONE_MESSAGES[done])) : null;
}

/** Render what was done above the list of documents; a deletion with the button that undoes it. */
export function renderListDone(
  documentsPath: string,
  { done, id }: Static<typeof DoneQuery>,
  token: FormToken,
  locale: Locale,
): Html | null {
  if (done !== 'deleted' || !isId(id)) return renderDone({ done }, locale);
  return renderUndoBar(t(locale, DONE_MESSAGES.deleted), {
    action: `${documentsPath}/${id}/restore`,
    token,
    submit: t(locale, 'app.code.undo'),
  });
}

export function getDocumentsPath(services: OwnerPageServices, { accountId }: { accountId: string }): string {
  return `${getAccountPath(services, accountId)}/documents`;
}

export function getDocumentPath(
  services: OwnerPageServices,
  { accountId, id }: { accountId: string; id: string },
): string {
  return `${getDocumentsPath(services, { accountId })}/${id}`;
}

export const KIND_LABELS = {
  PASSPORT: 'app.documents.kinds.PASSPORT',
  IDENTITY: 'app.documents.kinds.IDENTITY',
  CERTIFICATE: 'app.documents.kinds.CERTIFICATE',
  CONTRACT: 'app.documents.kinds.CONTRACT',
  INSURANCE: 'app.documents.kinds.INSURANCE',
  HEALTH: 'app.documents.kinds.HEALTH',
  FINANCE: 'app.documents.kinds.FINANCE',
  VEHICLE: 'app.documents.kinds.VEHICLE',
  OTHER: 'app.documents.kinds.OTHER',
} as const satisfies Record<(typeof DOCUMENT_KINDS)[number], MessageKey>;

export function translateDocumentKind(kind: string, locale: Locale): string {
  return t(locale, isKeyOf(KIND_LABELS, kind) ? KIND_LABELS[kind] : 'app.documents.kinds.OTHER');
}

/** The title of a health document stays out of the history of the browser. */
export function getDocumentTabTitle(
  { kind, title }: { kind: string; title: string },
  locale: Locale,
): string {
  return kind === 'HEALTH' ? translateDocumentKind(kind, locale) : title;
}

/** Render kind, type, size and last day of validity in one line. */
export function renderDocumentFacts(
  document: { kind: string; contentType: string; size: number; expiresOn: string | Date | null },
  locale: Locale,
): Html {
  const { kind, contentType, size, expiresOn } = document;
  const until =
    expiresOn !== null &&
    translateHtml(locale, 'app.documents.validUntil', { date: renderDay(expiresOn, locale) });
  return html`${translateDocumentKind(kind, locale)} · ${formatType(contentType)} · ${formatSize(size, locale)}${until && html` · ${until}`}`;
}

export function formatType(contentType: string): string {
  const [extension = ''] = Reflect.get(FILE_EXTENSIONS_BY_CONTENT_TYPE, contentType) ?? [];
  return String(extension).toUpperCase();
}

function renderDay(day: string | Date, { tag }: Locale): Html {
  const at = new Date(day);
  const format = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeZone: 'UTC' });
  return html`<time datetime="${at.toISOString().slice(0, 10)}">${format.format(at)}</time>`;
}

const TABS = [
  { name: 'share', path: '', label: 'app.documents.share' },
  { name: 'versions', path: '/versions', label: 'app.documents.versions' },
  { name: 'accesses', path: '/accesses', label: 'app.documents.accesses' },
  { name: 'details', path: '/details', label: 'app.documents.details' },
] as const satisfies readonly { name: string; path: string; label: MessageKey }[];

export type DocumentTab = (typeof TABS)[number]['name'];

/** Render the way to the other pages of a document. */
export function renderDocumentTabs(path: string, current: DocumentTab, locale: Locale): Html {
  const tabs = TABS.map((tab) => ({
    href: `${path}${tab.path}`,
    label: t(locale, tab.label),
    isCurrent: tab.name === current,
  }));
  return renderTabs(tabs, t(locale, 'app.documents.parts'));
}

/** Render the two lists of documents as tabs. */
export function renderListTabs(path: string, current: 'own' | 'received', locale: Locale): Html {
  const tabs = [
    { href: path, label: t(locale, 'app.documents.own'), isCurrent: current === 'own' },
    { href: `${path}/received`, label: t(locale, 'app.documents.received'), isCurrent: current !== 'own' },
  ];
  return renderTabs(tabs, t(locale, 'app.documents.title'));
}
