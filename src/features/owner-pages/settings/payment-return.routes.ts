import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { hasAccountRolePermission } from '../../../permissions.ts';
import { skipAudit } from '../../../platform/route-access.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { html } from '../../../shared/html.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { isId } from '../../../shared/ids.ts';
import { isStateWithPackage } from '../../../shared/subscription-state.ts';
import { getSubscriptionStatus, requireBilling, syncPaidCheckout } from '../../billing/index.ts';
import { listOrganizations } from '../../identity/index.ts';
import { chooseOwnerPageLocale, sendOwnerPage } from '../layout.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { SIGNED_OUT_ACCESS } from '../sign-in.routes.ts';
import { getPlanPath, redirectWithDone } from './settings-page.ts';

const RETURN_PAGES = [
  { path: '/subscription/checkout/done', done: 'paid', name: 'paid' },
  { path: '/subscription/checkout/back', done: 'left', name: 'left' },
  { path: '/subscription/portal/back', done: 'portal', name: 'changed' },
] as const;

/** Where the pages of the payment provider return to: the plan, or for whoever paid elsewhere a page that says so. */
export const paymentReturnPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (
  app,
  services,
) => {
  const { database } = services;

  for (const { path, done, name } of RETURN_PAGES)
    app.get(
      path,
      {
        config: { access: SIGNED_OUT_ACCESS, audit: skipAudit('SUBSCRIPTION'), rateLimitClass: 'page' },
        schema: { hide: true, querystring: Type.Object({ account: Type.Optional(Type.String()) }) },
      },
      async (request, reply) => {
        if (request.user) {
          const accountId = await findAccountId(request.user.id, request.query.account);
          const isStored = done === 'paid' && (await isPlanStored(accountId));
          return redirectWithDone(reply, getPlanPath(services, accountId), isStored ? 'plan-changed' : done);
        }
        const locale = chooseOwnerPageLocale(request);
        return sendOwnerPage(services, request, reply, {
          title: t(locale, `checkoutReturn.${name}.title`),
          isNarrow: true,
          body: html`<p>${t(locale, `checkoutReturn.${name}.text`)}</p>`,
        });
      },
    );

  /**
   * The organization that was paid for, if the role of the user reads its plan; else their own account. That it is suspended or
   * requires a second factor says the page of its plan.
   */
  async function findAccountId(userId: string, accountId: string | undefined): Promise<string> {
    const organizations = isId(accountId) ? await listOrganizations(database.client, userId) : [];
    const paid = organizations.find(({ id }) => id === accountId);
    return paid && hasAccountRolePermission(paid.role, 'subscription:own', 'GET') ? paid.id : userId;
  }

  /** What is not stored by now follows with the webhook. */
  async function isPlanStored(accountId: string): Promise<boolean> {
    try {
      await syncPaidCheckout(requireBilling(services), accountId);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
    }
    const { status } = await getSubscriptionStatus(services, accountId, []);
    return status !== 'NONE' && isStateWithPackage(status);
  }
};
