import type { FieldError } from '../../../shared/errors.ts';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import { renderField, renderForm } from '../components.ts';
import type { FormToken } from '../form-token.ts';

interface PinForms {
  /** Of the code. */
  path: string;
  token: FormToken;
  hasPin: boolean;
  errors: readonly FieldError[];
}

/** Render the forms that set, change and remove the PIN of a code. Nobody can read it again. */
export function renderPinForms({ path, token, hasPin, errors }: PinForms, locale: Locale): Html {
  const action = t(locale, hasPin ? 'app.content.pinChange' : 'app.content.pinSet');
  const field = renderField(
    {
      name: 'pin',
      label: t(locale, 'finder.pinLabel'),
      inputMode: 'numeric',
      autocomplete: 'off',
      isRequired: true,
      maxLength: 12,
    },
    errors,
    locale,
  );
  const set = renderForm({
    action: `${path}/pin`,
    token,
    fields: field,
    submit: action,
  });
  const remove = renderForm({
    action: `${path}/pin`,
    token,
    hidden: { remove: '1' },
    fields: html`<p>${t(locale, 'app.content.pinRemoveText')}</p>`,
    submit: t(locale, 'app.content.pinRemove'),
    kind: 'danger',
  });
  return html`<h2>${action}</h2>
<p>${t(locale, 'app.content.pinText')}</p>
${set}${hasPin && remove}`;
}
