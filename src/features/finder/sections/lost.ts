import { type Html, html } from '../../../shared/html.ts';
import type { Lost } from '../../qrcodes/encrypted-content.ts';
import { type Language, say } from '../language.ts';

/** Says that the thing is lost, with the owner's message and the reward. */
export function lostSection(lost: Lost | null, { sentences }: Language): Html {
  const { message = null, reward = null } = lost ?? {};
  return html`<section class="lost"><h2>${sentences.lostTitle}</h2>
<p class="text">${message ?? sentences.lostText}</p>${reward && html`<p><strong>${say(sentences.reward, { reward })}</strong></p>`}</section>`;
}
