import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { type MessageKey, t, translateHtml } from '../../../shared/i18n/translate.ts';
import { getQrCodeKindByName } from '../../codes/index.ts';
import { translateQrCodeKind } from '../../finder/index.ts';
import {
  MODERATION_CATEGORIES,
  type ModerationCategory,
  parseModerationCategory,
  type QrCodeReportGroup,
} from '../../moderation/index.ts';
import type { FieldOption } from '../components.ts';
import { renderMoment } from '../format-moment.ts';

const CATEGORY_LABELS = {
  FRAUD: 'moderation.categories.FRAUD',
  HARASSMENT: 'moderation.categories.HARASSMENT',
  ILLEGAL: 'moderation.categories.ILLEGAL',
  PRIVACY: 'moderation.categories.PRIVACY',
  OTHER: 'moderation.categories.OTHER',
} as const satisfies Record<ModerationCategory, MessageKey>;

export function translateCategory(category: string, locale: Locale): string {
  return t(locale, CATEGORY_LABELS[parseModerationCategory(category)]);
}

export function listCategoryOptions(locale: Locale): FieldOption[] {
  return MODERATION_CATEGORIES.map((value) => ({ value, label: translateCategory(value, locale) }));
}

/** Render a reported code as an entry of the list. @param path of the list */
export function renderReportedCode(
  path: string,
  row: QrCodeReportGroup,
  timeZone: string,
  locale: Locale,
): Html {
  const { qrCodeId, title, count, byCategory, lastReportedAt, takenDownAt } = row;
  const categories = MODERATION_CATEGORIES.filter((category) => byCategory[category]);
  const facts = [
    html`${translateQrCodeKind(locale, getQrCodeKindByName(row.kind).kind)}`,
    html`${t(locale, 'app.staff.reports.count', { count })}`,
    translateHtml(locale, 'app.staff.reports.last', {
      time: renderMoment(lastReportedAt, { timeZone }, locale),
    }),
  ];
  return html`<li><div><h2><a href="${path}/${qrCodeId}"><bdi>${title}</bdi></a></h2>
<p class="small">${facts.map((fact, index) => html`${index > 0 && ' · '}${fact}`)}</p>
<p>${categories.map((category) => html`<span class="chip">${translateCategory(category, locale)}</span> `)}${takenDownAt && html`<span class="chip">${t(locale, 'app.staff.reports.takenDown')}</span>`}</p></div></li>
`;
}
