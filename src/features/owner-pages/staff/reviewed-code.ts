import { commitAuditEntry } from '../../../platform/audit.ts';
import { readOrReportIntegrityFailure } from '../../../platform/integrity-failure.ts';
import type { RequestContext } from '../../../platform/request-context.ts';
import { allowByCookie, allowUsers } from '../../../platform/route-access.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { findQrCodeForModeration } from '../../codes/index.ts';
import { hasModerationCase, hasOpenModerationCase } from '../../moderation/index.ts';
import { getVisibleQrCodeContent } from '../../scans/index.ts';
import { getOwnerPagesPath, type OwnerPageServices } from '../owner-page-services.ts';
import { getStaffPath } from './staff-navigation.ts';

/** Of pages about reported codes. */
export const MODERATION_ACCESS = allowByCookie(allowUsers('admin:moderation'));

export type ReviewedCode = NonNullable<Awaited<ReturnType<typeof findQrCodeForModeration>>> & {
  /** There is something to decide about it. */
  hasOpenCase: boolean;
};

/** Get a code that was reported or taken down. @throws NOT_FOUND for all others */
export async function getReviewedCode(
  { database }: Pick<OwnerPageServices, 'database'>,
  id: string,
): Promise<ReviewedCode> {
  const code = await findQrCodeForModeration(database.client, id);
  if (!code || !(await hasModerationCase(database.client, id))) throw new ServiceError('NOT_FOUND');
  return { ...code, hasOpenCase: await hasOpenModerationCase(database.client, code) };
}

/** Whether administrators see the page of a code: to decide, not what its owner deleted, and nothing about health. */
export function hasReviewPage({ hasOpenCase, publicStatus, data, kind }: ReviewedCode): boolean {
  return hasOpenCase && publicStatus !== 'DELETED' && data !== null && kind !== 'MEDICAL';
}

/** Render the link from a case to the account of the owner, which every administrator may open. */
export function renderOwnerLink(
  services: OwnerPageServices,
  { accountId }: { accountId: string },
  locale: Locale,
): Html {
  const path = getStaffPath(getOwnerPagesPath(services), 'users');
  return html`<a href="${path}/${accountId}">${t(locale, 'app.staff.ownerAccount')}</a>`;
}

export function getReviewPath(services: Pick<OwnerPageServices, 'publicBaseUrl'>, id: string): string {
  return `${getStaffPath(getOwnerPagesPath(services))}/codes/${id}`;
}

/** Render the page of a code beside a decision; where its link leads is recorded as a look at it. */
export async function renderReviewedPage(
  services: Pick<OwnerPageServices, 'publicBaseUrl' | 'fieldCipher' | 'database'>,
  context: RequestContext,
  code: ReviewedCode,
  locale: Locale,
): Promise<Html> {
  const target = findTarget();
  if (target !== null)
    await commitAuditEntry(services.database, context, {
      action: 'QRCODE_PAGE_REVIEWED',
      resourceId: code.id,
    });
  return html`<section aria-labelledby="page"><h2 id="page">${t(locale, 'app.staff.page')}</h2>
${renderFrame()}</section>`;

  /** Null also where it cannot be read: the frame says so, and records it. */
  function findTarget(): string | null {
    if (code.kind !== 'URL' || !hasReviewPage(code)) return null;
    const url = readOrReportIntegrityFailure(
      () => getVisibleQrCodeContent(services, code, false).profile?.url,
      () => {},
    );
    return typeof url === 'string' ? url : null;
  }

  function renderFrame(): Html {
    if (code.kind === 'MEDICAL') return html`<p>${t(locale, 'app.staff.page.medical')}</p>`;
    if (!code.hasOpenCase) return html`<p>${t(locale, 'app.staff.page.decided')}</p>`;
    if (!hasReviewPage(code)) return html`<p>${t(locale, 'app.staff.page.deleted')}</p>`;
    return html`<p class="small">${t(locale, code.pinHash === null ? 'app.staff.page.text' : 'app.staff.page.pin')}</p>
<iframe class="preview" src="${getReviewPath(services, code.id)}/page" title="${t(locale, 'app.staff.page')}" loading="lazy" sandbox="allow-same-origin"></iframe>${target !== null && html`<p>${t(locale, 'app.staff.page.target')} <bdi dir="ltr">${target}</bdi></p>`}`;
  }
}
