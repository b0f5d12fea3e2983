import { type Html, html } from '../../../shared/html.ts';
import { type Language, say } from '../../../shared/languages/language.ts';

type Profile = Readonly<Record<string, unknown>> | null;

/** Where a code of kind URL leads; null for any other, and where the address is not shown. http and https alone. */
export function onwardUrl(kind: string, profile: Profile): URL | null {
  const { url } = profile ?? {};
  if (kind !== 'URL' || typeof url !== 'string' || !URL.canParse(url)) return null;
  const parsed = new URL(url);
  return ['http:', 'https:'].includes(parsed.protocol) ? parsed : null;
}

/** A link to where a code leads, with its host in plain sight. */
export function onwardSection(kind: string, profile: Profile, { finder }: Language): Html | null {
  const url = onwardUrl(kind, profile);
  if (!url) return null;
  const { host } = url;
  return html`<section><p>${say(finder.onwardText, { host })}</p>
<p><a class="act" rel="noopener noreferrer nofollow" href="${url.href}">${say(finder.onwardLink, { host })}</a></p></section>`;
}
