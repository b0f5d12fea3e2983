import { USER_ROLES } from '../../../permissions.ts';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { type PageForm, renderConfirmation, renderSelect } from '../components.ts';
import { translateRole } from './user-labels.ts';

interface UserActions {
  /** Of the page of the user. */
  path: string;
  token: string;
  /** The page of the administrator themselves. */
  isOwn: boolean;
  locale: Locale;
}

interface ChangedUser {
  role: (typeof USER_ROLES)[number];
  status: string;
  enterpriseMode: boolean;
}

/** Render what an administrator can change; each unfolds to what will happen, with the button. */
export function renderUserActions(
  { role, status, enterpriseMode }: ChangedUser,
  { path, token, isOwn, locale }: UserActions,
): Html {
  const isSuspended = status === 'SUSPENDED';
  const fold = (title: string, text: string, form: Omit<PageForm, 'token' | 'submit'>) =>
    renderConfirmation(title, text, { ...form, token, submit: title });
  return html`<section><h2>${t(locale, 'app.staff.users.actions')}</h2>
${
  status === 'PENDING_VERIFICATION' &&
  fold(t(locale, 'app.staff.users.activation'), t(locale, 'app.staff.users.activationText'), {
    action: `${path}/activation`,
  })
}${
  isSuspended
    ? fold(t(locale, 'app.staff.users.restore'), t(locale, 'app.staff.users.restoreText'), {
        action: `${path}/status`,
        hidden: { status: 'ACTIVE' },
      })
    : fold(t(locale, 'app.staff.users.suspend'), t(locale, 'app.staff.users.suspendText'), {
        action: `${path}/status`,
        hidden: { status: 'SUSPENDED' },
        kind: 'danger',
      })
}
${fold(t(locale, 'app.staff.users.sessions'), t(locale, 'app.staff.users.sessionsText'), { action: `${path}/sessions`, kind: 'plain' })}
${
  !isOwn &&
  fold(t(locale, 'app.staff.users.secondFactor'), t(locale, 'app.staff.users.secondFactorText'), {
    action: `${path}/second-factor`,
    kind: 'danger',
  })
}${fold(t(locale, 'app.staff.users.changeRole'), t(locale, 'app.staff.users.changeRoleText'), {
  action: `${path}/role`,
  fields: renderSelect({
    name: 'role',
    label: t(locale, 'app.staff.users.role'),
    value: role,
    options: USER_ROLES.map((value) => ({ value, label: translateRole(value, locale) })),
  }),
})}
${
  enterpriseMode
    ? fold(t(locale, 'app.staff.users.enterpriseOff'), t(locale, 'app.staff.users.enterpriseOffText'), {
        action: `${path}/enterprise`,
        hidden: { on: 'no' },
        kind: 'plain',
      })
    : fold(t(locale, 'app.staff.users.enterpriseTurnOn'), t(locale, 'app.staff.users.enterpriseOnText'), {
        action: `${path}/enterprise`,
        hidden: { on: 'yes' },
        kind: 'plain',
      })
}</section>`;
}
