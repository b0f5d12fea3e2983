import { type Html, html, sentenceWith } from '../../../shared/html.ts';
import type { Language } from '../../../shared/languages/language.ts';
import type { Lost } from '../../qrcodes/encrypted-content.ts';
import { fit } from '../fit.ts';
import { isCardOfPerson } from '../layout.rules.ts';

/**
 * Says that the thing is lost, with the owner's message, the reward and where it was last seen; within
 * so many bytes, where the message is long.
 */
export function lostSection(kind: string, lost: Lost | null, bytes: number, { finder }: Language): Html {
  // Of a person's card it must not sound as if the person was missing.
  const title = isCardOfPerson(kind) ? finder.lostCardTitle : finder.lostTitle;
  const { message = null, reward = null, lastSeen = null } = lost ?? {};
  const render = (said: string) => html`<section class="lost"><h2>${title}</h2>
<p class="text">${said}</p>${reward && html`<p><strong>${sentenceWith(finder.reward, 'reward', reward)}</strong></p>`}${lastSeen && html`<p>${sentenceWith(finder.lastSeen, 'place', lastSeen)}</p>`}</section>`;
  return fit(message ?? finder.lostText, render, bytes)?.markup ?? render(finder.lostText);
}
