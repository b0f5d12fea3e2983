import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { commitAuditEntry } from '../../../platform/audit.ts';
import { requireAccount, requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { parseListPage, toListPage } from '../../../platform/http/list-pages.ts';
import { createBodyValidator } from '../../../platform/http/validation.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import {
  allowByCookie,
  allowUsersWithProfile,
  allowWriters,
  auditAs,
  skipAudit,
} from '../../../platform/route-access.ts';
import { createIdParamsSchema } from '../../../shared/common.schemas.ts';
import { createValidationError, ServiceError } from '../../../shared/errors.ts';
import { html } from '../../../shared/html.ts';
import { t, translateHtml } from '../../../shared/i18n/translate.ts';
import { FIRST_PAGE_CURSOR } from '../../../shared/list-cursor.ts';
import {
  CheckoutRequest,
  cancelOwnSubscription,
  changeSubscription,
  chooseLocalizedName,
  findInvoicePageUrl,
  getSubscriptionStatus,
  keepOwnSubscription,
  LAST_ISSUED_FIRST,
  listOfferedPackages,
  listUserInvoices,
  openBillingPortal,
  openCheckout,
  PlanChangeChoice,
  previewPlanChange,
  requireBilling,
  toInvoiceView,
} from '../../billing/index.ts';
import { renderForm } from '../components.ts';
import { getPermittedFormToken } from '../form-token.ts';
import { chooseOwnerPageLocale } from '../layout.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { translateRefusal } from '../translate-refusal.ts';
import { formatPrice, renderPlan } from './plan-page.ts';
import {
  AccountParams,
  type FormRefusal,
  getPlanPath,
  redirectWithDone,
  sendSettingsPage,
} from './settings-page.ts';

const PLAN_ACCESS = allowByCookie(allowUsersWithProfile('subscription:own'));

const PLAN_PAGE_CONFIG = {
  access: PLAN_ACCESS,
  audit: skipAudit('SUBSCRIPTION'),
  rateLimitClass: 'page',
} as const;

const INVOICES_PER_PAGE = 12;

const OptionalText = Type.Optional(Type.String());

const ChoiceForm = Type.Object({
  packageId: OptionalText,
  interval: OptionalText,
  currency: OptionalText,
  previewedAt: OptionalText,
});

const findCheckoutErrors = createBodyValidator(CheckoutRequest);
const findChangeErrors = createBodyValidator(PlanChangeChoice);

/** The plan of an account, what it may become, and its invoices. */
export const planPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (app, services) => {
  const { database } = services;
  const getPath = (request: FastifyRequest) => getPlanPath(services, requireAccount(request).id);

  app.get(
    '/plan',
    {
      config: PLAN_PAGE_CONFIG,
      schema: {
        hide: true,
        params: AccountParams,
        querystring: Type.Object({ cursor: OptionalText, done: OptionalText }),
      },
    },
    async (request, reply) => sendPlanPage(request, reply),
  );

  app.post(
    '/plan/checkout',
    {
      config: { access: PLAN_ACCESS, audit: auditAs('CHECKOUT_OPENED') },
      schema: { hide: true, params: AccountParams, body: ChoiceForm },
    },
    async (request, reply) => {
      const { packageId, interval, currency } = request.body;
      const input = { packageId, interval, ...(currency && { currency }) };
      return sendOrRefuse(request, reply, async () => {
        const errors = findCheckoutErrors({ ...input });
        if (errors.length > 0) throw createValidationError(...errors);
        const user = requireAuthenticatedUser(request);
        const choice = input as Static<typeof CheckoutRequest>;
        const { url } = await openCheckout(
          requireBilling(services),
          getRequestContext(request),
          user,
          choice,
        );
        return sendLeavingPage(request, reply, url);
      });
    },
  );

  app.get(
    '/plan/change',
    {
      config: { ...PLAN_PAGE_CONFIG, access: allowWriters(PLAN_ACCESS) },
      schema: { hide: true, params: AccountParams, querystring: ChoiceForm },
    },
    async (request, reply) =>
      sendOrRefuse(request, reply, () => sendChangePage(request, reply, parseChange(request.query))),
  );

  app.post(
    '/plan/change',
    {
      config: { access: PLAN_ACCESS, audit: auditAs('SUBSCRIPTION_CHANGED') },
      schema: { hide: true, params: AccountParams, body: ChoiceForm },
    },
    async (request, reply) =>
      sendOrRefuse(request, reply, async () => {
        const { previewedAt = '' } = request.body;
        const change = { ...parseChange(request.body), previewedAt: new Date(previewedAt) };
        const user = requireAuthenticatedUser(request);
        await changeSubscription(services, getRequestContext(request), user, change);
        return redirectWithDone(reply, getPath(request), 'plan-changed');
      }),
  );

  app.post(
    '/plan/:subscriptionId/cancel',
    {
      config: { access: PLAN_ACCESS, audit: auditAs('SUBSCRIPTION_CANCELED') },
      schema: {
        hide: true,
        params: createIdParamsSchema('accountId', 'subscriptionId'),
        body: Type.Object({}),
      },
    },
    async (request, reply) =>
      sendOrRefuse(request, reply, async () => {
        const { accountId, subscriptionId: id } = request.params;
        await cancelOwnSubscription(services, getRequestContext(request), { accountId, id }, 'PERIOD_END');
        return redirectWithDone(reply, getPath(request), 'plan-canceled');
      }),
  );

  app.post(
    '/plan/:subscriptionId/keep',
    {
      config: { access: PLAN_ACCESS, audit: auditAs('SUBSCRIPTION_CANCELLATION_UNDONE') },
      schema: {
        hide: true,
        params: createIdParamsSchema('accountId', 'subscriptionId'),
        body: Type.Object({}),
      },
    },
    async (request, reply) =>
      sendOrRefuse(request, reply, async () => {
        const { accountId, subscriptionId: id } = request.params;
        await keepOwnSubscription(services, getRequestContext(request), { accountId, id });
        return redirectWithDone(reply, getPath(request), 'plan-kept');
      }),
  );

  app.post(
    '/plan/portal',
    {
      config: { access: PLAN_ACCESS, audit: auditAs('PAYMENT_PORTAL_OPENED') },
      schema: { hide: true, params: AccountParams, body: Type.Object({}) },
    },
    async (request, reply) =>
      sendOrRefuse(request, reply, async () => {
        const url = await openBillingPortal(services, requireAuthenticatedUser(request));
        await commitAuditEntry(database, getRequestContext(request));
        return sendLeavingPage(request, reply, url);
      }),
  );

  app.get(
    '/plan/invoices/:invoiceId',
    {
      config: PLAN_PAGE_CONFIG,
      schema: { hide: true, params: createIdParamsSchema('accountId', 'invoiceId') },
    },
    async (request, reply) =>
      sendOrRefuse(request, reply, async () => {
        const { accountId, invoiceId } = request.params;
        const url = await findInvoicePageUrl(services, accountId, invoiceId);
        if (url === null) throw new ServiceError('NOT_FOUND');
        return reply.redirect(url, 303);
      }),
  );

  async function sendPlanPage(
    request: FastifyRequest,
    reply: FastifyReply,
    refused: FormRefusal = {},
  ): Promise<FastifyReply> {
    const locale = chooseOwnerPageLocale(request);
    const { id: accountId } = requireAccount(request);
    const { timeZone } = requireAuthenticatedUser(request);
    const cursor: unknown = Reflect.get(Object(request.query), 'cursor');
    const { routeOptions, params } = request;
    const query = {
      limit: INVOICES_PER_PAGE,
      cursor: typeof cursor === 'string' ? cursor : FIRST_PAGE_CURSOR,
    };
    const page = parseListPage({ routeOptions, params, query }, LAST_ISSUED_FIRST);
    const isOff = services.config.billing === 'off';
    const [status, packages, invoices] = await Promise.all([
      getSubscriptionStatus(services, accountId, [locale.tag]),
      isOff ? [] : listOfferedPackages(database.pool),
      listUserInvoices(database.client, accountId, page),
    ]);
    const { data, pagination } = toListPage(page, invoices, toInvoiceView);
    return sendSettingsPage(services, request, reply, {
      tab: 'plan',
      refused,
      body: renderPlan({
        locale,
        path: getPath(request),
        token: getPermittedFormToken(services, request, reply),
        timeZone,
        isOff,
        status,
        isOrganization: requireAccount(request).type === 'ORGANIZATION',
        packages: packages.map((one) => ({
          ...one,
          name: chooseLocalizedName(one.names, [locale.tag], one.code),
        })),
        invoices: data,
        nextCursor: pagination.nextCursor,
      }),
    });
  }

  async function sendChangePage(
    request: FastifyRequest,
    reply: FastifyReply,
    change: Static<typeof PlanChangeChoice>,
  ): Promise<FastifyReply> {
    const locale = chooseOwnerPageLocale(request);
    const user = requireAuthenticatedUser(request);
    const { preview, at } = await previewPlanChange(services, user, change);
    const offered = (await listOfferedPackages(database.pool)).find(({ id }) => id === change.packageId);
    const { currency, dueNow, perPeriod } = preview;
    const amount = formatPrice(Math.abs(dueNow), currency, locale);
    const name = offered ? chooseLocalizedName(offered.names, [locale.tag], offered.code) : '';
    const { interval } = change;
    const later = formatPrice(perPeriod, currency, locale, interval);
    return sendSettingsPage(services, request, reply, {
      tab: 'plan',
      title: t(locale, 'app.plan.changeTitle', { name }),
      isNarrow: true,
      body: html`<p>${translateHtml(locale, dueNow > 0 ? 'app.plan.dueNow' : 'app.plan.creditNow', { amount: html`<b>${amount}</b>` })} ${t(locale, 'app.plan.later', { price: later })}</p>
${renderForm({
  action: `${getPath(request)}/change`,
  token: getPermittedFormToken(services, request, reply),
  hidden: { ...change, previewedAt: at.toISOString() },
  submit: t(locale, 'app.plan.changeButton'),
})}<p><a href="${getPath(request)}">${t(locale, 'app.documents.back')}</a></p>`,
    });
  }

  /** A form must not redirect to another site (`form-action` of the Content-Security-Policy), but its page may. */
  function sendLeavingPage(request: FastifyRequest, reply: FastifyReply, url: string): FastifyReply {
    const locale = chooseOwnerPageLocale(request);
    reply.header('Refresh', `0;url=${url}`);
    return sendSettingsPage(services, request, reply, {
      tab: 'plan',
      title: t(locale, 'app.plan.leavingTitle'),
      isNarrow: true,
      body: html`<p>${t(locale, 'app.plan.leavingText')}</p>
<p><a class="act" href="${url}">${t(locale, 'sharePage.pasteButton')}</a></p>`,
    });
  }

  async function sendOrRefuse(
    request: FastifyRequest,
    reply: FastifyReply,
    send: () => Promise<FastifyReply>,
  ): Promise<FastifyReply> {
    try {
      return await send();
    } catch (error) {
      const locale = chooseOwnerPageLocale(request);
      if (error instanceof ServiceError && error.code === 'PROVIDER_UNAVAILABLE')
        return sendRefusal({ status: 503, refusal: t(locale, 'app.plan.error.unavailable') });
      if (error instanceof ServiceError && error.code === 'NOT_FOUND') throw error;
      const { status, text } = translateRefusal(error, reply, locale, {
        ALREADY_SUBSCRIBED: t(locale, 'app.plan.error.same'),
        BILLING_DISABLED: t(locale, 'app.plan.off'),
        CONFLICT: t(locale, 'app.plan.error.unavailable'),
        NO_CUSTOMER: t(locale, 'app.plan.error.noCustomer'),
        NO_SUBSCRIPTION: t(locale, 'app.plan.error.ended'),
        SUBSCRIPTION_ENDED: t(locale, 'app.plan.error.ended'),
        PREVIEW_EXPIRED: t(locale, 'app.plan.error.previewExpired'),
        PAYMENT_PENDING: t(locale, 'app.plan.error.pending'),
        PAYMENT_DECLINED: t(locale, 'app.plan.error.declined'),
        VALIDATION_FAILED: t(locale, 'app.refusedText'),
      });
      return sendRefusal({ status, refusal: text });
    }

    async function sendRefusal(refused: FormRefusal): Promise<FastifyReply> {
      if (request.method === 'POST') return sendPlanPage(request, reply, refused);
      const locale = chooseOwnerPageLocale(request);
      return sendSettingsPage(services, request, reply, {
        tab: 'plan',
        title: t(locale, 'app.plan.title'),
        hasTabs: true,
        refused,
        body: html`<p><a href="${getPath(request)}">${t(locale, 'app.documents.back')}</a></p>`,
      });
    }
  }
};

/** @throws VALIDATION_FAILED */
function parseChange({ packageId, interval }: Static<typeof ChoiceForm>): Static<typeof PlanChangeChoice> {
  const input = { packageId, interval };
  const errors = findChangeErrors({ ...input });
  if (errors.length > 0) throw createValidationError(...errors);
  return input as Static<typeof PlanChangeChoice>;
}
