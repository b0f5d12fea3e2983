import type { FastifyReply, FastifyRequest } from 'fastify';
import { requireAccount } from '../../../../platform/authentication.ts';
import { allowByCookie, allowUsers, skipAudit } from '../../../../platform/route-access.ts';
import { createIdParamsSchema } from '../../../../shared/common.schemas.ts';
import { ServiceError } from '../../../../shared/errors.ts';
import type { Locale } from '../../../../shared/i18n/locales.ts';
import { type MessageKey, t } from '../../../../shared/i18n/translate.ts';
import {
  findWebhookEndpoint,
  MAX_WEBHOOK_ENDPOINTS,
  toWebhookEndpointView,
  type WebhookServices,
} from '../../../webhooks/index.ts';
import type { OwnerPageServices } from '../../owner-page-services.ts';
import { describeRefusal, type FormRefusal, getDevelopersPath } from '../../settings/settings-page.ts';

export type EndpointRequest = FastifyRequest<{ Params: { accountId: string; endpointId: string } }>;

export type WebhookEndpointView = ReturnType<typeof toWebhookEndpointView>;

export const EndpointParams = createIdParamsSchema('accountId', 'endpointId');

export const WEBHOOK_ACCESS = allowByCookie(allowUsers('webhooks:own'));

export const WEBHOOK_PAGE_CONFIG = {
  access: WEBHOOK_ACCESS,
  audit: skipAudit('USER'),
  rateLimitClass: 'page',
} as const;

export function getWebhookServices(services: OwnerPageServices): WebhookServices {
  return { ...services, dispatcher: services.webhookDispatcher, allowsLoopback: !services.config.production };
}

/** Get the endpoint that the address names. @throws NOT_FOUND */
export async function getOwnEndpoint(
  { database, fieldCipher }: Pick<OwnerPageServices, 'database' | 'fieldCipher'>,
  { params }: EndpointRequest,
): Promise<WebhookEndpointView> {
  const row = await findWebhookEndpoint(database.client, params.accountId, params.endpointId);
  if (!row) throw new ServiceError('NOT_FOUND');
  return toWebhookEndpointView(fieldCipher, row);
}

export function getWebhooksPath(services: OwnerPageServices, request: FastifyRequest): string {
  return `${getDevelopersPath(services, requireAccount(request).id)}/webhooks`;
}

export function getEndpointPath(
  services: OwnerPageServices,
  request: FastifyRequest<{ Params: { endpointId: string } }>,
): string {
  return `${getWebhooksPath(services, request)}/${request.params.endpointId}`;
}

/** What its owner calls an endpoint, or else its host. */
export function getEndpointTitle({ description, url }: WebhookEndpointView): string {
  return description ?? new URL(url).host;
}

/** Describe why a use case refused a form; `fields` has the codes that stand at a field. */
export function describeWebhookRefusal(
  error: unknown,
  reply: FastifyReply,
  locale: Locale,
  fields: Parameters<typeof describeRefusal>[3] = {},
): FormRefusal {
  return describeRefusal(error, reply, locale, fields, {
    TOO_MANY_WEBHOOK_ENDPOINTS: t(locale, 'app.webhooks.tooMany', { count: MAX_WEBHOOK_ENDPOINTS }),
    RESPONSE_NOT_STORED: t(locale, 'app.webhooks.again'),
    IDEMPOTENCY_KEY_REUSED: t(locale, 'app.webhooks.again'),
    PRECONDITION_FAILED: t(locale, 'app.content.changed'),
    WEBHOOK_ENDPOINT_DISABLED: t(locale, 'app.webhooks.refused.disabled'),
    WEBHOOK_ENDPOINT_UNVERIFIED: t(locale, 'app.webhooks.refused.unverified'),
  });
}

const STATE_LABELS = {
  active: 'app.developers.status.active',
  failing: 'app.webhooks.states.failing',
  unverified: 'app.webhooks.states.unverified',
  paused: 'app.codes.statuses.PAUSED',
  off: 'app.webhooks.states.off',
} as const satisfies Record<string, MessageKey>;

export type EndpointState = keyof typeof STATE_LABELS;

export function getEndpointState({
  enabled,
  disabledReason,
  verified,
  failingSince,
}: WebhookEndpointView): EndpointState {
  if (!enabled) return disabledReason === 'OWNER' ? 'paused' : 'off';
  if (!verified) return 'unverified';
  return failingSince === null ? 'active' : 'failing';
}

export function translateEndpointState(endpoint: WebhookEndpointView, locale: Locale): string {
  return t(locale, STATE_LABELS[getEndpointState(endpoint)]);
}
