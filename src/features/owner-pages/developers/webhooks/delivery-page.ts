import { type Html, html } from '../../../../shared/html.ts';
import type { Locale } from '../../../../shared/i18n/locales.ts';
import { t, translateHtml } from '../../../../shared/i18n/translate.ts';
import { renderForm, renderSelect } from '../../components.ts';
import type { FormToken } from '../../form-token.ts';
import { renderMoment } from '../../format-moment.ts';
import {
  DELIVERY_STATUS_LABELS,
  type DeliveryView,
  formatMilliseconds,
  renderAnswer,
  renderResponse,
} from './delivery-parts.ts';
import type { WebhookEndpointView } from './webhook-parts.ts';

/** Ways to say what is replayed; events are kept no longer than the last. */
export const REPLAY_DAYS = [1, 7, 30] as const;

interface DeliveryPage {
  /** Of the delivery. */
  path: string;
  token: FormToken;
  endpoint: WebhookEndpointView;
  delivery: DeliveryView;
  user: { timeZone: string };
  locale: Locale;
}

/** Tell a script whether a delivery has changed. */
export function getDeliveryState({ status, attempts }: DeliveryView): string {
  return `${status}-${attempts.at(-1)?.at ?? ''}`;
}

/** Render a delivery with its attempts; one that is being sent updates itself. */
export function renderDelivery({ path, token, endpoint, delivery, user, locale }: DeliveryPage): Html {
  const { event, status, attempts, nextAttemptAt } = delivery;
  const isPending = status === 'PENDING';
  const canReplay = endpoint.enabled && endpoint.verified && !event.type.endsWith('.verification');
  const live = html` data-script="live" data-updates="${path}/updates" data-state="${getDeliveryState(delivery)}" data-seconds="2" data-text="${t(locale, 'app.webhooks.changed')}"`;
  return html`<div id="delivery"${isPending && live}><p><span class="chip">${t(locale, DELIVERY_STATUS_LABELS[status])}</span> ${renderMoment(new Date(event.timestamp), user, locale)}</p>
${
  attempts.length > 0 &&
  html`<div class="table" tabindex="0"><table><thead><tr><th scope="col">${t(locale, 'app.settings.accesses.when')}</th><th scope="col">${t(locale, 'app.webhooks.answer')}</th><th scope="col">${t(locale, 'app.webhooks.duration')}</th></tr></thead><tbody>${attempts
    .toReversed()
    .map(
      (attempt) =>
        html`<tr><td>${renderMoment(new Date(attempt.at), user, locale)}</td><td>${renderAnswer(attempt, locale)}${renderResponse(attempt, locale)}</td><td>${formatMilliseconds(attempt.durationMs, locale)}</td></tr>`,
    )}</tbody></table></div>`
}${
  isPending &&
  html`<p>${nextAttemptAt !== null && translateHtml(locale, 'app.webhooks.nextAttempt', { date: renderMoment(new Date(nextAttemptAt), user, locale) })}</p><p><a href="${path}">${t(locale, 'app.sheets.refresh')}</a></p>`
}</div>
${canReplay && renderForm({ action: `${path}/replay`, token, submit: t(locale, 'app.webhooks.replayOne'), kind: 'plain' })}
<h2>${t(locale, 'app.webhooks.sent')}</h2>${endpoint.include !== null && html`<p>${t(locale, 'app.webhooks.contentNotKept')}</p>`}<pre dir="ltr">${JSON.stringify(event, null, 2)}</pre>`;
}

interface ReplayForm {
  /** Of the endpoint. */
  path: string;
  token: FormToken;
  /** Where the last replay ended, if there is more. */
  from: Date | null;
  includesDelivered: boolean;
  user: { timeZone: string };
  locale: Locale;
}

/** Render the form that sends the events of a time again. */
export function renderReplayForm({ path, token, from, includesDelivered, user, locale }: ReplayForm): Html {
  const action = `${path}/replay`;
  if (from !== null)
    return html`<p>${translateHtml(locale, 'app.webhooks.replayMore', { date: renderMoment(from, user, locale) })}</p>
${renderForm({ action, token, hidden: { from: from.toISOString(), includeDelivered: includesDelivered ? '1' : undefined }, submit: t(locale, 'app.webhooks.replayContinue') })}
<p><a href="${path}">${t(locale, 'app.sheets.cancel')}</a></p>`;
  const period = renderSelect({
    name: 'days',
    label: t(locale, 'app.webhooks.replayPeriod'),
    value: String(REPLAY_DAYS[0]),
    options: REPLAY_DAYS.map((count) => ({
      value: String(count),
      label: t(locale, 'app.developers.days', { count }),
    })),
  });
  return html`<p>${t(locale, 'app.webhooks.replayText')}</p>
${renderForm({
  action,
  token,
  submit: t(locale, 'app.webhooks.replayOne'),
  fields: html`${period}<label class="choice"><input type="checkbox" name="includeDelivered" value="1"${includesDelivered && html` checked`}> ${t(locale, 'app.webhooks.replayDelivered')}</label>`,
})}
<p><a href="${path}">${t(locale, 'app.sheets.cancel')}</a></p>`;
}
