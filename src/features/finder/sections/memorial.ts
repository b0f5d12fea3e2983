import { type Html, html } from '../../../shared/html.ts';
import type { Language } from '../../../shared/languages/language.ts';
import { dayOf } from '../dates.ts';

type Profile = Readonly<Record<string, unknown>>;

/** The life and the sentence on the stone, and which fields these are. */
export function memorialSection({ bornOn, diedOn, epitaph }: Profile, { tag }: Language) {
  const shown: string[] = [];
  const parts: Html[] = [];
  if (typeof bornOn === 'string' && typeof diedOn === 'string') {
    shown.push('bornOn', 'diedOn');
    parts.push(html`<p class="kind">${dayOf(bornOn, tag)} – ${dayOf(diedOn, tag)}</p>\n`);
  }
  if (typeof epitaph === 'string') {
    shown.push('epitaph');
    parts.push(html`<p class="epitaph text">${epitaph}</p>\n`);
  }
  return { section: parts.length > 0 ? html`${parts}` : null, shown };
}
