import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { sendLocalizedMessagePage } from '../../../platform/pages/page-frame.ts';
import { PUBLIC_ACCESS, skipAudit } from '../../../platform/route-access.ts';
import { chooseLocale } from '../../../shared/i18n/choose-locale.ts';
import { t } from '../../../shared/i18n/translate.ts';

const RETURN_PAGES = [
  ['/checkout/done', 'paid'],
  ['/checkout/back', 'left'],
  ['/portal/back', 'changed'],
] as const;

/** Do not identify the user; the payment status comes from the provider only. */
export const paymentReturnPageRoutes: FastifyPluginAsyncTypebox = async (app) => {
  for (const [path, name] of RETURN_PAGES)
    app.get(
      path,
      {
        config: { access: PUBLIC_ACCESS, audit: skipAudit('SUBSCRIPTION'), rateLimitClass: 'page' },
        schema: { hide: true },
      },
      async (request, reply) => {
        const locale = chooseLocale(undefined, request.headers['accept-language']);
        return sendLocalizedMessagePage(reply, {
          status: 200,
          locale,
          title: t(locale, `checkoutReturn.${name}.title`),
          text: t(locale, `checkoutReturn.${name}.text`),
          address: null,
        });
      },
    );
};
