import { type Html, html } from '../../../shared/html.ts';
import type { Language } from '../../../shared/languages/language.ts';

/** The way to a conversation that was written in, for whoever wrote, and how they hear of an answer. */
export function wayTo(link: string, hasEmail: boolean, language: Language): Html {
  const { conversation } = language;
  return html`
<p>${conversation.sentText}</p>${hasEmail && html`\n<p>${conversation.sentMail}</p>`}
${linkToKeep(link)}
<p><a class="act" href="${link}">${conversation.openButton}</a></p>`;
}

/** A private link as it is to be kept: to be read and copied. */
export function linkToKeep(link: string): Html {
  return html`<p dir="ltr"><a href="${link}">${link}</a></p>`;
}
