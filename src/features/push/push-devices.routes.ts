import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import { recordAction } from '../../platform/audit.ts';
import { userOf } from '../../platform/authentication.ts';
import { callerOf } from '../../platform/caller.ts';
import type { CurrentUser } from '../../platform/current-user.ts';
import type { Database } from '../../platform/database.ts';
import { account, audited, unaudited } from '../../platform/route-access.ts';
import type { Vault } from '../../platform/vault.ts';
import { Deleted, idParams, ref } from '../../shared/common.schemas.ts';
import { ServiceError } from '../../shared/errors.ts';
import { offsetOf, PageQuery, pageAnswer, pageOf } from '../../shared/pagination.ts';
import { deleteDevice, findDevice, listDevices, type PushDeviceRow } from './push-device.repository.ts';
import { NewPushDevice, PLATFORMS, PushDevice } from './push-devices.schemas.ts';
import { registerDevice } from './register-device.ts';

const OWN = account('notifications:own');

/** The devices that a person gets pushes on. */
export const pushDeviceRoutes: FastifyPluginAsyncTypebox<{ database: Database; vault: Vault }> = async (
  app,
  services,
) => {
  const { database } = services;

  app.post(
    '',
    {
      config: { access: OWN, audit: audited('PUSH_DEVICE_REGISTERED') },
      schema: {
        operationId: 'notifications.registerDevice',
        tags: ['Notifications'],
        summary: 'Register this device for pushes, until its session ends.',
        description:
          'The same token again is the same device, with 200. A device belongs to whoever is logged in on it. An account has 20 at most; the least lately used makes room.',
        body: NewPushDevice,
        response: { 200: ref(PushDevice), 201: ref(PushDevice) },
      },
    },
    async (request, reply) => {
      const user = userOf(request);
      const { row, isNew } = await registerDevice(services, callerOf(request), user, request.body);
      return reply.code(isNew ? 201 : 200).send(deviceView(row, user));
    },
  );

  app.get(
    '',
    {
      config: { access: OWN, audit: unaudited('SESSION'), cache: 'revalidate' },
      schema: {
        operationId: 'notifications.devices',
        tags: ['Notifications'],
        summary: 'The devices that the account gets pushes on, the last used first.',
        querystring: PageQuery,
        response: { 200: pageOf(PushDevice) },
      },
    },
    async (request) => {
      const user = userOf(request);
      const page = { skip: offsetOf(request.query), take: request.query.limit };
      const { rows, total } = await listDevices(database.client, user.id, page);
      return pageAnswer(
        request.query,
        rows.map((row) => deviceView(row, user)),
        total,
      );
    },
  );

  app.delete(
    '/:id',
    {
      config: { access: OWN, audit: audited('PUSH_DEVICE_REMOVED') },
      schema: {
        operationId: 'notifications.removeDevice',
        tags: ['Notifications'],
        summary: 'Send no pushes to a device any more.',
        params: idParams('id'),
        response: { 200: ref(Deleted) },
      },
    },
    async (request) => {
      const { id } = request.params;
      await database.transaction(async (tx) => {
        const device = await findDevice(tx, userOf(request).id, id);
        if (!device) throw new ServiceError('NOT_FOUND');
        await deleteDevice(tx, id);
        await recordAction(tx, callerOf(request), { resourceId: device.sessionId });
      });
      return { id, deleted: true as const };
    },
  );
};

function deviceView(row: PushDeviceRow, { sessionId }: CurrentUser): Static<typeof PushDevice> {
  return {
    id: row.id,
    platform: PLATFORMS.find((platform) => platform === row.platform) ?? 'WEB',
    name: row.name,
    current: row.sessionId === sessionId,
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt.toISOString(),
  };
}
