import { type Html, html } from '../../shared/html.ts';
import type { Locale } from '../../shared/i18n/locales.ts';

/** Render a day and time in the time zone of the reader. */
export function renderMoment(at: Date, { timeZone }: { timeZone: string }, { tag }: Locale): Html {
  const format = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'short', timeZone });
  return html`<time datetime="${at.toISOString()}">${format.format(at)}</time>`;
}

/** Render a day in the time zone of the reader. */
export function renderDay(at: Date, { timeZone }: { timeZone: string }, { tag }: Locale): Html {
  const format = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeZone });
  return html`<time datetime="${at.toISOString()}">${format.format(at)}</time>`;
}
