import type { Static } from 'typebox';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { getOwnerPreviewUrl, type QrCode } from '../../codes/index.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';

/** Render the finder's page of a code beside its content. Scripts and forms do nothing in it; its pictures are for pages of this origin. */
export function renderPreview(
  services: Pick<OwnerPageServices, 'fieldCipher' | 'publicBaseUrl'>,
  code: Static<typeof QrCode>,
  locale: Locale,
): Html {
  const url = new URL(getOwnerPreviewUrl(services, code.id, locale.tag));
  // Of the same origin, whatever name the browser has for it.
  const address = `${url.pathname}${url.search}`;
  return html`<section aria-labelledby="preview"><h2 id="preview">${t(locale, 'app.content.preview')}</h2>
${renderFrame()}</section>`;

  function renderFrame(): Html {
    const isShown = (code.status === 'ACTIVE' || code.status === 'LOST') && code.takenDownAt === null;
    if (!isShown) return html`<p>${t(locale, 'app.content.previewNone')}</p>`;
    if (code.kind === 'URL' && !code.showsPage) return html`<p>${t(locale, 'app.content.previewLink')}</p>`;
    return html`<p>${t(locale, 'app.content.previewText')} <a href="${address}">${t(locale, 'app.content.previewOpen')}</a></p>
<iframe class="preview" src="${address}" title="${t(locale, 'app.content.preview')}" loading="lazy" sandbox="allow-same-origin"></iframe>`;
  }
}
