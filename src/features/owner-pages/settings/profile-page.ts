import { type Html, html } from '../../../shared/html.ts';
import { LOCALES, type Locale } from '../../../shared/i18n/locales.ts';
import { t, translateHtml } from '../../../shared/i18n/translate.ts';
import { type Field, type FormErrors, renderField, renderForm } from '../components.ts';

export const PROFILE_FIELDS = [
  'firstName',
  'lastName',
  'accountType',
  'organizationName',
  'phone',
  'language',
  'timeZone',
] as const;

export type ProfileField = (typeof PROFILE_FIELDS)[number];

type Values = Partial<Record<ProfileField, string | null>>;

interface ProfilePage {
  locale: Locale;
  action: string;
  token: string;
  email: string;
  pictureUrl: string | null;
  /** What the form shows. */
  values: Values;
  stored: Values;
  version: string;
  /** Somebody has changed the profile since the form was opened. */
  isConflict: boolean;
  errors: FormErrors;
}

export function renderProfile(page: ProfilePage): Html {
  const { locale, action, token, email, pictureUrl, values, stored, version, isConflict, errors } = page;
  const field = (one: Field & { name: ProfileField }) => {
    const current = stored[one.name] ?? '';
    const isDifferent = isConflict && current !== (values[one.name] ?? '');
    const hint =
      isDifferent &&
      translateHtml(locale, 'app.settings.profile.storedNow', { value: html`<bdi>${current || '–'}</bdi>` });
    return renderField({ ...one, value: values[one.name] ?? '', hint: hint || one.hint }, errors, locale);
  };
  const accountTypes = [
    { value: 'INDIVIDUAL', label: t(locale, 'app.settings.profile.individual') },
    { value: 'ORGANIZATION', label: t(locale, 'fields.organization') },
  ];
  const languages = [...LOCALES.values()].map(({ tag, name }) => ({ value: tag, label: name }));
  return html`<div class="narrow">${renderForm({
    action,
    token,
    hidden: { version },
    isMultipart: true,
    submit: t(locale, 'app.settings.profile.button'),
    fields: [
      html`<p>${t(locale, 'signIn.email')}<br><b><bdi>${email}</bdi></b></p>\n`,
      field({
        name: 'firstName',
        label: t(locale, 'signUp.firstName'),
        autocomplete: 'given-name',
        maxLength: 100,
        isRequired: true,
      }),
      field({
        name: 'lastName',
        label: t(locale, 'signUp.lastName'),
        autocomplete: 'family-name',
        maxLength: 100,
        isRequired: true,
      }),
      field({
        name: 'accountType',
        label: t(locale, 'app.settings.profile.accountType'),
        options: accountTypes,
      }),
      field({
        name: 'organizationName',
        label: t(locale, 'app.settings.profile.organizationName'),
        autocomplete: 'organization',
        maxLength: 200,
      }),
      field({
        name: 'phone',
        label: t(locale, 'fields.phone'),
        type: 'tel',
        autocomplete: 'tel',
        hint: t(locale, 'app.settings.profile.phoneHint'),
      }),
      field({
        name: 'language',
        label: t(locale, 'app.settings.profile.language'),
        options: languages,
        hint: t(locale, 'app.settings.profile.languageHint'),
      }),
      renderTimeZone(page),
      html`${pictureUrl && html`<p><img class="avatar" src="${pictureUrl}" alt="${t(locale, 'app.settings.profile.picture')}"></p>`}${renderField(
        {
          name: 'profilePicture',
          label: t(locale, pictureUrl ? 'app.settings.profile.newPicture' : 'app.settings.profile.picture'),
          type: 'file',
          accept: 'image/jpeg,image/png,image/heic',
          hint: t(locale, 'app.settings.profile.pictureHint'),
        },
        errors,
        locale,
      )}`,
    ],
  })}</div>`;
}

/** Without closing tags, which 400 options need not have. */
function renderTimeZone({ locale, values, stored }: ProfilePage): Html {
  const current = values.timeZone ?? '';
  const names = new Set([stored.timeZone ?? 'UTC', 'UTC', ...Intl.supportedValuesOf('timeZone')]);
  return html`<label for="timeZone">${t(locale, 'app.settings.profile.timeZone')}</label><select id="timeZone" name="timeZone" dir="ltr" aria-describedby="timeZone-hint">${[
    ...names,
  ].map((name) => html`<option${name === current && html` selected`}>${name}`)}</select>
<p class="hint" id="timeZone-hint">${t(locale, 'app.settings.profile.timeZoneHint')} <button type="button" class="plain" data-script="browser-time-zone" hidden>${t(locale, 'app.settings.profile.useBrowserTimeZone', { zone: '{zone}' })}</button></p>
`;
}
