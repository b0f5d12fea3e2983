import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { allowUsers, auditAs, skipAudit } from '../../../platform/route-access.ts';
import { schemaRef } from '../../../shared/common.schemas.ts';
import { findSubscriptionErrors } from './find-subscription-errors.ts';
import { PushDevice } from './push-devices.schemas.ts';
import { toPushDeviceView } from './push-devices.view.ts';
import { registerWebPushSubscription } from './register-device.use-case.ts';
import type { TestPushServices } from './send-test-push.use-case.ts';
import { NewWebPushSubscription, WebPushKey } from './web-push.schemas.ts';

// A browser belongs to a session.
const OWN_ACCESS = allowUsers('account:manage');

/** Push notifications of browsers, without Firebase. They are listed and removed as devices. */
export const webPushRoutes: FastifyPluginAsyncTypebox<TestPushServices> = async (app, services) => {
  const { webPush } = services;

  app.get(
    '/web-push-key',
    {
      config: { access: OWN_ACCESS, audit: skipAudit('SESSION'), cache: 'revalidate' },
      schema: {
        operationId: 'notifications.getWebPushKey',
        tags: ['Notifications'],
        summary: 'Get the public key with which browsers subscribe to push notifications',
        description: 'VAPID (RFC 8292). After it changed, browsers have to subscribe again.',
        response: { 200: schemaRef(WebPushKey) },
      },
    },
    async () => ({ publicKey: webPush.publicKey }),
  );

  app.post(
    '/web-push-subscriptions',
    {
      config: {
        access: OWN_ACCESS,
        audit: auditAs('PUSH_DEVICE_REGISTERED'),
        storesResponse: true,
        findBodyErrors: (body: Partial<Static<typeof NewWebPushSubscription>>) =>
          findSubscriptionErrors(webPush, body),
      },
      schema: {
        operationId: 'notifications.registerWebPushSubscription',
        tags: ['Notifications'],
        summary: 'Register this browser for push notifications until its session ends',
        description:
          'The body is the JSON of the `PushSubscription` of the browser and the key that it subscribed with. A known subscription updates its device and returns 200. It is one of the 20 devices of an account.',
        body: NewWebPushSubscription,
        response: { 200: schemaRef(PushDevice), 201: schemaRef(PushDevice) },
      },
    },
    async (request, reply) => {
      const user = requireAuthenticatedUser(request);
      const context = getRequestContext(request);
      const { row, isNew } = await registerWebPushSubscription(services, context, user, request.body);
      if (isNew) reply.code(201).header('Location', '/api/notifications/devices');
      return toPushDeviceView(row, user);
    },
  );
};
