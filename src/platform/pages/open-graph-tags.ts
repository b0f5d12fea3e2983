import { type Html, html } from '../../shared/html.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import { t } from '../../shared/i18n/translate.ts';
import { memoize } from '../../shared/memoize.ts';

/** Open Graph tags of a code's pages: the texts are the same for every code, since messengers store and forward them. */
export const renderQrCodeOpenGraphTags = memoize((locale: Locale): Html => {
  return renderTags(locale, t(locale, 'finder.previewTitle'), t(locale, 'finder.previewText'));
});

export const renderSharedDocumentOpenGraphTags = memoize((locale: Locale): Html => {
  return renderTags(locale, t(locale, 'sharePage.title'), t(locale, 'sharePage.text'));
});

export function renderOpenGraphPicture(picture: { url: string; width: number; height: number }): Html {
  return html`
<meta property="og:image" content="${picture.url}"><meta property="og:image:width" content="${picture.width}"><meta property="og:image:height" content="${picture.height}">`;
}

function renderTags({ tag }: Locale, title: string, text: string): Html {
  const locale = `${tag}_${new Intl.Locale(tag).maximize().region}`;
  return html`<meta property="og:type" content="website"><meta property="og:locale" content="${locale}">
<meta property="og:title" content="${title}"><meta property="og:description" content="${text}"><meta name="twitter:card" content="summary">`;
}
