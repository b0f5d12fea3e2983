import { type Html, html } from '../../../shared/html.ts';
import type { Language } from '../../../shared/languages/language.ts';

/** The way to a conversation that was written in, for whoever wrote. */
export function wayTo(link: string, { conversation }: Language): Html {
  return html`
<p>${conversation.sentText}</p>
<p><a class="act" href="${link}">${conversation.openButton}</a></p>`;
}
