import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { requireAccount, requireAuthenticatedUser } from '../../../../platform/authentication.ts';
import { type Html, html } from '../../../../shared/html.ts';
import type { Locale } from '../../../../shared/i18n/locales.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import {
  DELIVERY_LIST_SORTS,
  DELIVERY_STATUSES,
  listWebhookDeliveries,
  toWebhookDeliveryView,
} from '../../../webhooks/index.ts';
import { renderEmptyState, renderSelect } from '../../components.ts';
import { CursorParams, parseCursorPage, renderCursorLinks } from '../../cursor-pages.ts';
import { renderMoment } from '../../format-moment.ts';
import type { OwnerPageServices } from '../../owner-page-services.ts';
import {
  DELIVERY_STATUS_LABELS,
  type DeliveryView,
  formatMilliseconds,
  renderAnswer,
} from './delivery-parts.ts';
import type { WebhookEndpointView } from './webhook-parts.ts';

const DELIVERIES_PER_PAGE = 20;

export const DeliveryListQuery = Type.Object({
  status: Type.Optional(Type.String()),
  done: Type.Optional(Type.String()),
  ...CursorParams,
});

interface DeliveryList {
  /** Of the endpoint. */
  path: string;
  endpoint: WebhookEndpointView;
  locale: Locale;
}

/** Render a page of the deliveries of an endpoint, newest event first. */
export async function renderDeliveryList(
  { database }: Pick<OwnerPageServices, 'database'>,
  request: FastifyRequest,
  { path, endpoint, locale }: DeliveryList,
): Promise<Html> {
  const query: { status?: string; after?: string; before?: string } = Object(request.query);
  const user = requireAuthenticatedUser(request);
  const status = DELIVERY_STATUSES.find((name) => name === query.status);
  const page = parseCursorPage(
    request,
    { filters: { status }, limit: DELIVERIES_PER_PAGE },
    [DELIVERY_LIST_SORTS['-event'], DELIVERY_LIST_SORTS.event],
    query,
  );
  const { rows, ...positions } = page.toPage(
    await listWebhookDeliveries(
      database.client,
      { accountId: requireAccount(request).id, endpointId: endpoint.id },
      {
        statuses: status && [status],
        sort: page.sort === DELIVERY_LIST_SORTS.event ? 'event' : '-event',
        cursor: page.range.after?.id ?? null,
        take: page.range.take,
      },
    ),
  );
  const filter = renderSelect({
    name: 'status',
    label: t(locale, 'app.webhooks.status'),
    value: status ?? '',
    script: 'submit-on-change',
    options: [
      { value: '', label: t(locale, 'app.webhooks.allDeliveries') },
      ...DELIVERY_STATUSES.map((value) => ({ value, label: t(locale, DELIVERY_STATUS_LABELS[value]) })),
    ],
  });
  const entries = rows.map((row) => renderEntry(path, toWebhookDeliveryView(row), user, locale));
  const isEmpty = rows.length === 0 && status === undefined;
  return html`<section><h2>${t(locale, 'app.webhooks.deliveries')}</h2>${
    isEmpty
      ? renderEmptyState(t(locale, 'app.webhooks.noDeliveries'))
      : html`<form method="get" action="${path}" class="filters"><div class="search"><div>${filter}</div><button class="plain">${t(locale, 'app.codes.show')}</button></div></form>
${entries.length > 0 ? html`<ul class="cards rows">${entries}</ul>` : renderEmptyState(t(locale, 'app.webhooks.noneWithStatus'))}
${renderCursorLinks(path, { status }, positions, locale)}`
  }${endpoint.enabled && endpoint.verified && html`<p><a href="${path}/replay">${t(locale, 'app.webhooks.replay')}</a></p>`}</section>`;
}

function renderEntry(path: string, delivery: DeliveryView, user: { timeZone: string }, locale: Locale): Html {
  const { event, attempts, status } = delivery;
  const last = attempts.at(-1);
  return html`<li><div><h3><a href="${path}/deliveries/${event.id}"><code dir="ltr">${event.type}</code></a></h3><p class="small">${renderMoment(new Date(event.timestamp), user, locale)}${
    last &&
    html` · ${renderAnswer(last, locale)} · ${formatMilliseconds(last.durationMs, locale)}${
      attempts.length > 1 && html` · ${t(locale, 'app.webhooks.attempts', { count: attempts.length })}`
    }`
  }</p></div><span class="chip">${t(locale, DELIVERY_STATUS_LABELS[status])}</span></li>\n`;
}
