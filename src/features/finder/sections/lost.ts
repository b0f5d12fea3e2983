import { type Html, html } from '../../../shared/html.ts';
import { type Language, say } from '../../../shared/languages/language.ts';
import type { Lost } from '../../qrcodes/encrypted-content.ts';

/** Says that the thing is lost, with the owner's message and the reward. */
export function lostSection(lost: Lost | null, { finder }: Language): Html {
  const { message = null, reward = null } = lost ?? {};
  return html`<section class="lost"><h2>${finder.lostTitle}</h2>
<p class="text">${message ?? finder.lostText}</p>${reward && html`<p><strong>${say(finder.reward, { reward })}</strong></p>`}</section>`;
}
