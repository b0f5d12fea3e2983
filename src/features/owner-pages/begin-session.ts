import type { FastifyReply, FastifyRequest } from 'fastify';
import { getRequestContext } from '../../platform/request-context.ts';
import { auditAs } from '../../platform/route-access.ts';
import {
  formatExpiredSessionCookie,
  formatHostCookie,
  formatSessionCookie,
  getHostCookieName,
} from '../../platform/session-cookie.ts';
import { parseCookieHeader } from '../../shared/cookies.ts';
import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';
import {
  type ConfirmedRegistration,
  createDeviceToken,
  type LoginResult,
  logOut,
  type RenewedAccess,
  type SecondFactorLoginResult,
} from '../identity/index.ts';
import { type FormDraft, sendDraftPage } from './draft.ts';
import { createSessionFormToken } from './form-token.ts';
import { getAccountPath, isSecure, type OwnerPageServices } from './owner-page-services.ts';
import { sendSecondFactorPage } from './sign-in-page.ts';

const DEVICE_COOKIE = 'device';
const SIGN_IN_STEP_COOKIE = 'sign-in-step';

/** Where a sign-in leads to. */
export interface SignInTarget {
  target: string | null;
  draft: FormDraft | null;
}

/** Not verified. */
export function readDeviceToken(services: OwnerPageServices, request: FastifyRequest): string | undefined {
  return parseCookieHeader(request.headers.cookie)[getHostCookieName(DEVICE_COOKIE, isSecure(services))];
}

/** Token of a sign-in that waits for the second factor; not verified. */
export function readSignInStep(services: OwnerPageServices, request: FastifyRequest): string | undefined {
  const name = getHostCookieName(SIGN_IN_STEP_COOKIE, isSecure(services));
  return parseCookieHeader(request.headers.cookie)[name];
}

/** Answer a first factor: with the page for the second, or by the session that begins. */
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

/** Set the cookies of a session that begins, end the one that the browser had, and lead on. */
export async function beginSession(
  services: OwnerPageServices,
  request: FastifyRequest,
  reply: FastifyReply,
  { user, session }: SecondFactorLoginResult | Pick<ConfirmedRegistration, 'user' | 'session'>,
  { target, draft }: SignInTarget,
): Promise<FastifyReply> {
  const { fieldCipher } = services;
  const secure = isSecure(services);
  await endFormerSession(services, request);
  const deviceToken = createDeviceToken(fieldCipher, user);
  reply
    .header('Set-Cookie', formatSessionCookie(session.credential, secure))
    .header('Set-Cookie', formatHostCookie(DEVICE_COOKIE, deviceToken, LIFETIMES_SECONDS.deviceToken, secure))
    .header('Set-Cookie', formatHostCookie(SIGN_IN_STEP_COOKIE, '', 0, secure));
  if (draft) {
    const token = createSessionFormToken(fieldCipher, session.sessionId);
    return sendDraftPage(services, request, reply, draft, { token });
  }
  const account = getAccountPath(services, user.id);
  const address = user.status === 'VERIFIED' ? `${account}/welcome` : (target ?? account);
  return reply.header('Cache-Control', 'no-store').redirect(address, 303);
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

async function endFormerSession(services: OwnerPageServices, request: FastifyRequest): Promise<void> {
  const { user } = request;
  if (!user) return;
  const context = { ...getRequestContext(request), audit: auditAs('LOGOUT') };
  await logOut(services.database, context, user.id, user.sessionId);
  request.user = null;
}

/** Forget the session of a browser. */
export function expireSessionCookie(services: OwnerPageServices, reply: FastifyReply): void {
  reply.header('Set-Cookie', formatExpiredSessionCookie(isSecure(services)));
}
