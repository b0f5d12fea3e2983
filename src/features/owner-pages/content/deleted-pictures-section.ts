import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import type { DeletedPictureRow } from '../../files/index.ts';
import { renderForm } from '../components.ts';
import type { FormToken } from '../form-token.ts';
import { formatTimeLeft } from '../format-time-left.ts';

interface DeletedPicturesSection {
  /** Of the code or the memorial. */
  path: string;
  token: FormToken;
  pictures: readonly DeletedPictureRow[];
}

/** Render the photos that were deleted in the last day, with the button that brings each back; null for none. */
export function renderDeletedPictures(
  { path, token, pictures }: DeletedPicturesSection,
  locale: Locale,
): Html | null {
  if (pictures.length === 0) return null;
  const items = pictures.map(({ id, position, caption, deletedAt }) => {
    const submit = t(locale, 'app.codes.restore');
    const form = renderForm({ action: `${path}/pictures/${id}/restore`, token, submit, kind: 'plain' });
    const label = caption ?? t(locale, 'finder.galleryPicture', { number: position });
    return html`<li><img src="${path}/pictures/${id}?deleted=true" width="96" alt="" loading="lazy"><div><p><bdi>${label}</bdi></p><p class="small">${formatTimeLeft(deletedAt, 'deletedPicture', locale)}</p>${form}</div></li>
`;
  });
  return html`<details><summary>${t(locale, 'app.content.deletedPictures')}</summary><ul class="cards">${items}</ul></details>`;
}
