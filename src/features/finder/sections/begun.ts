import { type Html, html } from '../../../shared/html.ts';
import type { Language } from '../../../shared/languages/language.ts';
import type { Begun } from '../opened-conversation.ts';

/** The way back to what a finder wrote about the code of the page. */
export function begunSection({ address, hasAnswer }: Begun, { tag, conversation }: Language): Html {
  return html`<section><p>${conversation.wroteText}${hasAnswer && html` <b>${conversation.wroteAnswer}</b>`}</p>
<p><a class="act" href="${address}?lang=${tag}">${conversation.openButton}</a></p></section>
`;
}
