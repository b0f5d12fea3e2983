import { createBodyValidator } from '../../../../platform/http/validation.ts';
import type { FieldError } from '../../../../shared/errors.ts';
import { EVENT_TYPE_NAMES, EVENT_TYPE_PATTERNS, type EventGroup } from '../../../../shared/event-types.ts';
import { type Html, html } from '../../../../shared/html.ts';
import type { Locale } from '../../../../shared/i18n/locales.ts';
import { type MessageKey, t } from '../../../../shared/i18n/translate.ts';
import { findWebhookUrlProblem, NewWebhookEndpoint } from '../../../webhooks/index.ts';
import { type FormErrors, renderField, renderForm, translateFieldError } from '../../components.ts';
import type { FormToken } from '../../form-token.ts';

const findSchemaErrors = createBodyValidator(NewWebhookEndpoint);

const EVENT_PREFIX = 'event-';

const ALL_EVENTS = '*';

/** Every event, so that a form sent as it is makes an endpoint that works. */
export const NEW_ENDPOINT_VALUES = { [EVENT_PREFIX + ALL_EVENTS]: '1' };

/** In their order; tests of endpoints are sent to each. */
const GROUP_LABELS = {
  code: 'app.codes.title',
  scan: 'report.scans',
  message: 'app.webhooks.messages',
  document: 'app.documents.title',
  guest_book: 'memorial.guestBookTitle',
} as const satisfies Record<Exclude<EventGroup, 'webhook_endpoint'>, MessageKey>;

const GROUPS = Object.entries(GROUP_LABELS).map(([name, label]) => ({
  pattern: `${name}.*`,
  label,
  types: EVENT_TYPE_NAMES.filter((type) => type.startsWith(`${name}.`)),
}));

export type EndpointFormValues = Readonly<Record<string, string>>;

interface EndpointForm {
  action: string;
  token: FormToken;
  submit: string;
  hidden: Readonly<Record<string, string>>;
  values: EndpointFormValues;
  errors: FormErrors;
  allowsLoopback: boolean;
  locale: Locale;
}

/** Read an endpoint from its form. What a chosen pattern includes is left out. */
export function readEndpointForm(values: EndpointFormValues) {
  const chosen = EVENT_TYPE_PATTERNS.filter((pattern) => values[EVENT_PREFIX + pattern] !== undefined);
  return {
    url: values.url?.trim() ?? '',
    eventTypes: removeIncludedPatterns(chosen),
    include: values.include === undefined ? null : ('object' as const),
    description: values.description?.trim() || null,
  };
}

/** Find what is wrong with what `readEndpointForm` read. */
export function findEndpointFormErrors(
  input: ReturnType<typeof readEndpointForm>,
  { allowsLoopback }: { allowsLoopback: boolean },
): FieldError[] {
  const { url, eventTypes } = input;
  const problem = findWebhookUrlProblem(url, allowsLoopback);
  const own: FieldError[] = [
    ...(url === '' ? [{ field: 'url', code: 'REQUIRED', message: '' }] : []),
    ...(url !== '' && problem !== null ? [{ field: 'url', code: problem, message: '' }] : []),
    ...(eventTypes.length === 0 ? [{ field: 'eventTypes', code: 'REQUIRED', message: '' }] : []),
  ];
  const others = findSchemaErrors({ ...input }).filter(
    ({ field }) => !own.some((error) => error.field === field),
  );
  return [...own, ...others];
}

/** Show an endpoint in its form. */
export function toEndpointFormValues(endpoint: {
  url: string;
  eventTypes: readonly string[];
  include: 'object' | null;
  description: string | null;
}): EndpointFormValues {
  return {
    url: endpoint.url,
    ...Object.fromEntries(endpoint.eventTypes.map((pattern) => [EVENT_PREFIX + pattern, '1'])),
    ...(endpoint.include && { include: '1' }),
    description: endpoint.description ?? '',
  };
}

/** Tell whether two choices are the same, so that saving a form unchanged changes nothing. */
export function areSamePatterns(one: readonly string[], other: readonly string[]): boolean {
  const normalize = (patterns: readonly string[]) => removeIncludedPatterns(patterns).toSorted().join(' ');
  return normalize(one) === normalize(other);
}

function removeIncludedPatterns(patterns: readonly string[]): string[] {
  if (patterns.includes(ALL_EVENTS)) return [ALL_EVENTS];
  return patterns.filter(
    (pattern) => pattern.endsWith('.*') || !patterns.includes(`${pattern.slice(0, pattern.indexOf('.'))}.*`),
  );
}

export function renderEndpointForm(form: EndpointForm): Html {
  const { values, errors, locale, allowsLoopback } = form;
  return renderForm({
    action: form.action,
    token: form.token,
    submit: form.submit,
    hidden: form.hidden,
    fields: [
      renderField(
        {
          name: 'url',
          label: t(locale, 'app.webhooks.url'),
          hint: t(locale, allowsLoopback ? 'app.webhooks.urlHintLocal' : 'app.webhooks.urlHint'),
          // A field of the type url would be refused by browsers in their words.
          inputMode: 'url',
          autocomplete: 'off',
          value: values.url,
          maxLength: 2048,
          isRequired: true,
        },
        errors,
        locale,
      ),
      renderEventTypes(values, errors, locale),
      html`<label class="choice"><input type="checkbox" name="include" value="1" aria-describedby="include-hint"${values.include !== undefined && html` checked`}> ${t(locale, 'app.webhooks.include')}</label><p class="hint" id="include-hint">${t(locale, 'app.webhooks.includeHint')}</p>\n`,
      renderField(
        {
          name: 'description',
          label: t(locale, 'app.webhooks.description'),
          value: values.description,
          maxLength: 200,
          autocomplete: 'off',
        },
        errors,
        locale,
      ),
    ],
  });
}

function renderEventTypes(values: EndpointFormValues, errors: FormErrors, locale: Locale): Html {
  const error = errors.find(({ field }) => field === 'eventTypes');
  const renderChoice = (pattern: string, label: string | null) =>
    html`<label class="choice"><input type="checkbox" name="${EVENT_PREFIX}${pattern}" value="1"${values[EVENT_PREFIX + pattern] !== undefined && html` checked`}> ${label && html`${label} `}<code dir="ltr">${pattern}</code></label>\n`;
  return html`<fieldset class="group" id="eventTypes"${error && html` aria-describedby="eventTypes-error"`}><legend>${t(locale, 'app.webhooks.events')}</legend>${error && html`<p class="error" id="eventTypes-error">${translateFieldError(error, locale)}</p>`}${renderChoice(ALL_EVENTS, t(locale, 'app.webhooks.allEvents'))}${GROUPS.map(
    ({ pattern, label, types }) => {
      const isOpen = types.some((type) => values[EVENT_PREFIX + type] !== undefined);
      return html`${renderChoice(pattern, t(locale, label))}<details class="list"${isOpen && html` open`}><summary>${t(locale, 'app.webhooks.someEvents')} <span class="visually-hidden">${t(locale, label)}</span></summary><div class="group">${types.map((type) => renderChoice(type, null))}</div></details>`;
    },
  )}</fieldset>\n`;
}
