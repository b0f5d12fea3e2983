import { type Html, html } from '../../shared/html.ts';
import { type Language, say, sayTerm } from '../../shared/languages/language.ts';
import type { Lost } from '../qrcodes/encrypted-content.ts';
import { kindOf } from '../qrcodes/qrcode.view.ts';
import { ANSWER, type Page } from './page-frame.ts';
import { bytesOf, factsSection } from './sections/facts.ts';
import { lostSection } from './sections/lost.ts';
import { onwardSection, onwardUrl } from './sections/onward-link.ts';
import { type PinForm, pinForm } from './sections/pin-form.ts';
import { type ShareForm, shareForm } from './sections/share-form.ts';
import { type WriteForm, writeForm } from './sections/write-form.ts';

/** What a page about a code is made from. */
export interface CodePage {
  status: number;
  /** Where the page is. */
  address: string;
  kind: string;
  isLost: boolean;
  lost: Lost | null;
  profile: Readonly<Record<string, unknown>> | null;
  /** The form, or a sentence in its place; null where no PIN is asked for. */
  pin: PinForm | string | null;
  /** The form for a message to the owner, or why one was not sent; null where nobody can write. */
  write: WriteForm | string | null;
  /** The form for where the finder is; null where it would reach nobody. */
  share: ShareForm | null;
}

/** A page has less than 20 kB, for slow networks; the frame around the sections takes the rest. */
const SECTIONS_BYTES = 20_000 - 6_000;

/** The page of a code: whether it is lost, where it leads, what the owner tells, and the form for the PIN. */
export function codePage(page: CodePage, language: Language): Page {
  const { finder } = language;
  const kind = kindOf(page.kind);
  const label = sayTerm(language, kind.label);
  const profile = page.profile ?? {};
  const { name } = profile;
  const isNamed = typeof name === 'string';
  const lost = page.isLost ? lostSection(page.lost, language) : null;
  const onward = onwardSection(page.kind, page.profile, language);
  const pin =
    typeof page.pin === 'string' ? html`<p>${page.pin}</p>` : page.pin && pinForm(page.pin, language);
  const write =
    typeof page.write === 'string'
      ? html`<p class="wrong"${ANSWER} role="alert">${page.write}</p>`
      : page.write && writeForm(page.write, language);
  const share = page.share && shareForm(page.share, language);
  const others = [lost, onward, pin, write, share].filter((part): part is Html => part !== null);
  const bytes = SECTIONS_BYTES - others.reduce((sum, part) => sum + bytesOf(part), 0);
  const without = [...(isNamed ? ['name'] : []), ...(onwardUrl(page.kind, page.profile) ? ['url'] : [])];
  const facts = page.profile
    ? factsSection(kind, profile, { without, bytes, language })
    : html`<p>${finder.nothingPublic}</p>`;
  return {
    status: page.status,
    language,
    address: page.address,
    title: say(finder.pageTitle, { kind: label }),
    body: html`${isNamed && html`<p class="kind">${label}</p>\n`}<h1>${isNamed ? name : label}</h1>
${lost}
${onward}
${facts}
${pin}
${write}
${share}`,
  };
}
