import type { FastifyReply, FastifyRequest } from 'fastify';
import { isAccountPermission, type Permission } from '../../../permissions.ts';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { allowByCookie, allowUsers, skipAudit } from '../../../platform/route-access.ts';
import { createIdParamsSchema } from '../../../shared/common.schemas.ts';
import { type FieldError, ServiceError, type ServiceErrorCode } from '../../../shared/errors.ts';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { type MessageKey, t } from '../../../shared/i18n/translate.ts';
import { isKeyOf } from '../../../shared/is-key-of.ts';
import { findUser } from '../../identity/index.ts';
import { type FormErrors, renderErrorSummary, renderField, renderNote, renderTabs } from '../components.ts';
import { chooseOwnerPageLocale, sendOwnerPage } from '../layout.ts';
import { getAccountPath, type OwnerPageServices } from '../owner-page-services.ts';
import { canUse } from '../reader-permissions.ts';
import { translateRefusal } from '../translate-refusal.ts';

export const AccountParams = createIdParamsSchema('accountId');

export const ACCOUNT_ACCESS = allowByCookie(allowUsers('account:manage'));

export const SETTINGS_PAGE_CONFIG = {
  access: ACCOUNT_ACCESS,
  audit: skipAudit('USER'),
  rateLimitClass: 'page',
} as const;

/** Those of the user, and between them those of the account that the page is of. */
const TABS = [
  { name: 'profile', permission: 'account:manage', path: '/settings', label: 'app.settings.profile' },
  {
    name: 'security',
    permission: 'account:manage',
    path: '/settings/security',
    label: 'app.settings.security',
  },
  {
    name: 'notifications',
    permission: 'notifications:own',
    path: '/settings/notifications',
    label: 'app.settings.notifications',
  },
  {
    name: 'organizations',
    permission: 'account:manage',
    path: '/settings/organizations',
    label: 'app.organizations.title',
  },
  { name: 'plan', permission: 'subscription:own', path: '/settings/plan', label: 'app.plan.title' },
  { name: 'data', permission: 'account:manage', path: '/settings/data', label: 'app.settings.data' },
  { name: 'developers', permission: 'api-keys:own', path: '/developers', label: 'app.developers.title' },
] as const satisfies readonly { name: string; permission: Permission; path: string; label: MessageKey }[];

export type SettingsTab = (typeof TABS)[number]['name'];

/** What a change of a setting says on the page that it leads to, by its name in the address. */
const DONE_MESSAGES = {
  profile: 'app.settings.profile.done',
  password: 'app.settings.password.done',
  'second-factor-off': 'app.settings.secondFactor.doneOff',
  notifications: 'app.settings.notifications.done',
  'device-removed': 'app.settings.devices.done',
  'device-tested': 'app.settings.devices.tested',
  'web-push': 'app.webPush.done',
  exported: 'app.settings.export.done',
  linked: 'app.settings.identities.linked',
  unlinked: 'app.settings.identities.done',
  'session-ended': 'app.settings.sessions.done',
  'other-sessions-ended': 'app.settings.sessions.doneOthers',
  'phone-removed': 'app.settings.ownPhones.done',
  'organization-created': 'app.organizations.done.created',
  'organization-saved': 'app.content.done.saved',
  'organization-restored': 'app.organizations.done.restored',
  'codes-moving': 'app.moves.started',
  'organization-left': 'app.members.done.left',
  'member-role': 'app.members.done.role',
  'member-folders': 'app.members.done.folders',
  'member-removed': 'app.members.done.removed',
  'ownership-transferred': 'app.members.done.transferred',
  'invitation-sent': 'app.invitations.done.sent',
  'invitation-revoked': 'app.invitations.done.revoked',
  'invitation-accepted': 'app.invitations.done.accepted',
  'invitation-declined': 'app.invitations.done.declined',
  paid: 'checkoutReturn.paid.text',
  left: 'checkoutReturn.left.title',
  portal: 'checkoutReturn.changed.title',
  'plan-changed': 'app.plan.done.changed',
  'plan-canceled': 'app.plan.done.canceled',
  'plan-kept': 'app.plan.done.kept',
  'key-revoked': 'app.developers.revoked',
  'webhook-saved': 'app.content.done.saved',
  'webhook-paused': 'app.webhooks.done.paused',
  'webhook-resumed': 'app.webhooks.done.resumed',
  'webhook-verified': 'app.webhooks.done.verified',
  'webhook-replayed': 'app.webhooks.done.replayed',
  'webhook-deleted': 'app.webhooks.done.deleted',
} as const satisfies Record<string, MessageKey>;

/** The same for what was tried in vain. */
const FAILED_MESSAGES = {
  'device-test-failed': 'app.settings.devices.testFailed',
  'device-gone': 'app.settings.devices.gone',
  'invitation-invalid': 'app.invitations.page.invalidTitle',
} as const satisfies Record<string, MessageKey>;

const RESULT_MESSAGES = { ...DONE_MESSAGES, ...FAILED_MESSAGES };

type ResultName = keyof typeof RESULT_MESSAGES;

/** Why a form was refused, for the page that shows it again. */
export interface FormRefusal {
  status?: number;
  errors?: FormErrors;
  /** A translated message that no field has. */
  refusal?: string | undefined;
}

interface SettingsPage {
  tab: SettingsTab;
  body: Html;
  refused?: FormRefusal;
  /** Of a page below the tab. */
  title?: string;
  /** Of such a page: a step of a task has none. */
  hasTabs?: boolean;
  /** One column for a short form. */
  isNarrow?: boolean;
}

/** Get the path of the settings of the user, whatever account the request acts for. */
export function getSettingsPath(services: OwnerPageServices, request: FastifyRequest): string {
  return `${getAccountPath(services, requireAuthenticatedUser(request).id)}/settings`;
}

/** Get the path of the plan of an account. */
export function getPlanPath(services: OwnerPageServices, accountId: string): string {
  return `${getAccountPath(services, accountId)}/settings/plan`;
}

/** Get the path of what programs use of an account. Beside the settings: its address says what it is for. */
export function getDevelopersPath(services: OwnerPageServices, accountId: string): string {
  return `${getAccountPath(services, accountId)}/developers`;
}

/** Send a page of the settings. `?done=` says what was changed before. */
export function sendSettingsPage(
  services: OwnerPageServices,
  request: FastifyRequest,
  reply: FastifyReply,
  { tab, body, refused = {}, title, hasTabs = title === undefined, isNarrow = false }: SettingsPage,
): FastifyReply {
  const locale = chooseOwnerPageLocale(request);
  const { errors = [], refusal } = refused;
  const { id: userId, account } = requireAuthenticatedUser(request);
  const accountId = account?.id ?? userId;
  const tabs = TABS.filter(({ permission }) => canUse(request, permission, 'GET')).map(
    ({ name, permission, path, label }) => ({
      href: `${getAccountPath(services, isAccountPermission(permission) ? accountId : userId)}${path}`,
      label: t(locale, label),
      isCurrent: name === tab,
    }),
  );
  const organizationPath = `${getSettingsPath(services, request)}/organizations/${accountId}`;
  const organization =
    account?.type === 'ORGANIZATION' &&
    html`<p class="small"><a href="${organizationPath}">${t(locale, 'fields.organization')}</a></p>`;
  const done = findResult(request);
  const note = refusal ? renderNote(refusal, 'wrong') : renderErrorSummary(errors, locale);
  return sendOwnerPage(services, request, reply, {
    title: title ?? t(locale, 'app.settings'),
    entry: 'settings',
    isNarrow,
    status: refused.status ?? (errors.length > 0 ? 400 : 200),
    body: html`${hasTabs && renderTabs(tabs, t(locale, 'app.settings'))}${organization}${note ?? (done && renderNote(t(locale, RESULT_MESSAGES[done]), done in FAILED_MESSAGES ? 'wrong' : 'done'))}
${body}`,
  });
}

/** Lead from a form to the page that shows its result. */
export function redirectWithDone(reply: FastifyReply, path: string, done: ResultName) {
  return reply.redirect(`${path}?done=${done}`, 303);
}

function findResult({ query, method }: FastifyRequest): ResultName | undefined {
  const name: unknown = Reflect.get(Object(query), 'done');
  return method === 'GET' && isKeyOf(RESULT_MESSAGES, name) ? name : undefined;
}

/**
 * Describe why a use case refused a form: at a field where `fields` has one for the code, otherwise above the form.
 * @throws what is no refusal
 */
export function describeRefusal(
  error: unknown,
  reply: FastifyReply,
  locale: Locale,
  fields: Partial<Record<ServiceErrorCode, Omit<FieldError, 'message'>>>,
  texts: Partial<Record<ServiceErrorCode, string>> = {},
): FormRefusal {
  const field = error instanceof ServiceError ? fields[error.code] : undefined;
  if (field && error instanceof ServiceError)
    return { status: error.statusCode, errors: [{ ...field, message: '' }] };
  const { status, text: refusal } = translateRefusal(error, reply, locale, texts);
  return { status, refusal };
}

/** A password, without one a recent login, is asked for before what it protects. */
export async function hasPassword(
  { database }: Pick<OwnerPageServices, 'database'>,
  request: FastifyRequest,
): Promise<boolean> {
  const user = await findUser(database.client, requireAuthenticatedUser(request).id);
  return Boolean(user?.passwordHash);
}

/** Render the field of the current password, with the address that password managers know it by. */
export function renderCurrentPassword(
  request: FastifyRequest,
  errors: FormErrors,
  locale: Locale,
  name = 'password',
): Html {
  const field = renderField(
    {
      name,
      label: t(locale, 'app.settings.currentPassword'),
      type: 'password',
      autocomplete: 'current-password',
      isRequired: true,
    },
    errors,
    locale,
  );
  return html`<input type="email" autocomplete="username" value="${requireAuthenticatedUser(request).email}" readonly hidden>${field}`;
}
