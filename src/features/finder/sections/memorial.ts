import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { renderPartialDate } from '../dates.ts';

type Profile = Readonly<Record<string, unknown>>;

/** Render dates of life and epitaph; `fields` lists those that are shown. */
export function renderMemorialSection({ bornOn, diedOn, epitaph }: Profile, locale: Locale) {
  const { tag } = locale;
  const fields: string[] = [];
  const parts: Html[] = [];
  if (typeof bornOn === 'string' && typeof diedOn === 'string') {
    fields.push('bornOn', 'diedOn');
    parts.push(
      html`<p class="kind">${renderPartialDate(bornOn, tag)} – ${renderPartialDate(diedOn, tag)}</p>\n`,
    );
  }
  for (const [field, date, label] of [
    ['bornOn', bornOn, t(locale, 'memorial.born')],
    ['diedOn', diedOn, t(locale, 'memorial.died')],
  ] as const) {
    if (typeof date !== 'string' || fields.includes(field)) continue;
    fields.push(field);
    parts.push(
      html`<p class="kind">${label}${t(locale, 'finder.labelSeparator')}${renderPartialDate(date, tag)}</p>\n`,
    );
  }
  if (typeof epitaph === 'string') {
    fields.push('epitaph');
    parts.push(html`<p class="epitaph text">${epitaph}</p>\n`);
  }
  return { section: parts.length > 0 ? html`${parts}` : null, fields };
}
