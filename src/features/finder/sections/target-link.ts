import { domainToUnicode } from 'node:url';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';

type Profile = Readonly<Record<string, unknown>> | null;

/** Find the http or https URL that a code of kind URL leads to, if it is visible. */
export function findTargetUrl(kind: string, profile: Profile): URL | null {
  const { url } = profile ?? {};
  if (kind !== 'URL' || typeof url !== 'string' || !URL.canParse(url)) return null;
  const parsed = new URL(url);
  return ['http:', 'https:'].includes(parsed.protocol) ? parsed : null;
}

/**
 * Format the host. An internationalized name, which may imitate another, is shown as Punycode (RFC 3492) and as
 * Unicode; directional isolates keep it intact in right-to-left text.
 */
function formatHost({ host, hostname }: URL, { direction }: Locale): string {
  const unicodeName = domainToUnicode(hostname);
  const isPlain = unicodeName === '' || unicodeName === hostname;
  const label = isPlain ? host : `${host} (\u2068${unicodeName}\u2069)`;
  return isPlain && direction === 'ltr' ? label : `\u2066${label}\u2069`;
}

export function renderTargetLinkSection(kind: string, profile: Profile, locale: Locale): Html | null {
  const url = findTargetUrl(kind, profile);
  if (!url) return null;
  const host = formatHost(url, locale);
  return html`<section><p>${t(locale, 'finder.redirectText', { host })}</p>
<p><a class="act" rel="noopener noreferrer nofollow" href="${url.href}">${t(locale, 'finder.redirectLink', { host })}</a></p></section>`;
}
