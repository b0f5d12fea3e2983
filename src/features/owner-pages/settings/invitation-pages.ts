import type { Static } from 'typebox';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { type MessageKey, t, translateHtml } from '../../../shared/i18n/translate.ts';
import {
  type InvitationSchema,
  type InvitedRole,
  listInvitableRoles,
  type OrganizationRow,
  type ReceivedInvitationRow,
} from '../../identity/index.ts';
import {
  type FormErrors,
  renderChoices,
  renderConfirmation,
  renderEmptyState,
  renderField,
  renderForm,
} from '../components.ts';
import { renderMoment } from '../format-moment.ts';
import { ROLE_LABELS } from './role-labels.ts';

type Invitation = Static<typeof InvitationSchema>;

interface Reader {
  /** Of the invitations. */
  path: string;
  /** Of a form. */
  token: string;
  user: { timeZone: string };
  locale: Locale;
}

const ROLE_TEXTS = {
  MANAGER: 'app.invitations.roles.manager',
  EDITOR: 'app.invitations.roles.editor',
  RESPONDER: 'app.invitations.roles.responder',
  VIEWER: 'app.invitations.roles.viewer',
  BILLING: 'app.invitations.roles.billing',
} as const satisfies Record<InvitedRole, MessageKey>;

interface InvitationList extends Reader {
  organization: OrganizationRow;
  organizationPath: string;
  invitations: readonly Invitation[];
  values: Readonly<Record<string, string>>;
  errors: FormErrors;
  /** At the field of the address. */
  emailError: string | undefined;
  /** Makes a form that is sent twice invite once. */
  formKey: string;
}

/** Render the form of a new invitation to an organization, and its pending ones. */
export function renderInvitations(page: InvitationList): Html {
  const { organization, organizationPath, invitations, locale } = page;
  const list =
    invitations.length > 0
      ? html`<ul class="cards rows">${invitations.map((invitation) => renderPending(page, invitation))}</ul>`
      : renderEmptyState(t(locale, 'app.invitations.none'));
  return html`<section><h2>${t(locale, 'app.invitations.new')}</h2><p>${t(locale, 'app.invitations.text')}</p>
<div class="narrow">${renderInvitationForm(page)}</div></section>
<section><h2>${t(locale, 'app.invitations.pending')}</h2>${list}</section>
<p><a href="${organizationPath}"><bdi>${organization.name}</bdi></a></p>`;
}

function renderInvitationForm(page: InvitationList): Html {
  const { organization, path, token, locale, values, errors, emailError, formKey } = page;
  const email = {
    name: 'email',
    label: t(locale, 'signIn.email'),
    type: 'email',
    autocomplete: 'off',
    isRequired: true,
    value: values.email,
    error: emailError,
  } as const;
  const options = listInvitableRoles(organization.role).map((role) => ({
    value: role,
    label: describeRole(role, locale),
  }));
  const choices = { name: 'role', legend: t(locale, 'app.invitations.role'), value: values.role, options };
  return renderForm({
    action: path,
    token,
    submit: t(locale, 'app.invitations.send'),
    hidden: { key: formKey },
    fields: [renderField(email, errors, locale), renderChoices(choices, errors, locale)],
  });
}

/** Its name, and what a member with it may do. */
function describeRole(role: InvitedRole, locale: Locale): string {
  return `${t(locale, ROLE_LABELS[role])}${t(locale, 'finder.labelSeparator')}${t(locale, ROLE_TEXTS[role])}`;
}

function renderPending(page: InvitationList, { id, email, role, status, expiresAt }: Invitation): Html {
  const { organization, path, token, user, locale } = page;
  const action = `${path}/${id}`;
  const isChanging = listInvitableRoles(organization.role).includes(role);
  return html`<li><div><h3><bdi>${email}</bdi></h3><p class="small">${t(locale, ROLE_LABELS[role])} · ${describeState()}</p></div>${isChanging && renderActions()}</li>\n`;

  function renderActions(): Html {
    const resend = renderForm({
      action: `${action}/resend`,
      token,
      submit: t(locale, 'app.invitations.resend'),
      kind: 'plain',
    });
    const revoke = renderConfirmation(
      t(locale, 'app.invitations.revoke'),
      t(locale, 'app.invitations.revokeText'),
      { action: `${action}/revoke`, token, submit: t(locale, 'app.invitations.revoke'), kind: 'danger' },
    );
    return html`<div class="actions">${resend}${revoke}</div>`;
  }

  function describeState(): string | Html {
    if (status === 'EXPIRED') return t(locale, 'app.invitations.expired');
    if (status === 'STOPPED') return t(locale, 'app.invitations.stopped');
    return translateHtml(locale, 'app.invitations.expires', {
      time: renderMoment(new Date(expiresAt), user, locale),
    });
  }
}

/** Render the invitations to a user, each to be accepted or declined. Null without any. */
export function renderReceivedInvitations({
  invitations,
  path,
  token,
  user,
  locale,
}: Reader & { invitations: readonly ReceivedInvitationRow[] }): Html | null {
  if (invitations.length === 0) return null;
  const entries = invitations.map(({ id, organizationName, inviterName, role, expiresAt }) => {
    const inviter = translateHtml(locale, 'app.invitations.invitedBy', {
      inviter: html`<bdi>${inviterName}</bdi>`,
    });
    const expiry = translateHtml(locale, 'app.invitations.expires', {
      time: renderMoment(expiresAt, user, locale),
    });
    return html`<li><div><h3><bdi>${organizationName}</bdi></h3><p class="small">${inviter} · ${t(locale, ROLE_LABELS[role])} · ${expiry}</p></div>${renderAnswers({ path: `${path}/${id}`, token, locale })}</li>\n`;
  });
  return html`<section><h2>${t(locale, 'app.invitations.received')}</h2><ul class="cards rows">${entries}</ul></section>
`;
}

/** Render an invitation on a page of its own. */
export function renderReceivedInvitation(
  { organizationName, inviterName, role, expiresAt }: ReceivedInvitationRow,
  { path, token, user, locale }: Reader,
): Html {
  const text = translateHtml(locale, 'app.invitations.page.text', {
    inviter: html`<b><bdi>${inviterName}</bdi></b>`,
    organization: html`<b><bdi>${organizationName}</bdi></b>`,
  });
  const expiry = translateHtml(locale, 'app.invitations.expires', {
    time: renderMoment(expiresAt, user, locale),
  });
  return html`<p>${text}</p><p>${describeRole(role, locale)}</p><p class="small">${expiry}</p>
${renderAnswers({ path, token, locale })}`;
}

function renderAnswers({ path, token, locale }: Pick<Reader, 'path' | 'token' | 'locale'>): Html {
  const accept = renderForm({ action: `${path}/accept`, token, submit: t(locale, 'app.invitations.accept') });
  const decline = renderForm({
    action: `${path}/decline`,
    token,
    submit: t(locale, 'app.invitations.decline'),
    kind: 'plain',
  });
  return html`<div class="actions">${accept}${decline}</div>`;
}
