import type { FastifyReply, FastifyRequest } from 'fastify';
import { findMemberships } from '../../platform/membership.repository.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import { auditAs } from '../../platform/route-access.ts';
import {
  formatExpiredSessionCookie,
  formatHostCookie,
  formatSessionCookie,
  getHostCookieName,
} from '../../platform/session-cookie.ts';
import { parseCookieHeader } from '../../shared/cookies.ts';
import { chooseLocale } from '../../shared/i18n/choose-locale.ts';
import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';
import {
  type ConfirmedRegistration,
  createDeviceToken,
  type LoginResult,
  logOut,
  type RenewedAccess,
  type SecondFactorLoginResult,
} from '../identity/index.ts';
import { type FormDraft, type SignInTarget, sendDraftPage } from './draft.ts';
import { createSessionFormToken } from './form-token.ts';
import {
  getAccountPath,
  getOwnerPagesPath,
  isSecure,
  type OwnerPageServices,
} from './owner-page-services.ts';
import { sendSecondFactorPage } from './sign-in-page.ts';
import { getStaffPath, listStaffEntries } from './staff/staff-navigation.ts';
import { hasCodeDraftCookie } from './start/code-draft.ts';

const DEVICE_COOKIE = 'device';
const SIGN_IN_STEP_COOKIE = 'sign-in-step';

/** The address of a registration that waits for its code. */
export const SIGN_UP_COOKIE = 'sign-up';

/** Not verified. */
export function readDeviceToken(services: OwnerPageServices, request: FastifyRequest): string | undefined {
  return parseCookieHeader(request.headers.cookie)[getHostCookieName(DEVICE_COOKIE, isSecure(services))];
}

/** Token of a sign-in that waits for the second factor; not verified. */
export function readSignInStep(services: OwnerPageServices, request: FastifyRequest): string | undefined {
  const name = getHostCookieName(SIGN_IN_STEP_COOKIE, isSecure(services));
  return parseCookieHeader(request.headers.cookie)[name];
}

/** Answer a first factor: with the page for the second one, or with a session. */
export async function continueSignIn(
  services: OwnerPageServices,
  request: FastifyRequest,
  reply: FastifyReply,
  { user, loginStep }: LoginResult,
  to: SignInTarget,
): Promise<FastifyReply> {
  if (loginStep.session)
    return beginSession(services, request, reply, { user, session: loginStep.session }, to);
  const { mfaToken, expiresIn } = loginStep.challenge;
  reply.header('Set-Cookie', formatHostCookie(SIGN_IN_STEP_COOKIE, mfaToken, expiresIn, isSecure(services)));
  return sendSecondFactorPage(services, request, reply, to);
}

/** Set the cookies of a session that begins, end the one that the browser had, and redirect. */
export async function beginSession(
  services: OwnerPageServices,
  request: FastifyRequest,
  reply: FastifyReply,
  confirmed: SecondFactorLoginResult | ConfirmedRegistration,
  { target, draft }: SignInTarget,
): Promise<FastifyReply> {
  const { user, session } = confirmed;
  const { fieldCipher } = services;
  const secure = isSecure(services);
  await endFormerSession(services, request);
  const deviceToken = createDeviceToken(fieldCipher, user);
  reply
    .header('Set-Cookie', formatSessionCookie(session.credential, secure))
    .header('Set-Cookie', formatHostCookie(DEVICE_COOKIE, deviceToken, LIFETIMES_SECONDS.deviceToken, secure))
    .header('Set-Cookie', formatHostCookie(SIGN_IN_STEP_COOKIE, '', 0, secure));
  if (draft && (await isOwnDraft(services, draft, user))) {
    const token = createSessionFormToken(fieldCipher, session.sessionId);
    const locale = chooseLocale(user.language, request.headers['accept-language']);
    return sendDraftPage(services, request, reply, draft, { token, locale });
  }
  const account = getAccountPath(services, user.id);
  // The page of a draft leads home once there is none.
  const next =
    target ??
    findInvitationPath(services, draft) ??
    (hasCodeDraftCookie(services, request) ? `${account}/start` : null);
  if (user.status !== 'VERIFIED') return reply.redirect(next ?? account, 303);
  const query = new URLSearchParams({
    ...(next !== null && { to: next }),
    ...('isPasswordMissing' in confirmed && confirmed.isPasswordMissing && { note: 'password-link' }),
  });
  return reply.redirect(`${account}/welcome?${query}`, 303);
}

/** Set the cookies of a session whose credentials were renewed; the former ones no longer work. */
export function setRenewedAccess(
  services: OwnerPageServices,
  reply: FastifyReply,
  { sessionCookie, deviceToken }: RenewedAccess,
): void {
  const secure = isSecure(services);
  if (sessionCookie !== null) reply.header('Set-Cookie', formatSessionCookie(sessionCookie, secure));
  reply.header(
    'Set-Cookie',
    formatHostCookie(DEVICE_COOKIE, deviceToken, LIFETIMES_SECONDS.deviceToken, secure),
  );
}

/** Find the page of the invitation that a draft answers: it has the button, and leads a new account to its profile first. */
function findInvitationPath(services: OwnerPageServices, draft: FormDraft | null): string | null {
  const invitations = `${getOwnerPagesPath(services)}/invitations/`;
  if (!draft?.action.startsWith(invitations)) return null;
  const [token] = draft.action.slice(invitations.length).split('/');
  return `${invitations}${token}`;
}

/** Whether a draft may be shown to a user: of an account that they act for, or of a page that their role may see. */
async function isOwnDraft(
  services: OwnerPageServices,
  { action }: FormDraft,
  { id: userId, role }: { id: string; role: string },
): Promise<boolean> {
  const pagesPath = getOwnerPagesPath(services);
  const [accountId = ''] = action.slice(`${pagesPath}/`.length).split('/');
  const paths = listStaffEntries(role).map(({ name }) => getStaffPath(pagesPath, name));
  if (paths.some((path) => `${action}/`.startsWith(`${path}/`))) return true;
  if (accountId === userId) return true;
  const { database, isEnterpriseEnforced } = services;
  const memberships = await findMemberships(database.pool, [{ accountId, userId }], isEnterpriseEnforced);
  return memberships.length > 0;
}

async function endFormerSession(services: OwnerPageServices, request: FastifyRequest): Promise<void> {
  const { user } = request;
  if (!user) return;
  const context = { ...getRequestContext(request), audit: auditAs('LOGOUT') };
  await logOut(services.database, context, user.id, user.sessionId);
  request.user = null;
}

/** Forget who used a browser, but for the device, whose failed attempts are its own. */
export function expireCookies(services: OwnerPageServices, reply: FastifyReply): void {
  const secure = isSecure(services);
  reply.header('Set-Cookie', formatExpiredSessionCookie(secure));
  for (const name of [SIGN_IN_STEP_COOKIE, SIGN_UP_COOKIE])
    reply.header('Set-Cookie', formatHostCookie(name, '', 0, secure));
}
