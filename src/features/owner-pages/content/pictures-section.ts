import { Type } from 'typebox';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { generateId, isId } from '../../../shared/ids.ts';
import { PictureQuery, type PictureRow } from '../../files/index.ts';
import {
  type FormErrors,
  renderField,
  renderForm,
  renderUndoBar,
  renderUploadProgress,
} from '../components.ts';
import type { FormToken } from '../form-token.ts';

interface PicturesSection {
  /** Of the code or the memorial. */
  path: string;
  token: FormToken;
  pictures: readonly PictureRow[];
  errors: FormErrors;
  max?: number;
}

export const MAX_QR_CODE_PICTURES = 10;

export const PicturePageQuery = Type.Object({
  ...PictureQuery.properties,
  /** One that was deleted, as it is stored. */
  deleted: Type.Optional(Type.Boolean()),
});

/** Say that a photo is deleted, with the button that brings it back. */
export function renderPictureUndo(
  path: string,
  { done, id }: { done?: string | undefined; id?: string | undefined },
  token: FormToken,
  locale: Locale,
): Html | null {
  if (done !== 'picture-deleted' || !isId(id)) return null;
  return renderUndoBar(t(locale, 'app.content.done.pictureDeleted'), {
    action: `${path}/pictures/${id}/restore`,
    token,
    submit: t(locale, 'app.code.undo'),
  });
}

/** Render the photos of a code or a memorial with their captions and their order, and the form that adds one. */
export function renderPictures(
  { path, token, pictures, errors, max = MAX_QR_CODE_PICTURES }: PicturesSection,
  locale: Locale,
): Html {
  const items = pictures.map(
    (picture) =>
      html`<li><img src="${path}/pictures/${picture.id}?w=320" width="96" alt="${picture.caption ?? t(locale, 'finder.galleryPicture', { number: picture.position })}" loading="lazy"><div>${renderChange(picture)}${renderDelete(picture)}</div></li>
`,
  );
  if (token === null && pictures.length === 0) return html``;
  return html`<h2 id="pictures">${t(locale, 'app.content.pictures')}</h2>
${items.length > 0 && html`<ul class="cards">${items}</ul>`}${pictures.length < max && renderUpload()}`;

  function renderUpload(): Html {
    const file = renderField(
      {
        name: 'picture',
        label: t(locale, 'app.start.photo'),
        type: 'file',
        accept: 'image/*',
        hint: t(locale, 'app.content.pictureHint'),
        isRequired: true,
      },
      errors,
      locale,
    );
    return renderForm({
      action: `${path}/pictures`,
      token,
      isMultipart: true,
      hidden: { key: generateId() },
      fields: [file, renderCaption('caption', undefined), renderUploadProgress(locale)],
      submit: t(locale, 'app.content.pictureAdd'),
    });
  }

  function renderChange({ id, caption, position, version }: PictureRow): Html {
    const options = pictures.map((_one, index) => ({
      value: String(index + 1),
      label: t(locale, 'finder.galleryPicture', { number: index + 1 }),
    }));
    const label = t(locale, 'app.content.pictureOrder');
    const order = renderField(
      { name: `position-${id}`, label, options, value: String(position) },
      errors,
      locale,
    );
    return renderForm({
      action: `${path}/pictures/${id}`,
      token,
      isReadable: caption !== null,
      hidden: { version: String(version) },
      fields: [renderCaption(`caption-${id}`, caption ?? ''), ...(pictures.length > 1 ? [order] : [])],
      submit: t(locale, 'app.content.save'),
    });
  }

  function renderDelete({ id, version }: PictureRow): Html {
    return renderForm({
      action: `${path}/pictures/${id}/delete`,
      token,
      hidden: { version: String(version) },
      submit: t(locale, 'app.content.pictureDelete'),
      kind: 'danger',
    });
  }

  function renderCaption(name: string, value: string | undefined): Html {
    const label = t(locale, 'app.content.pictureCaption');
    return renderField({ name, label, value, maxLength: 300, autocomplete: 'off' }, errors, locale);
  }
}
