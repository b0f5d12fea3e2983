import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t, translateHtml } from '../../../shared/i18n/translate.ts';
import type { OrganizationRow, ReceivedInvitationRow } from '../../identity/index.ts';
import {
  type FormErrors,
  renderConfirmation,
  renderEmptyState,
  renderField,
  renderForm,
  renderNote,
  renderSelect,
  renderUndoBar,
} from '../components.ts';
import { renderMoment } from '../format-moment.ts';
import { renderReceivedInvitations } from './invitation-pages.ts';
import { ROLE_LABELS } from './role-labels.ts';

interface Reader {
  /** Of the list. */
  path: string;
  /** Of a form. */
  token: string;
  user: { id: string; timeZone: string };
  locale: Locale;
}

export const ORGANIZATION_NAME_FIELD = 'name';

interface OrganizationList extends Reader {
  organizations: readonly OrganizationRow[];
  invitations: readonly ReceivedInvitationRow[];
  /** Path of the page that an organization opens with. */
  getEntryPath(organization: OrganizationRow): string;
  values: Readonly<Record<string, string>>;
  errors: FormErrors;
  /** Makes a form that is sent twice create one organization. */
  formKey: string;
}

/** Render the organizations of a user, and the form of another one. */
export function renderOrganizations(page: OrganizationList): Html {
  const { organizations, path, locale, token, values, errors, formKey } = page;
  const list =
    organizations.length > 0
      ? html`<ul class="cards rows">${organizations.map((organization) => renderEntry(page, organization))}</ul>`
      : renderEmptyState(t(locale, 'app.organizations.none'));
  const move =
    organizations.length > 0 &&
    html`<p><a href="${path.replace(/organizations$/, 'move-codes')}">${t(locale, 'app.moves.title')}</a></p>`;
  const received = renderReceivedInvitations({ ...page, path: `${path}/invitations` });
  return html`${received}<section><h2>${t(locale, 'app.organizations.title')}</h2><p>${t(locale, 'app.organizations.text')}</p>
${list}${move}</section>
<section><h2>${t(locale, 'app.organizations.new')}</h2>
${renderForm({
  action: path,
  token,
  submit: t(locale, 'app.organizations.create'),
  hidden: { key: formKey },
  fields: renderName(values[ORGANIZATION_NAME_FIELD], errors, locale),
})}</section>`;
}

function renderEntry(
  { path, user, locale, getEntryPath }: OrganizationList,
  organization: OrganizationRow,
): Html {
  const { id, name, role, mustEnroll, deleteAfter } = organization;
  // Without the second factor that it requires, its pages lead to the enrollment.
  const action = mustEnroll
    ? { href: `${path}/${id}/members/${user.id}/remove`, label: t(locale, 'app.members.leave') }
    : { href: `${path}/${id}`, label: t(locale, 'app.settings') };
  const state =
    deleteAfter &&
    translateHtml(locale, 'app.organizations.deleted', { time: renderMoment(deleteAfter, user, locale) });
  return html`<li><div><h3><a href="${getEntryPath(organization)}"><bdi>${name}</bdi></a></h3><p class="small">${t(locale, ROLE_LABELS[role])}${state && html` · ${state}`}</p></div><a class="act plain" href="${action.href}">${action.label}<span class="visually-hidden"> ${name}</span></a></li>\n`;
}

interface OrganizationPage extends Reader {
  organization: OrganizationRow;
  /** Those of its pages that its members cannot find elsewhere, for the role of the reader. */
  links: readonly { href: string; label: string }[];
  values: Readonly<Record<string, string>>;
  errors: FormErrors;
}

/** Render what an owner changes of an organization; for other members what they can know. */
export function renderOrganization(page: OrganizationPage): Html {
  const { organization, path, token, user, locale, values, errors } = page;
  const { id, name, role, timeZone, version, deleteAfter } = organization;
  const links = html`<div class="actions">${page.links.map(
    ({ href, label }) => html`<a class="act plain" href="${href}">${label}</a>`,
  )}</div>
`;
  if (role !== 'OWNER')
    return html`<p>${t(locale, ROLE_LABELS[role])}</p>${links}${renderNote(t(locale, 'app.organizations.ownersOnly'))}`;
  const hidden = { version: values.version ?? String(version) };
  const action = `${path}/${id}`;
  const zones = [...new Set([timeZone, 'UTC', ...Intl.supportedValuesOf('timeZone')])];
  return html`${deleteAfter && renderDeleted(deleteAfter)}${links}${renderForm({
    action,
    token,
    hidden,
    submit: t(locale, 'app.organizations.save'),
    fields: html`${renderName(values[ORGANIZATION_NAME_FIELD] ?? name, errors, locale)}${renderSelect({
      name: 'timeZone',
      label: t(locale, 'app.settings.profile.timeZone'),
      value: values.timeZone ?? timeZone,
      options: zones.map((zone) => ({ value: zone, label: zone })),
    })}`,
  })}${
    !deleteAfter &&
    renderConfirmation(t(locale, 'app.organizations.delete'), t(locale, 'app.organizations.deleteText'), {
      action: `${action}/delete`,
      token,
      hidden: { version: String(version) },
      submit: t(locale, 'app.organizations.delete'),
      kind: 'danger',
    })
  }`;

  function renderDeleted(at: Date): Html {
    const text = translateHtml(locale, 'app.organizations.deleted', { time: renderMoment(at, user, locale) });
    return renderUndoBar(text, {
      action: `${action}/restore`,
      token,
      hidden: { version: String(version) },
      submit: t(locale, 'app.organizations.restore'),
    });
  }
}

function renderName(value: string | undefined, errors: FormErrors, locale: Locale): Html {
  const field = {
    name: ORGANIZATION_NAME_FIELD,
    label: t(locale, 'app.organizations.name'),
    value,
    autocomplete: 'organization',
    isRequired: true,
    maxLength: 200,
  };
  return renderField(field, errors, locale);
}
