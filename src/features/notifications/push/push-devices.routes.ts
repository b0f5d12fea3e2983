import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { requireAuthenticatedUser } from '../../../platform/authentication.ts';
import { parseListPage, toListPage } from '../../../platform/http/list-pages.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { allowUsers, auditAs, skipAudit } from '../../../platform/route-access.ts';
import { createIdParamsSchema, DeletedResponse, schemaRef } from '../../../shared/common.schemas.ts';
import { createTimeSort } from '../../../shared/list-cursor.ts';
import { createPageSchema, PageQuery } from '../../../shared/pagination.ts';
import { listPushDevices, type PushDeviceRow } from './push-device.repository.ts';
import { NewPushDevice, PushDevice, TestPush } from './push-devices.schemas.ts';
import { toPushDeviceView } from './push-devices.view.ts';
import { registerPushDevice, removePushDevice } from './register-device.use-case.ts';
import { sendTestPush, type TestPushServices } from './send-test-push.use-case.ts';

const LAST_USED_FIRST = createTimeSort('-lastUsedAt', ({ lastUsedAt }: PushDeviceRow) => lastUsedAt);

// A device belongs to a session.
const OWN_ACCESS = allowUsers('account:manage');

export const pushDeviceRoutes: FastifyPluginAsyncTypebox<TestPushServices> = async (app, services) => {
  const { database } = services;

  app.post(
    '',
    {
      config: { access: OWN_ACCESS, audit: auditAs('PUSH_DEVICE_REGISTERED'), storesResponse: true },
      schema: {
        operationId: 'notifications.registerDevice',
        tags: ['Notifications'],
        summary: 'Register this device for push notifications until its session ends',
        description:
          'A known token updates its device and returns 200. A device belongs to the account that is logged in on it. An account can have up to 20 devices; the least recently used one is removed.',
        body: NewPushDevice,
        response: { 200: schemaRef(PushDevice), 201: schemaRef(PushDevice) },
      },
    },
    async (request, reply) => {
      const user = requireAuthenticatedUser(request);
      const { row, isNew } = await registerPushDevice(
        services,
        getRequestContext(request),
        user,
        request.body,
      );
      if (isNew) reply.code(201).header('Location', '/api/notifications/devices');
      return toPushDeviceView(row, user);
    },
  );

  app.get(
    '',
    {
      config: { access: OWN_ACCESS, audit: skipAudit('SESSION'), cache: 'revalidate' },
      schema: {
        operationId: 'notifications.listDevices',
        tags: ['Notifications'],
        summary: 'List the devices registered for push notifications, most recently used first',
        description: '`current` marks the device of this session.',
        querystring: PageQuery,
        response: { 200: createPageSchema(PushDevice) },
      },
    },
    async (request) => {
      const user = requireAuthenticatedUser(request);
      const page = parseListPage(request, LAST_USED_FIRST);
      const list = await listPushDevices(database.client, user.id, page);
      return toListPage(page, list, (row) => toPushDeviceView(row, user));
    },
  );

  app.delete(
    '/:id',
    {
      config: { access: OWN_ACCESS, audit: auditAs('PUSH_DEVICE_REMOVED') },
      schema: {
        operationId: 'notifications.deleteDevice',
        tags: ['Notifications'],
        summary: 'Unregister a device from push notifications',
        description: 'Pushes to this device stop. Its session goes on.',
        params: createIdParamsSchema('id'),
        response: { 200: schemaRef(DeletedResponse) },
      },
    },
    async (request) => {
      const { id } = request.params;
      await removePushDevice(database, getRequestContext(request), requireAuthenticatedUser(request).id, id);
      return { id, deleted: true as const };
    },
  );

  app.post(
    '/:id/test',
    {
      config: { access: OWN_ACCESS, audit: auditAs('PUSH_TEST_SENT'), storesResponse: true },
      schema: {
        operationId: 'notifications.testDevice',
        tags: ['Notifications'],
        summary: 'Send a test push notification to a device',
        description:
          '`FAILED` tells why in `reason`, as deliveries of notifications do. A device that is gone is removed. At most 20 an hour.',
        params: createIdParamsSchema('id'),
        response: { 200: schemaRef(TestPush) },
      },
    },
    async (request) => {
      const user = requireAuthenticatedUser(request);
      const result = await sendTestPush(services, getRequestContext(request), user, request.params.id);
      const { id, status, reason } = result;
      return { id, status, reason };
    },
  );
};
