import type { FastifyPluginAsync } from 'fastify';
import { apiKeyPageRoutes } from '../developers/api-keys.routes.ts';
import { eventPageRoutes } from '../developers/events.routes.ts';
import { webhookDeliveryPageRoutes } from '../developers/webhooks/deliveries.routes.ts';
import { webhookPageRoutes } from '../developers/webhooks/endpoint.routes.ts';
import { webhookListPageRoutes } from '../developers/webhooks/endpoint-list.routes.ts';
import type { OwnerPageServices } from '../owner-page-services.ts';
import { dataPageRoutes } from './data.routes.ts';
import { erasurePageRoutes } from './erasure.routes.ts';
import { beginIdentityLinkPageRoutes, identityLinkPageRoutes } from './identity-link.routes.ts';
import { memberPageRoutes } from './members.routes.ts';
import { notificationsPageRoutes } from './notifications.routes.ts';
import { organizationPageRoutes } from './organizations.routes.ts';
import { planPageRoutes } from './plan.routes.ts';
import { profilePageRoutes } from './profile.routes.ts';
import { secondFactorPageRoutes } from './second-factor.routes.ts';
import { securityPageRoutes } from './security.routes.ts';

/** The settings of an account. */
export const settingsPageRoutes: FastifyPluginAsync<OwnerPageServices> = async (app, services) => {
  const options = { ...services, prefix: '/:accountId/settings' };
  await app.register(profilePageRoutes, options);
  await app.register(securityPageRoutes, options);
  await app.register(beginIdentityLinkPageRoutes, options);
  await app.register(identityLinkPageRoutes, services);
  await app.register(secondFactorPageRoutes, options);
  await app.register(notificationsPageRoutes, options);
  await app.register(organizationPageRoutes, options);
  await app.register(memberPageRoutes, options);
  await app.register(planPageRoutes, options);
  await app.register(dataPageRoutes, options);
  await app.register(erasurePageRoutes, options);
  const developers = { ...services, prefix: '/:accountId/developers' };
  await app.register(apiKeyPageRoutes, developers);
  await app.register(eventPageRoutes, developers);
  await app.register(webhookListPageRoutes, developers);
  await app.register(webhookPageRoutes, developers);
  await app.register(webhookDeliveryPageRoutes, developers);
};
