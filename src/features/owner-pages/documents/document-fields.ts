import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { DOCUMENT_KINDS } from '../../documents/index.ts';
import { type FormErrors, renderField } from '../components.ts';
import { translateDocumentKind } from './document-parts.ts';

type Values = Partial<Record<string, string>>;

type DocumentKind = (typeof DOCUMENT_KINDS)[number];

/** Render what is known about a document besides its file. */
export function renderDocumentFields(values: Values, errors: FormErrors, locale: Locale): Html {
  const { title, kind = 'OTHER', expiresOn, note } = values;
  const options = DOCUMENT_KINDS.map((value) => ({ value, label: translateDocumentKind(value, locale) }));
  return html`${[
    renderField(
      {
        name: 'title',
        label: t(locale, 'fields.title'),
        value: title,
        hint: t(locale, 'app.documents.titleHint'),
        maxLength: 200,
        autocomplete: 'off',
      },
      errors,
      locale,
    ),
    renderField({ name: 'kind', label: t(locale, 'app.codes.kind'), value: kind, options }, errors, locale),
    renderField(
      {
        name: 'expiresOn',
        label: t(locale, 'app.documents.expiresOn'),
        type: 'date',
        value: expiresOn,
        hint: t(locale, 'app.documents.expiresOnHint'),
      },
      errors,
      locale,
    ),
    renderField(
      {
        name: 'note',
        label: t(locale, 'app.documents.note'),
        value: note,
        hint: t(locale, 'app.documents.noteHint'),
        isMultiline: true,
        maxLength: 5_000,
      },
      errors,
      locale,
    ),
  ]}`;
}

/** What is empty in a form is as if it were not sent. */
export function toDocumentInput({ title = '', kind, expiresOn = '', note = '' }: Values) {
  return {
    ...(title.trim() && { title: title.trim() }),
    ...(kind !== undefined && { kind: kind as DocumentKind }),
    ...(expiresOn && { expiresOn }),
    ...(note.trim() && { note: note.trim() }),
  };
}
