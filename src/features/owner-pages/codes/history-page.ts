import type { Static } from 'typebox';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { type MessageKey, t, translateHtml } from '../../../shared/i18n/translate.ts';
import { isKeyOf } from '../../../shared/is-key-of.ts';
import type { QrCodeHistoryEntry } from '../../audit/index.ts';

type HistoryEntry = Static<typeof QrCodeHistoryEntry>;

const ACTION_LABELS = {
  CREATED: 'app.history.created',
  UPDATED: 'app.history.updated',
  VISIBILITY_CHANGED: 'app.history.visibility',
  PIN_SET: 'app.history.pinSet',
  PIN_REMOVED: 'app.history.pinRemoved',
  PICTURE_ADDED: 'app.history.pictureAdded',
  PICTURE_UPDATED: 'app.history.pictureUpdated',
  PICTURE_DELETED: 'app.history.pictureDeleted',
  PAUSED: 'app.history.paused',
  RESUMED: 'app.history.resumed',
  LOST: 'app.history.lost',
  LOST_NOTICE_CHANGED: 'app.history.lostNotice',
  FOUND: 'app.history.found',
  DELETED: 'app.history.deleted',
  RESTORED: 'app.history.restored',
  TEST_LINK_CREATED: 'app.history.testLink',
  TEST_LINK_USED: 'app.history.testLinkUsed',
  TAKEN_DOWN: 'app.history.takenDown',
  APPEALED: 'app.history.appealed',
  APPEAL_REJECTED: 'app.history.appealRejected',
  REINSTATED: 'app.history.reinstated',
  READ_BY_STAFF: 'app.history.readByStaff',
} as const satisfies Record<HistoryEntry['action'], MessageKey>;

/** Names that are not here, of later versions, are left out. */
const FIELD_LABELS = {
  title: 'app.history.field.title',
  data: 'app.content.title',
  visibility: 'app.history.field.visibility',
  pin: 'app.history.field.pin',
  design: 'app.history.field.design',
  pageDesign: 'app.history.field.pageDesign',
  expiresAt: 'app.codes.change.expiry',
  contactable: 'app.history.field.contactable',
  showsPage: 'app.history.field.showsPage',
  notifyOn: 'app.settings.notifications',
  externalId: 'app.code.number',
  metadata: 'app.history.field.metadata',
  folderId: 'app.folders.folder',
  status: 'app.codes.status',
} as const satisfies Record<string, MessageKey>;

const ACTORS = {
  OWNER: 'app.settings.accesses.you',
  API_KEY: 'app.history.endedApiKey',
  STAFF: 'app.settings.accesses.staff',
  SOMEBODY: 'app.settings.accesses.somebody',
  SERVICE: 'app.settings.accesses.service',
} as const satisfies Record<HistoryEntry['who'], MessageKey>;

/** Render what happened to a code by the days of its reader. */
export function renderHistory(
  entries: readonly HistoryEntry[],
  { timeZone, locale }: { timeZone: string; locale: Locale },
): Html {
  const day = new Intl.DateTimeFormat(locale.tag, { dateStyle: 'full', timeZone });
  const time = new Intl.DateTimeFormat(locale.tag, { timeStyle: 'short', timeZone });
  const days = new Map<string, HistoryEntry[]>();
  for (const entry of entries) {
    const name = day.format(new Date(entry.createdAt));
    days.set(name, [...(days.get(name) ?? []), entry]);
  }
  return html`${[...days].map(
    ([name, ofDay]) =>
      html`<section><h2>${name}</h2><ul class="cards rows">${ofDay.map(
        (entry) =>
          html`<li><div><p>${renderAction(entry, locale)}</p><p class="small"><time datetime="${entry.createdAt}">${time.format(new Date(entry.createdAt))}</time> · ${renderActor(entry, locale)}</p></div></li>\n`,
      )}</ul></section>`,
  )}`;
}

function renderAction({ action, changes }: HistoryEntry, locale: Locale): Html | string {
  const labels = changes.flatMap((field) =>
    isKeyOf(FIELD_LABELS, field) ? t(locale, FIELD_LABELS[field]) : [],
  );
  if (action !== 'UPDATED' || labels.length === 0) return t(locale, ACTION_LABELS[action]);
  const fields = new Intl.ListFormat(locale.tag, { type: 'conjunction' }).format(labels);
  return t(locale, 'app.history.updatedFields', { fields });
}

function renderActor({ who, apiKey }: HistoryEntry, locale: Locale): Html | string {
  if (apiKey === null || apiKey.name === null) return t(locale, ACTORS[who]);
  return translateHtml(locale, 'app.history.apiKey', { name: html`<bdi>${apiKey.name}</bdi>` });
}
