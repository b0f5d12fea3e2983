import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import type { QrCodeRow } from '../../codes/index.ts';
import { renderForm, renderNote } from '../components.ts';
import type { FormToken } from '../form-token.ts';

/** Render what hides a memorial from visitors, or shows it again: its code is paused. Null for a code in another state. */
export function renderArchive(
  { id, status }: Pick<QrCodeRow, 'id' | 'status'>,
  {
    codesPath,
    memorialId,
    token,
    locale,
  }: {
    codesPath: string;
    memorialId: string;
    token: FormToken;
    locale: Locale;
  },
): Html | null {
  const hidden = { to: `memorial:${memorialId}` };
  if (status === 'PAUSED')
    return html`${renderNote(t(locale, 'app.memorials.archived'))}${renderForm({
      action: `${codesPath}/${id}/resume`,
      token,
      submit: t(locale, 'app.memorials.unarchive'),
      hidden,
      kind: 'plain',
    })}`;
  if (status !== 'ACTIVE' || token === null) return null;
  // Without its heading the text reads as if it were so already.
  return html`<h2>${t(locale, 'app.memorials.archive')}</h2>
<p>${t(locale, 'app.memorials.archiveText')}</p>${renderForm({
    action: `${codesPath}/${id}/pause`,
    token,
    submit: t(locale, 'app.memorials.archive'),
    hidden,
    kind: 'plain',
  })}`;
}
