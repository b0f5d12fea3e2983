import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hasRolePermission } from '../../permissions.ts';
import { logServiceError, setRetryAfterHeader, toRequestError } from '../../platform/http/problem-details.ts';
import { isFormOfOwnPage, rejectCrossSiteForms } from '../../platform/pages/cross-site-forms.ts';
import { acceptUrlEncodedForms, readRefusedForm } from '../../platform/pages/form-body.ts';
import { hasAccountRole } from '../../platform/route-access.ts';
import { isRetryableError, ServiceError } from '../../shared/errors.ts';
import { html } from '../../shared/html.ts';
import { t } from '../../shared/i18n/translate.ts';
import { translateWaitingTime } from '../../shared/i18n/wait.ts';
import { requireOrganizationSession } from '../identity/index.ts';
import { renderForm } from './components.ts';
import { createDraft, type FormDraft, sendDraftPage, setDraftCookie } from './draft.ts';
import { getFormToken, hasFormCookie, isFormTokenValid } from './form-token.ts';
import { countUnreadConversations } from './inbox/unread-conversations.ts';
import { chooseOwnerPageLocale, sendOwnerPage, withLanguage } from './layout.ts';
import {
  getAccountPath,
  getOwnerPagesPath,
  getPublicPath,
  type OwnerPageServices,
} from './owner-page-services.ts';
import { getEnrollmentPath, sendEnrollmentPage } from './settings/enrollment-pages.ts';
import { sendSignInPage } from './sign-in-page.ts';
import { parseTarget, withTarget } from './target.rules.ts';

/** The content of a code, with texts that are percent-encoded. */
const MAX_FORM_BYTES = 512 * 1024;
const MAX_FORM_FIELDS = 1_000;

/** A form that was open for too long, or that somebody else made. */
class FormTokenError extends ServiceError {
  constructor() {
    super('FORBIDDEN', { detail: 'The form is too old.' });
  }
}

/** Register parsing and protection of forms, and error pages, for the scope of these pages. */
export function registerOwnerPageHandlers(app: FastifyInstance, services: OwnerPageServices): void {
  app.removeContentTypeParser('application/json');
  acceptUrlEncodedForms(app, MAX_FORM_BYTES, MAX_FORM_FIELDS);
  app.decorateRequest('formToken', null);
  rejectCrossSiteForms(app, services.publicBaseUrl);
  // Before the validation, which drops fields that a form does not have.
  app.addHook('preValidation', async (request) => {
    if (request.method !== 'POST') return;
    const token: unknown = Reflect.get(Object(request.body), 'token');
    if (!isFormTokenValid(services, request, token)) throw new FormTokenError();
  });
  app.addHook('preHandler', async ({ params, user }) => {
    const accountId: unknown = Reflect.get(Object(params), 'accountId');
    if (accountId !== undefined && accountId !== user?.account?.id) throw new ServiceError('NOT_FOUND');
  });
  app.addHook('preHandler', (request) =>
    requireOrganizationSession(
      services.database,
      request,
      Reflect.get(Object(request.params), 'organizationId'),
    ),
  );
  countUnreadConversations(app, services);
  app.setErrorHandler<Error>(async (error, request, reply) => {
    const problem = hideForbiddenPage(request, toRequestError(request, error));
    logServiceError(request, problem);
    setRetryAfterHeader(reply, problem);
    const draft = await findDraft(problem, request);
    try {
      return await sendErrorPage(services, request, reply, problem, draft);
    } catch (failure) {
      // The page for a second factor may need a recent sign-in.
      return sendErrorPage(services, request, reply, toRequestError(request, failure), draft);
    }
  });

  /** What somebody who is signed in, or was, sent in vain. Null for another page than one of an account. */
  async function findDraft(problem: ServiceError, request: FastifyRequest): Promise<FormDraft | null> {
    const isOfAccount = request.routeOptions.config.access?.who === 'account';
    if (request.method !== 'POST' || !(isOfAccount || problem instanceof FormTokenError)) return null;
    if (!isFormOfOwnPage(request)) return null;
    // Access is checked before the body is read.
    const body =
      request.body ??
      (problem.code === 'UNAUTHENTICATED' ||
      problem.code === 'MFA_ENROLLMENT_REQUIRED' ||
      isRetryableError(problem)
        ? await readRefusedForm(request, MAX_FORM_BYTES, MAX_FORM_FIELDS)
        : null);
    return createDraft(services, request, body);
  }
}

/** A page does not exist for roles of staff, and for members of the account by role or folders, that may not open it. */
function hideForbiddenPage(request: FastifyRequest, problem: ServiceError): ServiceError {
  const { access } = request.routeOptions.config;
  const { user, method } = request;
  const isOfOtherRoles =
    user &&
    access?.who === 'account' &&
    !(
      hasRolePermission(user.role, access.permission) &&
      (!user.account ||
        (user.account.folderIds === null && hasAccountRole(user.account.role, access, method)))
    );
  return problem.code === 'FORBIDDEN' && isOfOtherRoles ? new ServiceError('NOT_FOUND') : problem;
}

function sendErrorPage(
  services: OwnerPageServices,
  request: FastifyRequest,
  reply: FastifyReply,
  problem: ServiceError,
  draft: FormDraft | null,
): FastifyReply | Promise<FastifyReply> {
  const { code } = problem;
  const pagesPath = getOwnerPagesPath(services);
  const isForm = request.method === 'POST';
  if (code === 'UNAUTHENTICATED' || code === 'REAUTHENTICATION_REQUIRED') {
    const reason = code === 'UNAUTHENTICATED' ? 'wanted' : 'again';
    if (isForm) return sendSignInPage(services, request, reply, { status: 401, reason, draft });
    const target = parseTarget(getPublicPath(services, request), pagesPath) ?? pagesPath;
    return reply.redirect(`${pagesPath}/sign-in?${new URLSearchParams({ to: target, reason })}`, 303);
  }
  if (code === 'MFA_ENROLLMENT_REQUIRED') {
    if (isForm) return sendEnrollmentPage(services, request, reply, { target: null, draft });
    const target = parseTarget(getPublicPath(services, request), pagesPath) ?? pagesPath;
    return reply.redirect(
      `${getEnrollmentPath(services, request)}?${new URLSearchParams({ to: target })}`,
      303,
    );
  }
  if (problem instanceof FormTokenError) return sendTooOldPage(services, request, reply, draft);
  if (code === 'PROFILE_REQUIRED' && request.user) {
    if (draft) setDraftCookie(services, reply, draft);
    const target = isForm ? null : parseTarget(getPublicPath(services, request), pagesPath);
    return reply.redirect(withTarget(`${getAccountPath(services, request.user.id)}/welcome`, target), 303);
  }
  const locale = chooseOwnerPageLocale(request);
  const { title, text } = describeProblem();
  return sendOwnerPage(services, request, reply, {
    status: problem.statusCode,
    title,
    isNarrow: true,
    body: html`<p>${text}</p>
${
  draft &&
  isRetryableError(problem) &&
  renderForm({
    action: draft.action,
    token: draft.token ?? getFormToken(services, request, reply),
    hidden: draft.fields,
    submit: t(locale, 'app.draft.button'),
  })
}<p><a class="act" href="${pagesPath}">${t(locale, 'app.backHome')}</a></p>`,
  });

  function describeProblem(): { title: string; text: string } {
    if (code === 'NOT_FOUND')
      return { title: t(locale, 'app.notFoundTitle'), text: t(locale, 'app.notFoundText') };
    if (code === 'RATE_LIMITED')
      return {
        title: t(locale, 'finder.limitedTitle'),
        text: translateWaitingTime(locale, problem.retryAfterSeconds ?? 60),
      };
    if (code === 'ACCOUNT_SUSPENDED' && request.user?.status !== 'SUSPENDED')
      return {
        title: t(locale, 'app.suspendedOrganizationTitle'),
        text: t(locale, 'app.suspendedOrganizationText'),
      };
    if (code === 'ACCOUNT_SUSPENDED')
      return { title: t(locale, 'app.suspendedTitle'), text: t(locale, 'app.suspendedText') };
    if (code === 'OUTCOME_UNKNOWN')
      return { title: t(locale, 'finder.unconfirmedTitle'), text: t(locale, 'finder.unconfirmedText') };
    if (problem.statusCode < 500)
      return { title: t(locale, 'app.refusedTitle'), text: t(locale, 'app.refusedText') };
    return { title: t(locale, 'finder.failedTitle'), text: t(locale, 'finder.failedText') };
  }
}

/** Nothing of the form was done: it can be sent again, or is filled in anew. */
function sendTooOldPage(
  services: OwnerPageServices,
  request: FastifyRequest,
  reply: FastifyReply,
  draft: FormDraft | null,
): FastifyReply {
  const locale = chooseOwnerPageLocale(request);
  const pagesPath = getOwnerPagesPath(services);
  const hasCookie = hasFormCookie(services, request);
  const token = getFormToken(services, request, reply);
  if (hasCookie && draft && Object.keys(draft.fields).length > 0)
    return sendDraftPage(services, request, reply, draft, { token, isTooOld: true });
  const isOfAccount = request.routeOptions.config.access?.who === 'account';
  if (hasCookie && !isOfAccount) {
    // A form before the sign-in: another one is sooner filled in than explained.
    const [path = pagesPath] = getPublicPath(services, request).split('?');
    const target = parseTarget(Reflect.get(Object(request.body), 'to'), pagesPath);
    const page = withTarget(path.replace(/\/(?:sign-out|resend)$/, ''), target);
    return reply.redirect(withLanguage(page, request), 303);
  }
  return sendOwnerPage(services, request, reply, {
    status: 403,
    title: t(locale, 'app.draft.tooOldTitle'),
    isNarrow: true,
    body: html`<p>${t(locale, hasCookie ? 'app.draft.tooOldText' : 'app.draft.noCookie')}</p>
<p><a class="act" href="${pagesPath}">${t(locale, 'app.backHome')}</a></p>`,
  });
}
