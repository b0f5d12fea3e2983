import { type Html, html } from '../../../shared/html.ts';
import { type Language, sayTerm } from '../../../shared/languages/language.ts';
import { kindOf } from '../../qrcodes/qrcode.view.ts';

/** What the page is about: the name, below what it is a name of. */
export function headOf(
  kind: string,
  profile: Readonly<Record<string, unknown>> | null,
  language: Language,
): Html {
  const { finder } = language;
  const name = typeof profile?.name === 'string' ? profile.name : null;
  if (kind === 'MEDICAL')
    return html`<div class="card"><h1>${finder.emergencyTitle}</h1>${name && html`\n<p class="name">${name}</p>`}</div>`;
  const label = kind === 'MEMORY_TAG' && name ? finder.inMemory : sayTerm(language, kindOf(kind).label);
  return name ? html`<p class="kind">${label}</p>\n<h1>${name}</h1>` : html`<h1>${label}</h1>`;
}
