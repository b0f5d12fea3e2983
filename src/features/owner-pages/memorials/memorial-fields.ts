import type { Static } from 'typebox';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { t } from '../../../shared/i18n/translate.ts';
import type { MemoryTagChange } from '../../memory-tags/index.ts';
import { type FormErrors, renderField } from '../components.ts';

export type MemorialValues = Partial<Record<string, string>>;

/** Render what a memorial says; settings are for its owner. */
export function renderMemorialFields(
  values: MemorialValues,
  errors: FormErrors,
  locale: Locale,
  isOwner: boolean,
): Html {
  const date = { hint: t(locale, 'app.content.hint.partialDate'), maxLength: 10, autocomplete: 'off' };
  const subjects = [
    { value: 'PERSON', label: t(locale, 'app.memorials.person') },
    { value: 'ANIMAL', label: t(locale, 'app.memorials.animal') },
  ];
  const check = (name: string, label: string) =>
    html`<label class="choice"><input type="checkbox" name="${name}" value="on"${values[name] === 'on' && html` checked`}>${label}</label>`;
  const fields = [
    { name: 'name', label: t(locale, 'fields.name'), maxLength: 200, isRequired: true, autocomplete: 'off' },
    { name: 'subject', label: t(locale, 'app.memorials.subject'), options: subjects },
    { name: 'bornOn', label: t(locale, 'memorial.born'), ...date },
    { name: 'diedOn', label: t(locale, 'memorial.died'), ...date },
    { name: 'epitaph', label: t(locale, 'fields.epitaph'), maxLength: 500, isMultiline: true, rows: 2 },
    {
      name: 'story',
      label: t(locale, 'memorial.storyTitle'),
      maxLength: 20_000,
      isMultiline: true,
      rows: 12,
    },
  ];
  return html`${fields.map((field) => renderField({ ...field, value: values[field.name] }, errors, locale))}${
    isOwner &&
    html`${check('guestBookOpen', t(locale, 'app.memorials.guestBookOpen'))}${check('anniversaryReminders', t(locale, 'app.memorials.reminders'))}`
  }`;
}

/** What is empty in a form is removed. A caretaker changes no settings. */
export function toMemorialInput(values: MemorialValues, isOwner: boolean) {
  const { name = '', subject, bornOn = '', diedOn = '', epitaph = '', story = '' } = values;
  return {
    name: name.trim(),
    ...(subject !== undefined && { subject: subject as 'PERSON' | 'ANIMAL' }),
    bornOn: bornOn.trim() || null,
    diedOn: diedOn.trim() || null,
    epitaph: epitaph.trim() || null,
    story: story.trim() || null,
    ...(isOwner && {
      guestBookOpen: values.guestBookOpen === 'on',
      anniversaryReminders: values.anniversaryReminders === 'on',
    }),
  } satisfies Static<typeof MemoryTagChange>;
}
