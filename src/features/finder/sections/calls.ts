import { type Html, html } from '../../../shared/html.ts';
import { t, translateHtml } from '../../../shared/i18n/translate.ts';
import { dialable } from '../../qrcodes/kinds/field-rules.ts';
import type { Call } from '../calls.rules.ts';
import { fit } from '../fit.ts';
import { mailLink } from '../links.ts';
import { type FieldContext, translateField } from '../translate-field.ts';

/** Buttons that call, each with whom it reaches, within so many bytes: the last of them are left out first. */
export function callsSection(calls: readonly Call[], bytes: number, context: FieldContext): Html | null {
  if (calls.length === 0) return null;
  const { locale } = context;
  const render = (some: readonly Call[]) =>
    html`<section><h2>${t(locale, 'finder.callTitle')}</h2>\n${some.map((call) => callButton(call, context))}</section>`;
  const note = html`<p>${t(locale, 'finder.truncated')}</p>`;
  const fitting = fit(calls, render, bytes);
  return fitting?.isWhole ? fitting.markup : html`${fitting?.markup}${note}`;
}

function callButton({ name, role, phone, email }: Call, context: FieldContext): Html {
  const who = 'relation' in role ? role.relation : translateField(context, role.field);
  return html`<p><a class="act wide" href="tel:${dialable(phone)}">${translateHtml(context.locale, 'finder.call', { name: html`<bdi>${name ?? phone}</bdi>` })}
<span><bdi>${who}</bdi> · <bdi>${phone}</bdi></span></a>${email && mailLink(email)}</p>
`;
}
