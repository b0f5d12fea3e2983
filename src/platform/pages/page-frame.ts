import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { getBasePath } from '../../shared/base-path.ts';
import { BRAND_LOGO_PATH, type Brand } from '../../shared/brand.ts';
import { CHART_CSS } from '../../shared/chart-css.ts';
import { ServiceError } from '../../shared/errors.ts';
import { type Html, html } from '../../shared/html.ts';
import { LOCALES, type Locale } from '../../shared/i18n/locales.ts';
import { t } from '../../shared/i18n/translate.ts';
import { MAP_CSS } from '../../shared/maps/map-css.ts';
import { memoize } from '../../shared/memoize.ts';
import { OWNER_PAGE_CSS } from './owner-page-css.ts';
import { createAccentCss, createPageCss, MEMORIAL_PAGE_CSS } from './page-css.ts';
import { choosePageLocale } from './page-locale.ts';

export const FORM_RESULT_HTML_ATTRIBUTES: Html = html` id="answer" tabindex="-1"`;

/** On an iPhone, only what was added to the Home Screen as an application gets push notifications. */
const WEB_APP_TAG: Html = html`<meta name="apple-mobile-web-app-capable" content="yes">`;

const MAP_PAGE_CSS = `${MAP_CSS}.map{margin-top:1rem}.map svg{display:block;width:100%;height:auto;margin-bottom:.5rem;border-radius:.5rem}.map a{text-decoration:none}`;

/** Replaced by the page's address in memoized markup; must not occur in a message or an address. */
const ADDRESS_PLACEHOLDER = '{{address}}';

/** A page stays below 20 kB for slow networks; the frame takes the rest. */
export const MAX_PAGE_SECTIONS_BYTES = 20_000 - 9_900;

export interface LocalizedHtmlPage {
  status: number;
  locale: Locale;
  /** Title of the tab; must not reveal private data. */
  title: string;
  body: Html;
  /** Address of the page for other languages; null where that would be another page. */
  address: string | null;
  isDocumentPage?: boolean;
  /** A public picture for cards of messengers, with its path. */
  picture?: { address: string; width: number; height: number } | undefined;
  /** Own line of this page in the footer. */
  footer?: Html;
  /** The visit was recorded, which the footer says. */
  isScan?: boolean;
  /** A script of the page requests other resources of the service. */
  fetchesUpdates?: boolean;
  /** #rrggbb; replaces the color of the brand. */
  accentColor?: string | undefined;
  /** The body has a map, as SVG of the class `map`. */
  hasMap?: boolean;
  /** The body has a line chart. */
  hasChart?: boolean;
  /** The body is about somebody who died. */
  hasMemorial?: boolean | undefined;
  /** The preview of its owner, which pages for owners show in a frame. */
  isOwnerPreview?: boolean | undefined;
  /** A page for owners: above its body the way to others, and the script of them all. */
  owner?: { navigation: Html | null; scriptPath: string } | undefined;
}

declare module 'fastify' {
  interface FastifyInstance {
    pageFrame: PageFrame;
  }
}

/** What all pages share, in the brand of the operator. */
export interface PageFrame {
  createContentSecurityPolicy(
    page: Pick<
      LocalizedHtmlPage,
      'fetchesUpdates' | 'accentColor' | 'hasMap' | 'hasChart' | 'hasMemorial' | 'owner' | 'isOwnerPreview'
    >,
  ): string;
  render(page: LocalizedHtmlPage): string;
}

/** @param baseUrl public base URL of the service, whose path may not be `/` */
export function createPageFrame(brand: Brand, baseUrl: string): PageFrame {
  const logoPath = `${getBasePath(baseUrl)}${BRAND_LOGO_PATH}`;
  const css = createPageCss(brand);
  const styleHash = computeCspHash(css);
  const mapStyleHash = computeCspHash(MAP_PAGE_CSS);
  const chartStyleHash = computeCspHash(CHART_CSS);
  const memorialStyleHash = computeCspHash(MEMORIAL_PAGE_CSS);
  const ownerStyleHash = computeCspHash(OWNER_PAGE_CSS);
  const renderFooterStart = memoize((locale: Locale) => renderBrandFooter(brand, locale));
  const head = html`<link rel="icon" href="${brand.logo ? logoPath : createDefaultIcon(brand)}"><style>${{ markup: css }}</style>`;
  const header = html`<header>${brand.logo && html`<img src="${logoPath}" alt="">`}${brand.name}</header>`;
  return {
    createContentSecurityPolicy: ({
      fetchesUpdates,
      accentColor,
      hasMap,
      hasChart,
      hasMemorial,
      owner,
      isOwnerPreview,
    }) =>
      [
        "default-src 'none'",
        [
          `style-src ${styleHash}`,
          ...(accentColor ? [computeCspHash(createAccentCss(accentColor))] : []),
          ...(hasMap ? [mapStyleHash] : []),
          ...(hasChart ? [chartStyleHash] : []),
          ...(hasMemorial ? [memorialStyleHash] : []),
          ...(owner ? [ownerStyleHash] : []),
        ].join(' '),
        // Optional: the pages work without it.
        "script-src 'self'",
        ...(fetchesUpdates ? ["connect-src 'self'"] : []),
        // The logo, pictures of codes, and the default icon, which saves a request.
        "img-src 'self' data:",
        // The preview of a code.
        ...(owner ? ["frame-src 'self'"] : []),
        "form-action 'self'",
        "base-uri 'none'",
        `frame-ancestors ${isOwnerPreview ? "'self'" : "'none'"}`,
      ].join('; '),
    render({
      locale,
      title,
      body,
      address,
      accentColor,
      picture,
      hasMap,
      hasChart,
      hasMemorial,
      footer,
      owner,
      isDocumentPage = false,
      isScan = false,
    }) {
      const accent = accentColor && html`<style>${{ markup: createAccentCss(accentColor) }}</style>`;
      const openGraphTags = isDocumentPage
        ? renderSharedDocumentOpenGraphTags(locale)
        : renderQrCodeOpenGraphTags(locale);
      return html`<!doctype html>
<html lang="${locale.tag}" dir="${locale.direction}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>${title}</title>${head}${accent}${hasMap && html`<style>${{ markup: MAP_PAGE_CSS }}</style>`}${hasChart && html`<style>${{ markup: CHART_CSS }}</style>`}${hasMemorial && html`<style>${{ markup: MEMORIAL_PAGE_CSS }}</style>`}${owner && html`<style>${{ markup: OWNER_PAGE_CSS }}</style>${WEB_APP_TAG}<script src="${owner.scriptPath}" defer></script>`}
${owner ? null : openGraphTags}${picture && renderOpenGraphPicture({ ...picture, url: new URL(picture.address, baseUrl).href })}</head>
<body>${header}${owner?.navigation}<main>
${body}
</main><footer>${isScan && html`<p>${t(locale, 'frame.recorded')}</p>`}${renderFooterStart(locale)}${footer}${address !== null && renderLanguageLinks(address, locale)}</footer></body></html>
`.markup;
    },
  };
}

function computeCspHash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** A square with a finder pattern of a QR code, in the accent color. */
function createDefaultIcon({ color }: Brand): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect width="9" height="9" rx="2" fill="${color}"/><path d="M2.5 2.5h4v4h-4z" fill="none" stroke="#fff"/><path d="M4 4h1v1H4z" fill="#fff"/></svg>`;
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
}

function renderBrandFooter(brand: Brand, locale: Locale): Html {
  const links = [
    { url: brand.imprintUrl, name: t(locale, 'frame.imprint') },
    { url: brand.privacyUrl, name: t(locale, 'frame.privacy') },
    { url: brand.abuseUrl, name: t(locale, 'frame.abuse') },
  ].flatMap(({ url, name }) => (url ? [html`<li><a href="${url}">${name}</a></li>`] : []));
  return html`<p>${t(locale, 'frame.about', { brand: brand.name })}</p>${links.length > 0 && html`<ul>${links}</ul>`}`;
}

export function sendLocalizedHtmlPage(reply: FastifyReply, page: LocalizedHtmlPage): FastifyReply {
  return sendPageMarkup(reply, page, reply.server.pageFrame.render(page));
}

export function sendPageMarkup(
  reply: FastifyReply,
  page: Pick<
    LocalizedHtmlPage,
    | 'status'
    | 'locale'
    | 'fetchesUpdates'
    | 'accentColor'
    | 'hasMap'
    | 'hasChart'
    | 'hasMemorial'
    | 'owner'
    | 'isOwnerPreview'
  >,
  markup: string,
): FastifyReply {
  return reply
    .code(page.status)
    .header('Content-Language', page.locale.tag)
    .header('Content-Security-Policy', reply.server.pageFrame.createContentSecurityPolicy(page))
    .header('X-Robots-Tag', 'noindex')
    .header('Cache-Control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(markup);
}

export function sendLocalizedMessagePage(
  reply: FastifyReply,
  { title, text, ...page }: Omit<LocalizedHtmlPage, 'body'> & { text: string },
): FastifyReply {
  return sendLocalizedHtmlPage(reply, {
    ...page,
    title,
    body: html`<div${FORM_RESULT_HTML_ATTRIBUTES}><h1>${title}</h1>\n<p>${text}</p></div>`,
  });
}

/** Answer a link that leads nowhere: with a page for browsers, otherwise with a problem. @throws NOT_FOUND */
export function sendInvalidLinkPage(
  request: FastifyRequest,
  reply: FastifyReply,
  reason: 'mails.unsubscribe.invalidText' | 'report.linkEnded',
): FastifyReply {
  if (!request.headers.accept?.includes('text/html')) throw new ServiceError('NOT_FOUND');
  const locale = choosePageLocale(request);
  return sendLocalizedMessagePage(reply, {
    status: 404,
    locale,
    title: t(locale, 'mails.unsubscribe.invalidTitle'),
    text: t(locale, reason),
    address: null,
  });
}

function renderLanguageLinks(address: string, locale: Locale): Html {
  return { markup: getLanguageLinkParts(locale).join(html`${address}`.markup) };
}

const getLanguageLinkParts = memoize((locale: Locale): readonly string[] => {
  const links = [...LOCALES.values()]
    .filter((other) => other.tag !== locale.tag)
    .map(
      (
        other,
      ) => html`<li><a href="${ADDRESS_PLACEHOLDER}?lang=${other.tag}" lang="${other.tag}">${other.name}</a></li>
`,
    );
  return html`
<nav aria-label="${t(locale, 'finder.languages')}"><ul>
${links}</ul></nav>`.markup.split(ADDRESS_PLACEHOLDER);
});

/** Open Graph tags of a code's pages: the texts are the same for every code, since messengers store and forward them. */
const renderQrCodeOpenGraphTags = memoize((locale: Locale): Html => {
  return renderTags(locale, t(locale, 'finder.previewTitle'), t(locale, 'finder.previewText'));
});

const renderSharedDocumentOpenGraphTags = memoize((locale: Locale): Html => {
  return renderTags(locale, t(locale, 'sharePage.title'), t(locale, 'sharePage.text'));
});

function renderOpenGraphPicture(picture: { url: string; width: number; height: number }): Html {
  return html`
<meta property="og:image" content="${picture.url}"><meta property="og:image:width" content="${picture.width}"><meta property="og:image:height" content="${picture.height}">`;
}

function renderTags({ tag }: Locale, title: string, text: string): Html {
  const locale = `${tag}_${new Intl.Locale(tag).maximize().region}`;
  return html`<meta property="og:type" content="website"><meta property="og:locale" content="${locale}">
<meta property="og:title" content="${title}"><meta property="og:description" content="${text}"><meta name="twitter:card" content="summary">`;
}
