import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { type MessageKey, t, translateHtml } from '../../../shared/i18n/translate.ts';
import { getQrCodeKindByName } from '../../codes/index.ts';
import { translateQrCodeKind } from '../../finder/index.ts';
import { MODERATION_CATEGORIES, type QrCodeReportGroup } from '../../moderation/index.ts';
import { renderMoment } from '../format-moment.ts';

const CATEGORY_LABELS = {
  FRAUD: 'moderation.categories.FRAUD',
  HARASSMENT: 'moderation.categories.HARASSMENT',
  ILLEGAL: 'moderation.categories.ILLEGAL',
  PRIVACY: 'moderation.categories.PRIVACY',
  OTHER: 'moderation.categories.OTHER',
} as const satisfies Record<(typeof MODERATION_CATEGORIES)[number], MessageKey>;

/** Render a reported code as an entry of the list. */
export function renderReportedCode(row: QrCodeReportGroup, timeZone: string, locale: Locale): Html {
  const { title, count, byCategory, lastReportedAt, takenDownAt } = row;
  const categories = MODERATION_CATEGORIES.filter((category) => byCategory[category]);
  const facts = [
    html`${translateQrCodeKind(locale, getQrCodeKindByName(row.kind).kind)}`,
    html`${t(locale, 'app.staff.reports.count', { count })}`,
    translateHtml(locale, 'app.staff.reports.last', {
      time: renderMoment(lastReportedAt, { timeZone }, locale),
    }),
  ];
  return html`<li><div><h2><bdi>${title}</bdi></h2>
<p class="small">${facts.map((fact, index) => html`${index > 0 && ' · '}${fact}`)}</p>
<p>${categories.map((category) => html`<span class="chip">${t(locale, CATEGORY_LABELS[category])}</span> `)}${takenDownAt && html`<span class="chip">${t(locale, 'app.staff.reports.takenDown')}</span>`}</p></div></li>
`;
}
