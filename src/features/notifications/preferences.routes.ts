import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { requireAuthenticatedUser } from '../../platform/authentication.ts';
import type { Database } from '../../platform/database.ts';
import { formatVersionEtag } from '../../platform/http/if-match.ts';
import { defineUpdateRoutes } from '../../platform/http/update-routes.ts';
import { createProblemResponseSchemas } from '../../platform/openapi.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import { allowUsers, auditAs, skipAudit } from '../../platform/route-access.ts';
import { schemaRef } from '../../shared/common.schemas.ts';
import { findNotificationSettingErrors, updateNotificationSettings } from './change-settings.use-case.ts';
import { NotificationPreferences, NotificationPreferencesChange } from './preferences.schemas.ts';
import { toNotificationPreferencesView } from './preferences.view.ts';
import { getNotificationSettings } from './settings.repository.ts';

const OWN_ACCESS = allowUsers('notifications:own');

export const notificationPreferencesRoutes: FastifyPluginAsyncTypebox<{ database: Database }> = async (
  app,
  { database },
) => {
  app.get(
    '/preferences',
    {
      config: { access: OWN_ACCESS, audit: skipAudit('USER') },
      schema: {
        operationId: 'notifications.getPreferences',
        tags: ['Notifications'],
        summary: 'Get your notification channels per event, quiet hours and digest frequency',
        description:
          '`changeable` says which channels can be switched: some emails about security and payments are always sent.',
        response: { 200: schemaRef(NotificationPreferences) },
      },
    },
    async (request, reply) => {
      const { id, timeZone } = requireAuthenticatedUser(request);
      const settings = await getNotificationSettings(database.client, id);
      return reply
        .header('ETag', formatVersionEtag(settings.version))
        .send(toNotificationPreferencesView(settings, timeZone));
    },
  );

  defineUpdateRoutes(app, {
    url: '/preferences',
    operationIds: { put: 'notifications.updatePreferences', patch: 'notifications.patchPreferences' },
    config: {
      access: OWN_ACCESS,
      audit: auditAs('NOTIFICATION_PREFERENCES_CHANGED'),
      findBodyErrors: findNotificationSettingErrors,
    },
    schema: {
      tags: ['Notifications'],
      summary: 'Update notification preferences; null disables quiet hours',
      description:
        'Events and channels that are left out keep their values. A channel that is not `changeable` cannot be switched (400).',
      body: NotificationPreferencesChange,
      response: { 200: schemaRef(NotificationPreferences), ...createProblemResponseSchemas(412) },
    },
    handler: async (request, reply) => {
      const { id, timeZone } = requireAuthenticatedUser(request);
      const settings = await updateNotificationSettings(
        database,
        getRequestContext(request),
        id,
        request.body,
        request.headers['if-match'],
      );
      return reply
        .header('ETag', formatVersionEtag(settings.version))
        .send(toNotificationPreferencesView(settings, timeZone));
    },
  });
};
