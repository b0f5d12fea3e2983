import type { FieldError } from '../../shared/errors.ts';
import { type Html, html } from '../../shared/html.ts';
import type { Locale } from '../../shared/i18n/locales.ts';
import { type MessageKey, t } from '../../shared/i18n/translate.ts';
import { isKeyOf } from '../../shared/is-key-of.ts';
import type { FormToken } from './form-token.ts';

/** Parts of pages for owners, each written once. */

export interface Field {
  name: string;
  label: string;
  value?: string | undefined;
  type?:
    | 'text'
    | 'file'
    | 'email'
    | 'password'
    | 'tel'
    | 'url'
    | 'date'
    | 'datetime-local'
    | 'time'
    | 'number'
    | 'color';
  autocomplete?: string;
  hint?: string | Html | undefined;
  isRequired?: boolean;
  maxLength?: number | undefined;
  inputMode?: 'numeric' | 'decimal' | 'email' | 'tel' | 'url';
  /** Such as `code-input`. */
  className?: string;
  isMultiline?: boolean;
  /** Of a select; the value is one of them. */
  options?: readonly FieldOption[];
  /** The id of a `datalist` with suggestions. */
  list?: string;
  /** Of a file: the types. */
  accept?: string;
  /** Of a script: what it does with the field. */
  script?: string;
  /** Rows of a multiline field. */
  rows?: number;
  /** A translated message, where there is more to say than the code of an error. */
  error?: string | undefined;
}

export interface FieldOption {
  value: string;
  label: string;
}

/** The errors of a form by its fields: the first of each. */
export type FormErrors = readonly FieldError[];

/** Render a label with its field; the error stands at the field, and screen readers read it with the field. */
export function renderField(field: Field, errors: FormErrors, locale: Locale): Html {
  const { name, label, hint, value = '' } = field;
  const fieldError = errors.find((one) => one.field === name);
  const error = field.error ?? (fieldError && translateFieldError(fieldError, locale));
  const describedBy = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ');
  const attributes = html` id="${name}" name="${name}"${field.className && html` class="${field.className}"`}${
    field.autocomplete && html` autocomplete="${field.autocomplete}"`
  }${field.isRequired && html` required`}${field.maxLength && html` maxlength="${field.maxLength}"`}${
    field.inputMode && html` inputmode="${field.inputMode}"`
  }${describedBy && html` aria-describedby="${describedBy}"`}${error && html` aria-invalid="true"`}${
    field.script && html` data-script="${field.script}"`
  }${field.accept && html` accept="${field.accept}"`}${field.list && html` list="${field.list}"`}`;
  return html`<label for="${name}">${label}</label>${renderInput()}${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}${
    error && html`<p class="error" id="${name}-error">${error}</p>`
  }
`;

  function renderInput(): Html {
    if (field.options) return html`<select${attributes}>${renderOptions(field.options, value)}</select>`;
    // A line break at the start would be dropped.
    if (field.isMultiline)
      return html`<textarea${attributes} rows="${field.rows ?? 4}" dir="auto">${value.startsWith('\n') && '\n'}${value}</textarea>`;
    const { type = 'text' } = field;
    return html`<input${attributes} type="${type}"${type === 'text' && html` dir="auto"`}${type !== 'password' && type !== 'file' && html` value="${value}"`}>`;
  }
}

export function renderOptions(options: readonly FieldOption[], current: string | undefined): Html {
  return html`${options.map(
    ({ value, label }) =>
      html`<option value="${value}"${value === current && html` selected`}>${label}</option>`,
  )}`;
}

export interface SelectField {
  name: string;
  label: string;
  value: string | undefined;
  options: readonly FieldOption[];
  /** After the options that are in none. */
  groups?: readonly { label: string; options: readonly FieldOption[] }[];
  script?: string;
}

/** Render a label with a list to choose from. */
export function renderSelect({ name, label, value, options, groups = [], script }: SelectField): Html {
  const renderedGroups = groups.map(
    (group) => html`<optgroup label="${group.label}">${renderOptions(group.options, value)}</optgroup>`,
  );
  return html`<label for="${name}">${label}</label><select id="${name}" name="${name}"${script && html` data-script="${script}"`}>${renderOptions(options, value)}${renderedGroups}</select>
`;
}

export interface ChoiceField {
  name: string;
  legend: string;
  value: string | undefined;
  /** One of them has to be chosen. */
  options: readonly FieldOption[];
}

/** Render choices with texts too long for a list. */
export function renderChoices(
  { name, legend, value, options }: ChoiceField,
  errors: FormErrors,
  locale: Locale,
): Html {
  const error = errors.find(({ field }) => field === name);
  const choices = options.map(
    (option) =>
      html`<label><input type="radio" name="${name}" value="${option.value}"${option.value === value && html` checked`} required><span>${option.label}</span></label>`,
  );
  return html`<fieldset id="${name}"${error && html` aria-describedby="${name}-error"`}><legend>${legend}</legend>${choices}${error && html`<p class="error" id="${name}-error">${translateFieldError(error, locale)}</p>`}</fieldset>
`;
}

/** The field of six digits that an email or an application has; sent at the sixth. */
export function createCodeField(label: string): Field {
  return {
    name: 'code',
    label,
    autocomplete: 'one-time-code',
    inputMode: 'numeric',
    className: 'code-input',
    // With spaces between the digits.
    maxLength: 10,
    isRequired: true,
    script: 'one-time-code',
  };
}

const ERROR_MESSAGES = {
  REQUIRED: 'app.error.required',
  TOO_SHORT: 'app.error.tooShort',
  TOO_LONG: 'app.error.tooLong',
  TOO_COMMON: 'app.error.tooCommon',
  SAME_AS_EMAIL: 'app.error.sameAsEmail',
  BAD_EMAIL: 'app.error.badEmail',
  BAD_PHONE: 'app.error.badPhone',
  BAD_URL: 'app.error.badUrl',
  BAD_DATE: 'app.error.badDate',
  BAD_COUNTRY: 'app.error.badCountry',
  BAD_NUMBER: 'app.error.badNumber',
  TOO_LARGE: 'app.error.tooLarge',
  TOO_SMALL: 'app.error.tooSmall',
  TOO_MANY: 'app.error.tooMany',
  BAD_PIN: 'finder.pinInvalid',
  NOT_A_PICTURE: 'app.error.notAPicture',
  LOW_CONTRAST: 'app.error.lowContrast',
  WRONG_PASSWORD: 'app.error.wrongPassword',
  WRONG_CODE: 'secondFactor.wrong',
  WRONG_CHALLENGE: 'app.webhooks.wrongChallenge',
  HAS_CREDENTIALS: 'app.webhooks.urlErrors.credentials',
  HAS_FRAGMENT: 'app.webhooks.urlErrors.fragment',
  LOOPBACK_HOST: 'app.webhooks.urlErrors.loopback',
  NOT_ABSOLUTE: 'app.error.badUrl',
  NOT_HTTPS: 'app.webhooks.urlErrors.notHttps',
  NOT_PUBLIC_NAME: 'app.webhooks.urlErrors.notPublic',
  PORT_NOT_ALLOWED: 'app.webhooks.urlErrors.port',
} as const satisfies Record<string, MessageKey>;

/** The texts of the API are English; pages have one for each code that people meet. */
export function translateFieldError({ code }: FieldError, locale: Locale): string {
  return t(locale, isKeyOf(ERROR_MESSAGES, code) ? ERROR_MESSAGES[code] : 'app.error.invalid');
}

/** Above a form that was refused; its link leads to the first field with an error. */
export function renderErrorSummary(errors: FormErrors, locale: Locale): Html | null {
  const [first] = errors;
  if (first === undefined) return null;
  return renderNote(html`<a href="#${first.field}">${t(locale, 'app.error.summary')}</a>`, 'wrong');
}

export function renderNote(text: string | Html, kind: 'done' | 'wrong' = 'done'): Html {
  const role = kind === 'wrong' ? 'alert' : 'status';
  return html`<p class="${kind === 'wrong' ? 'note wrong' : 'note'}" role="${role}">${text}</p>`;
}

/** Say what was done, with the button that undoes it. */
export function renderUndoBar(text: string | Html, undo: Omit<PageForm, 'kind'>): Html {
  return html`${renderNote(text)}${renderForm({ ...undo, kind: 'plain' })}`;
}

/** What a list without entries shows: one thing to learn, and the way to it. */
export function renderEmptyState(text: string, action: Html | null = null): Html {
  return html`<div class="empty"><p>${text}</p>${action}</div>`;
}

/** Render a number beside an entry of the navigation; `text` says what it counts. Null for none. */
export function renderBadge(count: number, text: string): Html | null {
  if (count === 0) return null;
  return html`<span class="badge" aria-hidden="true">${count}</span><span class="visually-hidden"> ${text}</span>`;
}

export interface Tab {
  href: string;
  label: string | Html;
  isCurrent: boolean;
}

export function renderTabs(tabs: readonly Tab[], label: string): Html {
  return html`<nav aria-label="${label}"><ul class="tabs">${tabs.map(
    (tab) =>
      html`<li><a href="${tab.href}"${tab.isCurrent && html` aria-current="page"`}>${tab.label}</a></li>`,
  )}</ul></nav>`;
}

export interface PageForm {
  action: string;
  token: FormToken;
  /** Label of its button. */
  submit: string;
  fields?: Html | readonly Html[] | null;
  /** Values that the page sends along. */
  hidden?: Readonly<Record<string, string | undefined>>;
  kind?: 'plain' | 'danger';
  className?: string;
  /** With a file; the route declares its `form`. */
  isMultipart?: boolean;
  /** After the button: other buttons of the form. */
  others?: Html | null;
  /** Its fields have what is stored: whoever may not change it reads it. */
  isReadable?: boolean;
}

/** Render a form; nothing for whoever may not send it, or only what it says. */
export function renderForm(form: PageForm): Html {
  if (form.token === null)
    return form.isReadable ? html`<fieldset class="group" disabled>${form.fields}</fieldset>\n` : html``;
  return html`<form method="post" action="${form.action}"${form.isMultipart && html` enctype="multipart/form-data"`}${form.className && html` class="${form.className}"`}>${form.fields}${renderHiddenFields({ token: form.token, ...form.hidden })}<button${form.kind && html` class="${form.kind}"`}>${form.submit}</button>${form.others}</form>
`;
}

/** Unfold to what will happen, with the button: the dialog of an action that cannot be undone. Nothing as for `renderForm`. */
export function renderConfirmation(title: string, text: string, form: PageForm): Html {
  if (form.token === null) return html``;
  const fields = html`<p>${text}</p>${form.fields}`;
  return html`<details><summary>${title}</summary>${renderForm({ ...form, fields })}</details>`;
}

/** Render how much of the file of a form is sent; part of its fields. The form has one button. */
export function renderUploadProgress(locale: Locale): Html {
  return html`<p class="progress" data-script="upload" hidden><label>${t(locale, 'app.documents.uploading')} <progress max="100" value="0"></progress></label></p>`;
}

export function renderHiddenFields(values: Readonly<Record<string, string | undefined>>): Html {
  return html`${Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`;
}
