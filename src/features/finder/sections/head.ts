import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { translateKind } from '../translate-field.ts';

export function renderHead(
  kind: string,
  profile: Readonly<Record<string, unknown>> | null,
  locale: Locale,
): Html {
  const name = typeof profile?.name === 'string' ? profile.name : null;
  if (kind === 'MEDICAL')
    return html`<div class="card"><h1>${t(locale, 'finder.emergencyTitle')}</h1>${name && html`\n<p class="name">${name}</p>`}</div>`;
  const label = kind === 'MEMORY_TAG' && name ? t(locale, 'finder.inMemory') : translateKind(locale, kind);
  return name ? html`<p class="kind">${label}</p>\n<h1>${name}</h1>` : html`<h1>${label}</h1>`;
}
