import type { Static } from 'typebox';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t, translateHtml } from '../../../shared/i18n/translate.ts';
import type { QrCodeTakedown } from '../../moderation/index.ts';
import { renderMoment } from '../format-moment.ts';
import { translateCategory } from './reported-code.ts';

/** Render the last takedown of a code: when, why, and since when it has ended. */
export function renderTakedown(
  { category, reason, takenDownAt, endedAt }: Static<typeof QrCodeTakedown>,
  timeZone: string,
  locale: Locale,
): Html {
  const time = (at: string) => renderMoment(new Date(at), { timeZone }, locale);
  return html`<h2>${t(locale, 'app.staff.lastTakedown')}</h2>
<p><span class="chip">${translateCategory(category, locale)}</span> ${translateHtml(locale, 'app.staff.lastTakedown.at', { time: time(takenDownAt) })}${endedAt !== null && html` · ${translateHtml(locale, 'app.staff.lastTakedown.ended', { time: time(endedAt) })}`}</p>
<blockquote class="text">${reason}</blockquote>
`;
}
