import { ServiceError } from '../../../shared/errors.ts';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { findQrCodeForModeration } from '../../codes/index.ts';
import { hasModerationCase } from '../../moderation/index.ts';
import { getVisibleQrCodeContent } from '../../scans/index.ts';
import { getOwnerPagesPath, type OwnerPageServices } from '../owner-page-services.ts';
import { getStaffPath } from './staff-navigation.ts';

export type ReviewedCode = NonNullable<Awaited<ReturnType<typeof findQrCodeForModeration>>>;

/** Get a code that was reported or taken down. @throws NOT_FOUND for all others */
export async function getReviewedCode(
  { database }: Pick<OwnerPageServices, 'database'>,
  id: string,
): Promise<ReviewedCode> {
  const code = await findQrCodeForModeration(database.client, id);
  if (!code || !(await hasModerationCase(database.client, id))) throw new ServiceError('NOT_FOUND');
  return code;
}

/** Whether administrators see the page of a code: not what its owner deleted, and nothing about somebody's health. */
export function hasReviewPage({ publicStatus, data, kind }: ReviewedCode): boolean {
  return publicStatus !== 'DELETED' && data !== null && kind !== 'MEDICAL';
}

export function getReviewPath(services: Pick<OwnerPageServices, 'publicBaseUrl'>, id: string): string {
  return `${getStaffPath(getOwnerPagesPath(services))}/codes/${id}`;
}

/** Render the page of a code beside a decision. */
export function renderReviewedPage(
  services: Pick<OwnerPageServices, 'publicBaseUrl' | 'fieldCipher'>,
  code: ReviewedCode,
  locale: Locale,
): Html {
  return html`<section aria-labelledby="page"><h2 id="page">${t(locale, 'app.staff.page')}</h2>
${renderFrame()}</section>`;

  /** As a text: nobody opens it by accident. */
  function renderTarget(): Html | null {
    const url = code.kind === 'URL' && getVisibleQrCodeContent(services, code, false).profile?.url;
    return typeof url === 'string'
      ? html`<p>${t(locale, 'app.staff.page.target')} <bdi dir="ltr">${url}</bdi></p>`
      : null;
  }

  function renderFrame(): Html {
    if (code.kind === 'MEDICAL') return html`<p>${t(locale, 'app.staff.page.medical')}</p>`;
    if (!hasReviewPage(code)) return html`<p>${t(locale, 'app.staff.page.deleted')}</p>`;
    return html`<p class="small">${t(locale, code.pinHash === null ? 'app.staff.page.text' : 'app.staff.page.pin')}</p>
<iframe class="preview" src="${getReviewPath(services, code.id)}/page" title="${t(locale, 'app.staff.page')}" loading="lazy" sandbox="allow-same-origin"></iframe>${renderTarget()}`;
  }
}
