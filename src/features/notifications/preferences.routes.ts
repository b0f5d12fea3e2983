import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { requireUser } from '../../platform/authentication.ts';
import type { Database } from '../../platform/database.ts';
import { formatVersionEtag } from '../../platform/http/if-match.ts';
import { createProblemResponses } from '../../platform/openapi.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import { allowUsers, auditAs, skipAudit } from '../../platform/route-access.ts';
import { schemaRef } from '../../shared/common.schemas.ts';
import { updateNotificationSettings } from './change-settings.ts';
import { NotificationPreferences, NotificationPreferencesChange } from './preferences.schemas.ts';
import { toPreferencesView } from './preferences.view.ts';
import { getNotificationSettings } from './settings.repository.ts';

const OWN_ACCESS = allowUsers('notifications:own');

/** By which channels, and when, a person is told of what. */
export const preferencesRoutes: FastifyPluginAsyncTypebox<{ database: Database }> = async (
  app,
  { database },
) => {
  app.get(
    '/preferences',
    {
      config: { access: OWN_ACCESS, audit: skipAudit('USER') },
      schema: {
        operationId: 'notifications.preferences',
        tags: ['Notifications'],
        summary:
          'By which channels you are told of what, your quiet hours, and when scans are told of together.',
        response: { 200: schemaRef(NotificationPreferences) },
      },
    },
    async (request, reply) => {
      const { id, timeZone } = requireUser(request);
      const settings = await getNotificationSettings(database.client, id);
      return reply
        .header('ETag', formatVersionEtag(settings.version))
        .send(toPreferencesView(settings, timeZone));
    },
  );

  for (const method of ['PUT', 'PATCH'] as const)
    app.route({
      method,
      url: '/preferences',
      config: { access: OWN_ACCESS, audit: auditAs('NOTIFICATION_PREFERENCES_CHANGED') },
      schema: {
        operationId: method === 'PUT' ? 'notifications.updatePreferences' : 'notifications.patchPreferences',
        tags: ['Notifications'],
        summary: 'Change them: what is not given stays; null for quiet hours ends them.',
        body: NotificationPreferencesChange,
        response: { 200: schemaRef(NotificationPreferences), ...createProblemResponses(412) },
      },
      handler: async (request, reply) => {
        const { id, timeZone } = requireUser(request);
        const ifMatch = request.headers['if-match'];
        const settings = await updateNotificationSettings(
          database,
          getRequestContext(request),
          id,
          request.body,
          ifMatch,
        );
        return reply
          .header('ETag', formatVersionEtag(settings.version))
          .send(toPreferencesView(settings, timeZone));
      },
    });
};
