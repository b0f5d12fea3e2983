import type { Static } from 'typebox';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { type MessageKey, t } from '../../../shared/i18n/translate.ts';
import { QR_CODE_NOTIFY_ON_VALUES } from '../../codes/index.ts';
import { type Field, renderField, renderForm, renderNote } from '../components.ts';
import { toUsableColor } from '../design/page-design-form.rules.ts';
import type { FormToken } from '../form-token.ts';
import { createFolderField, type Folder } from './folder-parts.ts';
import type { SelectedChangeError, SelectedChangeForm } from './selected-change.rules.ts';

interface SelectedChangePage {
  /** Of the table of codes. */
  path: string;
  /** Of the forms. */
  action: string;
  /** What names the codes in each form. */
  target: Readonly<Record<string, string | undefined>>;
  fields: Static<typeof SelectedChangeForm>;
  errors: readonly SelectedChangeError[];
  refusal: string | undefined;
  /** Of the service. */
  brandColor: string;
  folders: readonly Folder[];
  /** Selected codes whose page has a look of its own. */
  designed: readonly { id: string; title: string }[];
  /** The package that includes a look; null if it does. */
  offer: Html | null;
  token: FormToken;
  locale: Locale;
}

export const NOTIFY_LABELS = {
  EVERY_SCAN: 'app.codes.change.everyScan',
  FIRST_OF_DAY: 'app.codes.change.firstOfDay',
  ONLY_LOST: 'app.codes.change.onlyLost',
  NEVER: 'app.codes.change.never',
} as const satisfies Record<(typeof QR_CODE_NOTIFY_ON_VALUES)[number], MessageKey>;

/** Render the forms that each change one thing of all selected codes. */
export function renderSelectedChange(page: SelectedChangePage): Html {
  const { path, refusal, fields, locale } = page;
  const clear = (label: string) =>
    html`<button class="plain" name="clear" value="yes" formnovalidate>${label}</button>`;
  return html`${refusal !== undefined && renderNote(refusal, 'wrong')}<p>${t(locale, 'app.codes.change.text')} <a href="${path}">${t(locale, 'app.codes.all')}</a></p>
<section><h2>${t(locale, 'app.codes.change.expiry')}</h2>${renderChangeForm(page, {
    change: 'expiry',
    submit: t(locale, 'app.codes.change.expirySet'),
    fields: [
      {
        name: 'lastDay',
        label: t(locale, 'app.codes.change.lastDay'),
        hint: t(locale, 'app.codes.change.lastDayHint'),
        value: fields.lastDay,
        type: 'date',
        isRequired: true,
      },
    ],
    others: clear(t(locale, 'app.codes.change.expiryClear')),
  })}</section>
${renderFolderForm(page)}<section><h2>${t(locale, 'app.settings.notifications')}</h2>${renderChangeForm(
    page,
    {
      change: 'notifications',
      submit: t(locale, 'app.codes.change.notifySet'),
      fields: [
        {
          name: 'notifyOn',
          label: t(locale, 'app.codes.change.notifyOn'),
          value: fields.notifyOn,
          options: QR_CODE_NOTIFY_ON_VALUES.map((value) => ({
            value,
            label: t(locale, NOTIFY_LABELS[value]),
          })),
        },
      ],
      others: null,
    },
  )}</section>
<section><h2>${t(locale, 'app.history.field.metadata')}</h2>${renderChangeForm(page, {
    change: 'metadata',
    submit: t(locale, 'app.codes.change.metadataSet'),
    fields: [
      {
        name: 'key',
        label: t(locale, 'app.codes.change.metadataKey'),
        hint: t(locale, 'app.codes.change.metadataKeyHint'),
        value: fields.key,
        maxLength: 40,
        isRequired: true,
      },
      {
        name: 'value',
        label: t(locale, 'app.codes.change.metadataValue'),
        value: fields.value,
        maxLength: 500,
        isRequired: true,
      },
    ],
    others: clear(t(locale, 'app.codes.change.metadataRemove')),
  })}</section>
<section><h2>${t(locale, 'app.history.field.pageDesign')}</h2>${page.offer}${renderChangeForm(page, {
    change: 'page',
    submit: t(locale, 'app.codes.change.notifySet'),
    fields: [
      {
        name: 'accentColor',
        label: t(locale, 'app.page.color'),
        hint: t(locale, 'app.page.colorHint'),
        value: toUsableColor(fields.accentColor ?? page.brandColor) ?? page.brandColor,
        type: 'color',
      },
    ],
    others: clear(t(locale, 'app.page.reset')),
  })}${page.designed.length > 0 && renderCopyForm(page)}</section>`;
}

function renderFolderForm(page: SelectedChangePage): Html | null {
  const { fields, folders, locale } = page;
  if (folders.length === 0) return null;
  return html`<section><h2>${t(locale, 'app.folders.folder')}</h2>${renderChangeForm(page, {
    change: 'folder',
    submit: t(locale, 'app.folders.move'),
    fields: [{ ...createFolderField(folders, fields.toFolder, locale), name: 'toFolder' }],
    others: null,
  })}</section>
`;
}

function renderCopyForm(page: SelectedChangePage): Html {
  const { fields, designed, locale } = page;
  return renderChangeForm(page, {
    change: 'page-of',
    submit: t(locale, 'app.codes.change.notifySet'),
    fields: [
      {
        name: 'from',
        label: t(locale, 'app.codes.change.designOf'),
        value: fields.from,
        options: designed.map(({ id, title }) => ({ value: id, label: title })),
      },
    ],
    others: null,
  });
}

function renderChangeForm(
  { action, target, errors, token, locale }: SelectedChangePage,
  form: { change: string; submit: string; fields: readonly Field[]; others: Html | null },
): Html {
  const renderOne = (field: Field) => {
    const error = errors.find((one) => one.field === field.name);
    return renderField({ ...field, error: error && t(locale, error.message) }, [], locale);
  };
  return renderForm({
    action,
    token,
    submit: form.submit,
    fields: form.fields.map(renderOne),
    hidden: { ...target, change: form.change },
    others: form.others,
  });
}
