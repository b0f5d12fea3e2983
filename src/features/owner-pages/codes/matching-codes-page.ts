import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { renderForm } from '../components.ts';
import type { FormToken } from '../form-token.ts';

interface StatusForms {
  /** Of the actions. */
  path: string;
  /** What names the codes. */
  target: Readonly<Record<string, string | undefined>>;
  token: FormToken;
  counts: Readonly<Record<'pause' | 'resume' | 'delete', number>>;
}

/** Render the buttons that pause, resume or delete all codes that match, each with how many. */
export function renderStatusForms({ path, target, token, counts }: StatusForms, locale: Locale): Html {
  const button = (action: keyof typeof counts, submit: string, kind: 'plain' | 'danger') =>
    counts[action] > 0 && renderForm({ action: `${path}/${action}`, token, submit, hidden: target, kind });
  return html`<section><h2>${t(locale, 'app.codes.status')}</h2>${button(
    'pause',
    t(locale, 'app.codes.matching.pause', { count: counts.pause }),
    'plain',
  )}${button('resume', t(locale, 'app.codes.matching.resume', { count: counts.resume }), 'plain')}</section>
<section><h2>${t(locale, 'app.code.deleteTitle')}</h2><p>${t(locale, 'app.code.deleteText')}</p>${button(
    'delete',
    t(locale, 'app.codes.matching.delete', { count: counts.delete }),
    'danger',
  )}</section>`;
}
