import { type Html, html } from '../../../../shared/html.ts';
import type { Locale } from '../../../../shared/i18n/locales.ts';
import { type MessageKey, t } from '../../../../shared/i18n/translate.ts';
import type { toWebhookDeliveryView } from '../../../webhooks/index.ts';

export type DeliveryView = ReturnType<typeof toWebhookDeliveryView>;

type Attempt = DeliveryView['attempts'][number];

export const DELIVERY_STATUS_LABELS = {
  PENDING: 'app.webhooks.statuses.pending',
  DELIVERED: 'app.webhooks.statuses.delivered',
  FAILED: 'app.webhooks.statuses.failed',
} as const satisfies Record<DeliveryView['status'], MessageKey>;

const ERROR_LABELS = {
  TIMEOUT: 'app.webhooks.errors.timeout',
  NAME_NOT_RESOLVED: 'app.webhooks.errors.nameNotResolved',
  ADDRESS_NOT_ALLOWED: 'app.webhooks.errors.addressNotAllowed',
  CERTIFICATE_INVALID: 'app.webhooks.errors.certificateInvalid',
  CONNECTION_FAILED: 'app.webhooks.errors.connectionFailed',
  CHALLENGE_NOT_RETURNED: 'app.webhooks.errors.challengeNotReturned',
} as const satisfies Record<Exclude<NonNullable<Attempt['error']>, 'STATUS'>, MessageKey>;

/** Render what an address answered: its status, or why there is none. */
export function renderAnswer({ statusCode, error }: Attempt, locale: Locale): Html {
  const status = statusCode !== null && html`<bdi dir="ltr">HTTP ${statusCode}</bdi>`;
  if (error === null || error === 'STATUS') return html`${status}`;
  return html`${status}${status && ' · '}${t(locale, ERROR_LABELS[error])}`;
}

/** Render the beginning of what an address answered, folded. */
export function renderResponse({ response }: Attempt, locale: Locale): Html | null {
  if (response === null) return null;
  const { contentType, body, truncated } = response;
  if (contentType === null && body === '') return null;
  return html`<details><summary>${t(locale, 'app.webhooks.response')}</summary>${contentType !== null && html`<p class="small"><bdi dir="ltr">${contentType}</bdi></p>`}${
    body === null
      ? html`<p>${t(locale, 'app.webhooks.responseNoText')}</p>`
      : body !== '' && html`<pre dir="ltr">${body}</pre>`
  }${truncated && html`<p class="small">${t(locale, 'app.webhooks.responseTruncated')}</p>`}</details>`;
}

export function formatMilliseconds(duration: number, { tag }: Locale): string {
  return new Intl.NumberFormat(tag, { style: 'unit', unit: 'millisecond' }).format(duration);
}
