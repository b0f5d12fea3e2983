import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Permission } from '../../permissions.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import { formatHostCookie, getHostCookieName } from '../../platform/session-cookie.ts';
import { parseCookieHeader } from '../../shared/cookies.ts';
import { CONTEXT, defineSignedToken } from '../../shared/crypto/signed-token.ts';
import { DAY_SECONDS } from '../../shared/durations.ts';
import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';
import { isSecure, type OwnerPageServices } from './owner-page-services.ts';
import { canUse } from './reader-permissions.ts';

/** Of a form; null for a reader who may not send it, for whom it is not rendered. */
export type FormToken = string | null;

declare module 'fastify' {
  interface FastifyRequest {
    /** The token of the forms on the page of this request. */
    formToken: string | null;
  }
}

/** Bound to the session, or before a sign-in to the browser: another site knows neither, and cannot sign in for you. */
const formToken = defineSignedToken({
  purpose: 'owner-form',
  parts: { subject: CONTEXT },
  lifetimeSeconds: LIFETIMES_SECONDS.ownerForm,
});

const BROWSER_COOKIE = 'browser';

/** Get the token of the forms on a page, and set the cookie of the browser where it has none. */
export function getFormToken(
  services: Pick<OwnerPageServices, 'fieldCipher' | 'publicBaseUrl'>,
  request: FastifyRequest,
  reply: FastifyReply,
): string {
  request.formToken ??= formToken.create(services.fieldCipher, {
    subject: request.user?.sessionId ?? setBrowserCookie(services, request, reply),
  });
  return request.formToken;
}

/** Get the token of forms that change what a permission covers, by default that of the page. */
export function getPermittedFormToken(
  services: Pick<OwnerPageServices, 'fieldCipher' | 'publicBaseUrl'>,
  request: FastifyRequest,
  reply: FastifyReply,
  permission = getPagePermission(request),
): FormToken {
  return canUse(request, permission, 'POST') ? getFormToken(services, request, reply) : null;
}

function getPagePermission({ routeOptions }: FastifyRequest): Permission {
  const { access } = routeOptions.config;
  if (access?.who !== 'account') throw new Error('The page is not of an account.');
  return access.permission;
}

export function isFormTokenValid(
  services: Pick<OwnerPageServices, 'fieldCipher' | 'publicBaseUrl'>,
  request: FastifyRequest,
  token: unknown,
): boolean {
  const subject = findSubject(services, request);
  return subject !== null && formToken.verify(services.fieldCipher, token, { subject }) !== null;
}

/** Whether the browser has what a token is bound to. */
export function hasFormCookie(
  services: Pick<OwnerPageServices, 'publicBaseUrl'>,
  request: FastifyRequest,
): boolean {
  return findSubject(services, request) !== null;
}

/** Create the token of forms for a session that begins with this answer. */
export function createSessionFormToken(fieldCipher: FieldCipher, sessionId: string): string {
  return formToken.create(fieldCipher, { subject: sessionId });
}

function findSubject(
  services: Pick<OwnerPageServices, 'publicBaseUrl'>,
  request: FastifyRequest,
): string | null {
  if (request.user) return request.user.sessionId;
  const cookies = parseCookieHeader(request.headers.cookie);
  const browser = cookies[getHostCookieName(BROWSER_COOKIE, isSecure(services))];
  return browser && /^[\w-]{22}$/.test(browser) ? browser : null;
}

/** Set again with each token, so that it does not end before. */
function setBrowserCookie(
  services: Pick<OwnerPageServices, 'publicBaseUrl'>,
  request: FastifyRequest,
  reply: FastifyReply,
): string {
  const browser = findSubject(services, request) ?? randomBytes(16).toString('base64url');
  reply.header('Set-Cookie', formatHostCookie(BROWSER_COOKIE, browser, DAY_SECONDS, isSecure(services)));
  return browser;
}
