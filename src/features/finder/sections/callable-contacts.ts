import { type Html, html } from '../../../shared/html.ts';
import { t, translateHtml } from '../../../shared/i18n/translate.ts';
import { toDialableNumber } from '../../codes/index.ts';
import type { CallableContact } from '../callable-contacts.rules.ts';
import { renderMailLink } from '../links.ts';
import { type FieldContext, translateField } from '../translate-field.ts';
import { truncateToFit } from '../truncate-to-fit.ts';

/** Render call buttons within a number of bytes; the last are left out first. */
export function renderCallableContacts(
  contacts: readonly CallableContact[],
  bytes: number,
  context: FieldContext,
): Html | null {
  if (contacts.length === 0) return null;
  const { locale } = context;
  const render = (part: readonly CallableContact[]) =>
    html`<section><h2>${t(locale, 'finder.callTitle')}</h2>\n${part.map((call) => renderCallButton(call, context))}</section>`;
  const note = html`<p>${t(locale, 'finder.truncated')}</p>`;
  const truncated = truncateToFit(contacts, render, bytes);
  return truncated?.isWhole ? truncated.markup : html`${truncated?.markup}${note}`;
}

function renderCallButton({ name, role, phone, email }: CallableContact, context: FieldContext): Html {
  const who = 'relation' in role ? role.relation : translateField(context, role.field);
  return html`<p><a class="act wide" href="tel:${toDialableNumber(phone)}">${translateHtml(context.locale, 'finder.call', { name: html`<bdi>${name ?? phone}</bdi>` })}
<span><bdi>${who}</bdi> · <bdi>${phone}</bdi></span></a>${email && renderMailLink(email)}</p>
`;
}
