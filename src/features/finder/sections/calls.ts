import { type Html, html, sentenceWith } from '../../../shared/html.ts';
import { type Language, sayTerm } from '../../../shared/languages/language.ts';
import { dialable } from '../../qrcodes/kinds/field-rules.ts';
import type { Call } from '../calls.rules.ts';
import { fit } from '../fit.ts';
import { mailLink } from '../links.ts';

/** Buttons that call, each with whom it reaches, within so many bytes: the last of them are left out first. */
export function callsSection(calls: readonly Call[], bytes: number, language: Language): Html | null {
  if (calls.length === 0) return null;
  const { finder } = language;
  const render = (some: readonly Call[]) =>
    html`<section><h2>${finder.callTitle}</h2>\n${some.map((call) => callButton(call, language))}</section>`;
  const note = html`<p>${finder.shortened}</p>`;
  const fitting = fit(calls, render, bytes);
  return fitting?.isWhole ? fitting.markup : html`${fitting?.markup}${note}`;
}

function callButton({ name, role, phone, email }: Call, language: Language): Html {
  const who = 'relation' in role ? role.relation : sayTerm(language, role.title);
  const { finder } = language;
  return html`<p><a class="act wide" href="tel:${dialable(phone)}">${sentenceWith(finder.call, 'name', name ?? phone)}
<span><bdi>${who}</bdi> · <bdi>${phone}</bdi></span></a>${email && mailLink(email)}</p>
`;
}
