import { domainToUnicode } from 'node:url';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';

type Profile = Readonly<Record<string, unknown>> | null;

/** Where a code of kind URL leads; null for any other, and where the address is not shown. http and https alone. */
export function findTargetUrl(kind: string, profile: Profile): URL | null {
  const { url } = profile ?? {};
  if (kind !== 'URL' || typeof url !== 'string' || !URL.canParse(url)) return null;
  const parsed = new URL(url);
  return ['http:', 'https:'].includes(parsed.protocol) ? parsed : null;
}

/**
 * The host and port in plain sight. A name with letters of other scripts, which may look like another's, is said encoded
 * (Punycode, RFC 3492) and beside it as it is written; the isolates of Unicode keep it whole in a sentence from right to left.
 */
function formatHost({ host, hostname }: URL, { direction }: Locale): string {
  const written = domainToUnicode(hostname);
  const isPlain = written === '' || written === hostname;
  const shown = isPlain ? host : `${host} (\u2068${written}\u2069)`;
  return isPlain && direction === 'ltr' ? shown : `\u2066${shown}\u2069`;
}

/** A link to where a code leads, with its host in plain sight. */
export function renderTargetLinkSection(kind: string, profile: Profile, locale: Locale): Html | null {
  const url = findTargetUrl(kind, profile);
  if (!url) return null;
  const host = formatHost(url, locale);
  return html`<section><p>${t(locale, 'finder.redirectText', { host })}</p>
<p><a class="act" rel="noopener noreferrer nofollow" href="${url.href}">${t(locale, 'finder.redirectLink', { host })}</a></p></section>`;
}
