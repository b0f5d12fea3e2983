import type { FastifyRequest } from 'fastify';
import { requireAccount } from '../../../platform/authentication.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { chooseLocalizedName, listOfferedPackages } from '../../billing/index.ts';
import { PAGE_DESIGN_FEATURE } from '../../codes/index.ts';
import { renderNote } from '../components.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { canUse } from '../reader-permissions.ts';
import { getPlanPath } from '../settings/settings-page.ts';

/** Render the package that includes a look of one's own; null with such a package. */
export async function renderDesignOffer(
  services: OwnerPageServices,
  request: FastifyRequest,
  locale: Locale,
): Promise<Html | null> {
  const { database } = services;
  const { id: accountId } = requireAccount(request);
  try {
    await services.assertFeature(database.client, PAGE_DESIGN_FEATURE, accountId);
    return null;
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'PLAN_LIMIT_REACHED') throw error;
    const { largerPackage } = error.members as { largerPackage: { id: string } | null };
    const offered = (await listOfferedPackages(database.pool)).find(({ id }) => id === largerPackage?.id);
    if (!offered) return renderNote(t(locale, 'app.page.notIncluded'));
    const name = chooseLocalizedName(offered.names, [locale.tag], offered.code);
    const plans = getPlanPath(services, accountId);
    const link =
      canUse(request, 'subscription:own', 'GET') &&
      html` <a href="${plans}">${t(locale, 'app.plan.packages')}</a>`;
    return renderNote(html`${t(locale, 'app.page.offer', { name })}${link}`);
  }
}
