import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t, translateHtml } from '../../../shared/i18n/translate.ts';
import type { LostReport } from '../../codes/index.ts';
import { isPersonalCard } from '../layout.rules.ts';
import { truncateToFit } from '../truncate-to-fit.ts';

export function renderLostSection(
  kind: string,
  lost: LostReport | null,
  bytes: number,
  locale: Locale,
): Html {
  // The card is lost, not the person.
  const title = isPersonalCard(kind)
    ? t(locale, 'finder.lostTitle', { subject: 'person' })
    : t(locale, 'finder.lostTitle', { subject: 'other' });
  const { message = null, reward = null, lastSeen = null } = lost ?? {};
  const render = (text: string) => html`<section class="lost"><h2>${title}</h2>
<p class="text">${text}</p>${reward && html`<p><strong>${translateHtml(locale, 'finder.reward', { reward: html`<bdi>${reward}</bdi>` })}</strong></p>`}${lastSeen && html`<p>${translateHtml(locale, 'finder.lastSeen', { place: html`<bdi>${lastSeen}</bdi>` })}</p>`}</section>`;
  return (
    truncateToFit(message ?? t(locale, 'finder.lostText'), render, bytes)?.markup ??
    render(t(locale, 'finder.lostText'))
  );
}
