import { ACCOUNT_ROLES, type AccountRole } from '../../../shared/account-roles.ts';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t, translateHtml } from '../../../shared/i18n/translate.ts';
import {
  canManageMember,
  type MemberRow,
  managesMembers,
  type OrganizationMember,
  type OrganizationRow,
  type readMemberAccess,
} from '../../identity/index.ts';
import { renderConfirmation, renderForm, renderSelect } from '../components.ts';
import { renderDay } from '../format-moment.ts';
import { ROLE_LABELS } from './role-labels.ts';

interface Reader {
  /** Of the page of the organization. */
  path: string;
  /** Of a form. */
  token: string;
  user: { id: string; timeZone: string };
  locale: Locale;
}

interface MemberList extends Reader {
  organization: OrganizationRow;
  members: readonly MemberRow[];
  nextCursor: string | null;
}

/** Render the members of an organization, each with what the reader may change. */
export function renderMembers(page: MemberList): Html {
  const { organization, members, nextCursor, path, locale } = page;
  const entries = members.map((member) => renderEntry(page, member));
  return html`<p>${translateHtml(locale, 'app.members.text', { organization: renderName(organization.name) })}</p>
<ul class="cards rows">${entries}</ul>${
    nextCursor !== null &&
    html`<p><a class="act plain" href="${path}/members?${String(new URLSearchParams({ cursor: nextCursor }))}">${t(locale, 'app.codes.next')}</a></p>`
  }<p><a href="${path}">${renderName(organization.name)}</a></p>`;
}

function renderEntry({ organization, path, user, locale }: MemberList, member: MemberRow): Html {
  const isReader = member.id === user.id;
  const name = getMemberName(member, locale);
  const address = managesMembers(organization.role) && html`<p class="small" dir="ltr">${member.email}</p>`;
  const since = translateHtml(locale, 'app.members.since', {
    date: renderDay(member.createdAt, user, locale),
  });
  const label = getActionLabel();
  return html`<li><div><h2>${renderName(name)}${isReader && html` <span class="chip">${t(locale, 'app.members.you')}</span>`}</h2>${address}<p class="small">${t(locale, ROLE_LABELS[member.role])} · ${since}</p></div>${label}</li>\n`;

  function getActionLabel(): Html | null {
    const link = `${path}/members/${member.id}`;
    if (canManageMember(organization.role, member.role))
      return html`<a class="act plain" href="${link}">${t(locale, 'app.members.change')}<span class="visually-hidden"> ${name}</span></a>`;
    return isReader
      ? html`<a class="act plain" href="${link}/remove">${t(locale, 'app.members.leave')}</a>`
      : null;
  }
}

/** Render the role of a member, and the ways to remove them and to make them the owner. */
export function renderMember({ organization, member, ...reader }: Reader & OrganizationMember): Html {
  const { path, token, user, locale } = reader;
  const isReader = member.id === user.id;
  const action = `${path}/members/${member.id}`;
  const roles = ACCOUNT_ROLES.filter(
    (role) =>
      canManageMember(organization.role, member.role, role) &&
      (member.isActive || role !== 'OWNER' || role === member.role),
  );
  const name = getMemberName(member, locale);
  return html`<p><span dir="ltr">${member.email}</span> · ${renderName(organization.name)}</p>
${renderForm({
  action,
  token,
  hidden: { version: String(member.version) },
  submit: t(locale, 'app.organizations.save'),
  fields: renderSelect({
    name: 'role',
    label: t(locale, 'app.members.role'),
    value: member.role,
    options: roles.map((role) => ({ value: role, label: t(locale, ROLE_LABELS[role]) })),
  }),
})}${
  organization.role === 'OWNER' &&
  member.isActive &&
  !isReader &&
  renderConfirmation(
    t(locale, 'app.members.transfer'),
    t(locale, 'app.members.transferText', { member: name }),
    {
      action: `${action}/transfer-ownership`,
      token,
      hidden: { version: String(organization.version) },
      submit: t(locale, 'app.members.transfer'),
      kind: 'danger',
    },
  )
}<p><a class="act plain" href="${action}/remove">${t(locale, isReader ? 'app.members.leave' : 'app.members.remove')}</a></p>
<p><a href="${path}/members">${t(locale, 'app.members.title')}</a></p>`;
}

type RemovedMember = Awaited<ReturnType<typeof readMemberAccess>>;

interface RemovalPage extends Reader, RemovedMember {
  /** Path of the pages for developers of the organization. */
  developersPath: string;
}

/** Render what ends when a member is removed or leaves, with the button. */
export function renderRemoval({ organization, member, access, ...page }: RemovalPage): Html {
  const { path, token, user, locale, developersPath } = page;
  const isReader = member.id === user.id;
  const names = {
    member: renderName(getMemberName(member, locale)),
    organization: renderName(organization.name),
  };
  const { apiKeys, webhookEndpoints, links } = access;
  const keys = apiKeys.map(({ id, name, prefix }) => ({
    href: `${developersPath}/keys/${id}`,
    label: html`<bdi>${name}</bdi> <span class="small"><code dir="ltr">${prefix}…</code></span>`,
  }));
  const endpoints = webhookEndpoints.map(({ id, description }) => ({
    href: `${developersPath}/webhooks/${id}`,
    label: description === null ? html`<code dir="ltr">${id}</code>` : renderName(description),
  }));
  return html`<p>${
    isReader
      ? translateHtml(locale, 'app.members.leaveText', { organization: names.organization })
      : translateHtml(locale, 'app.members.removeText', names)
  }</p>
${renderLinks(t(locale, 'app.members.keys'), t(locale, 'app.members.keysText'), keys)}${renderLinks(
  t(locale, 'app.members.secrets'),
  t(locale, 'app.members.secretsText'),
  endpoints,
)}${links > 0 && html`<p>${t(locale, 'app.members.links', { count: links })}</p>\n`}${renderForm({
  action: `${path}/members/${member.id}/remove`,
  token,
  hidden: { version: String(member.version) },
  submit: t(locale, isReader ? 'app.members.leave' : 'app.members.remove'),
  kind: 'danger',
})}<p><a href="${path}/members">${t(locale, 'app.members.title')}</a></p>`;
}

function renderLinks(
  title: string,
  text: string,
  links: readonly { href: string; label: Html }[],
): Html | null {
  if (links.length === 0) return null;
  const items = links.map(({ href, label }) => html`<li><a href="${href}">${label}</a></li>`);
  return html`<section><h2>${title}</h2><p>${text}</p><ul>${items}</ul></section>\n`;
}

/** The name of a member; that of nobody without a profile. */
export function getMemberName({ name }: Pick<MemberRow, 'name'>, locale: Locale): string {
  return name ?? t(locale, 'app.members.unnamed');
}

/** Whether a text is the name of a role. */
export function isAccountRole(text: string | undefined): text is AccountRole {
  return ACCOUNT_ROLES.some((role) => role === text);
}

function renderName(name: string): Html {
  return html`<bdi>${name}</bdi>`;
}
