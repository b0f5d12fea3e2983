import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { QR_CODE_STATUSES } from '../../codes/index.ts';
import { renderCodeTabs, renderStatusChip } from '../codes/code-parts.ts';
import { renderSelectionForm } from '../codes/code-selection.ts';
import { renderCodeTable } from '../codes/code-table.ts';
import {
  createCodeField,
  type Field,
  type FormErrors,
  renderBadge,
  renderChoices,
  renderConfirmation,
  renderEmptyState,
  renderErrorSummary,
  renderField,
  renderForm,
  renderNote,
  renderSelect,
  renderTabs,
  renderUndoBar,
} from '../components.ts';
import { renderContentFields } from '../content/content-form.ts';
import { renderCursorLinks } from '../cursor-pages.ts';
import { SAMPLE_ROWS } from './sample-codes.ts';

interface SamplePage {
  /** Of the page itself: links and forms lead to it. */
  path: string;
  token: string;
  locale: Locale;
}

/** Every component by its name, in its states. */
export function listComponentSamples(page: SamplePage): Readonly<Record<string, Html>> {
  const { path, token, locale } = page;
  const done = t(locale, 'app.code.done.deleted');
  const undo = t(locale, 'app.code.undo');
  return {
    Note: html`${renderNote(t(locale, 'app.content.done.saved'))}${renderNote(t(locale, 'app.codes.selected.none'), 'wrong')}`,
    'Undo bar': renderUndoBar(done, { action: path, token, submit: undo }),
    'Error summary': html`${renderErrorSummary([createError('required', 'REQUIRED')], locale)}`,
    Field: renderFields(locale),
    'Field with visibility': renderFieldsWithVisibility(locale),
    Form: renderForms(page),
    Dialog: renderConfirmation(t(locale, 'conversation.endTitle'), t(locale, 'conversation.endText'), {
      action: path,
      token,
      submit: t(locale, 'conversation.endButton'),
      kind: 'danger',
    }),
    'Table with selection': renderTable(page),
    Pagination: html`${renderCursorLinks(path, {}, { before: 'a', after: 'b' }, locale)}`,
    Tabs: html`${renderCodeTabs(path, 'overview', { canEdit: true, canRead: true, locale })}${renderTabs(
      SAMPLE_ROWS.map(({ title }, index) => ({ href: path, label: title, isCurrent: index === 1 })),
      'Tabs',
    )}`,
    'Empty state': html`${renderEmptyState(t(locale, 'app.codes.noneDeleted'))}${renderEmptyState(
      t(locale, 'app.inbox.empty'),
      html`<a class="act" href="${path}">${t(locale, 'app.codes.new')}</a>`,
    )}`,
    'Badge and chips': html`<p>${t(locale, 'app.inbox.title')}${renderBadge(3, t(locale, 'app.inbox.unread', { count: 3 }))}</p><p>${QR_CODE_STATUSES.map(
      (status) => html`${renderStatusChip(status, locale)} `,
    )}</p>`,
  };
}

function createError(field: string, code: string): FormErrors[number] {
  return { field, code, message: code };
}

function renderFields(locale: Locale): Html {
  const label = t(locale, 'app.newCode.name');
  const options = SAMPLE_ROWS.map(({ title, id }) => ({ value: id, label: title }));
  const fields: Field[] = [
    { name: 'filled', label, value: 'Rex', hint: t(locale, 'app.newCode.nameHint') },
    { name: 'required', label, isRequired: true },
    { name: 'wrong', label, value: 'ada@', type: 'email', hint: t(locale, 'app.newCode.nameHint') },
    { name: 'multiline', label, value: 'Rex\nMax', isMultiline: true },
    { name: 'date', label, type: 'date', value: '2026-01-02' },
    { name: 'file', label, type: 'file' },
    { name: 'options', label, options, value: options[1]?.value },
    createCodeField(t(locale, 'signUp.code')),
  ];
  const errors = [
    createError('required', 'REQUIRED'),
    createError('wrong', 'BAD_EMAIL'),
    createError('choices', 'REQUIRED'),
  ];
  // It would move the focus.
  const withoutScript = fields.map(({ script, ...field }) => field);
  return html`<div class="narrow">${withoutScript.map((field) => renderField(field, errors, locale))}${renderSelect(
    { name: 'select', label, value: undefined, options, groups: [{ label, options }] },
  )}${renderChoices({ name: 'choices', legend: label, value: undefined, options }, errors, locale)}</div>`;
}

/** With an error, and with what somebody else changed meanwhile. */
function renderFieldsWithVisibility(locale: Locale): Html {
  const code = {
    title: 'Guests',
    data: { ssid: 'Guests', password: 'secret words' },
    visibility: { ssid: 'PUBLIC', password: 'PIN', hidden: 'PRIVATE' },
  };
  return renderContentFields(
    {
      kind: 'WIFI',
      code,
      stored: { ...code, data: { ...code.data, password: 'other words' } },
      errors: [createError('data.ssid', 'TOO_LONG')],
      clashes: ['data.password'],
      timeZone: 'Europe/Berlin',
    },
    locale,
  );
}

function renderForms({ path, token, locale }: SamplePage): Html {
  const submit = t(locale, 'app.content.save');
  const form = { action: path, token, submit };
  return html`<div class="actions">${renderForm(form)}${renderForm({ ...form, kind: 'plain' })}${renderForm({
    ...form,
    kind: 'danger',
  })}</div>`;
}

function renderTable({ path, token, locale }: SamplePage): Html {
  const buttons = { pause: t(locale, 'app.code.pause'), delete: t(locale, 'app.code.deleteTitle') };
  return html`${renderSelectionForm(path, token, buttons, locale)}${renderCodeTable(path, SAMPLE_ROWS, {
    pictures: new Map(),
    timeZone: 'Europe/Berlin',
    locale,
  })}`;
}
