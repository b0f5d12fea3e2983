import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import type { ReadPolicies } from '../../identity/index.ts';
import { renderForm, renderNote, renderSelect } from '../components.ts';
import type { FormToken } from '../form-token.ts';

const SESSION_HOURS = [1, 4, 8, 12, 24, 168, 720];

interface OrganizationSecurityPage extends ReadPolicies {
  path: string;
  /** Null for whoever only reads. */
  token: FormToken;
  locale: Locale;
}

/** Render what an organization requires of its members, after who of them has no second factor. */
export function renderOrganizationSecurity({
  organization,
  policies,
  path,
  token,
  locale,
}: OrganizationSecurityPage): Html {
  const { secondFactorRequired, maxSessionHours, enterpriseMode, version } = policies;
  const { count, members } = policies.membersWithoutSecondFactor;
  const unenrolled =
    count === 0
      ? html`<p>${t(locale, 'app.organizationSecurity.everyoneEnrolled')}</p>`
      : html`<p>${t(locale, 'app.organizationSecurity.unenrolled', { count })}</p>
<ul>${members.map(({ name }) => html`<li><bdi>${name ?? t(locale, 'app.members.unnamed')}</bdi></li>`)}</ul>`;
  const hours = [...new Set([...SESSION_HOURS, ...(maxSessionHours === null ? [] : [maxSessionHours])])];
  const isReadOnly = token === null;
  return html`<p><bdi>${organization.name}</bdi></p>
${enterpriseMode && renderNote(t(locale, 'app.organizationSecurity.enterprise'))}${unenrolled}
${renderForm({
  action: path,
  token,
  isReadable: true,
  hidden: { version: String(version) },
  submit: t(locale, 'app.organizations.save'),
  fields: html`<label class="choice"><input type="checkbox" name="secondFactorRequired" value="1" aria-describedby="second-factor-hint"${secondFactorRequired && html` checked`}> ${t(locale, 'app.organizationSecurity.secondFactor')}</label><p class="hint" id="second-factor-hint">${t(locale, 'app.organizationSecurity.secondFactorHint')}</p>
${renderSelect({
  name: 'maxSessionHours',
  label: t(locale, 'app.organizationSecurity.session'),
  value: maxSessionHours === null ? '' : String(maxSessionHours),
  options: [
    { value: '', label: t(locale, 'app.organizationSecurity.noLimit') },
    ...hours
      .toSorted((one, other) => one - other)
      .map((value) => ({ value: String(value), label: formatHours(value, locale) })),
  ],
})}<p class="hint">${t(locale, 'app.organizationSecurity.sessionHint')}</p>`,
})}${isReadOnly && renderNote(t(locale, 'app.organizations.ownersOnly'))}`;
}

function formatHours(hours: number, { tag }: Locale): string {
  const isDays = hours > 24 && hours % 24 === 0;
  const unit = { style: 'unit', unitDisplay: 'long', unit: isDays ? 'day' : 'hour' } as const;
  return new Intl.NumberFormat(tag, unit).format(isDays ? hours / 24 : hours);
}
