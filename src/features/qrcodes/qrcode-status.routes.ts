import { randomBytes } from 'node:crypto';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { recordAction } from '../../platform/audit.ts';
import { userOf } from '../../platform/authentication.ts';
import { callerOf } from '../../platform/caller.ts';
import { created } from '../../platform/http/created.ts';
import { problems } from '../../platform/openapi.ts';
import { accountWithProfile, audited } from '../../platform/route-access.ts';
import { IdempotencyHeader, idParams, ref } from '../../shared/common.schemas.ts';
import { ServiceError } from '../../shared/errors.ts';
import { LIFETIMES } from '../../shared/lifetimes.ts';
import { openLost, sealLost } from './encrypted-content.ts';
import { lockOwnQrCode, ownQrCode, recordReading } from './find-own-qrcode.ts';
import { ownedIdOf } from './owned-id.ts';
import {
  changeQrCode,
  isRestorable,
  type QrCodeRow,
  type QrCodeRowChange,
  restoreQrCode,
} from './qrcode.repository.ts';
import { qrCodeView } from './qrcode.view.ts';
import type { QrCodeServices } from './qrcode-services.ts';
import { LostDetails, QrCode, TestLink } from './qrcodes.schemas.ts';
import { restorableSince } from './restore.rules.ts';
import { insertTestLink, testTokenHash } from './test-link.repository.ts';

/** What an owner says about a code: lost, found, back again, and "this is my own phone". */
export const qrCodeStatusRoutes: FastifyPluginAsyncTypebox<QrCodeServices> = async (app, services) => {
  const { database, vault } = services;

  app.post(
    '/:id/restore',
    {
      config: { access: accountWithProfile('qrcodes:own'), audit: audited('QRCODE_RESTORED') },
      schema: {
        operationId: 'qrcodes.restore',
        tags: ['QR codes'],
        summary: 'Bring a deleted code back, within 30 days.',
        params: idParams('id'),
        response: { 200: ref(QrCode) },
      },
    },
    async (request) => {
      const { id: ownerId } = userOf(request);
      const { id } = request.params;
      return database.transaction(async (tx) => {
        if (!(await isRestorable(tx, ownerId, id, restorableSince()))) throw new ServiceError('NOT_FOUND');
        await services.reserveRoom(tx, 'qrCodes', ownerId);
        const restored = await restoreQrCode(tx, ownerId, id);
        if (!restored) throw new ServiceError('NOT_FOUND');
        await recordAction(tx, callerOf(request), { resourceId: id });
        return qrCodeView(services, restored, false);
      });
    },
  );

  app.post(
    '/:id/lost',
    {
      config: { access: accountWithProfile('qrcodes:own'), audit: audited('QRCODE_REPORTED_LOST') },
      schema: {
        operationId: 'qrcodes.lost',
        tags: ['QR codes'],
        summary: 'Say that the thing is lost: page, alerts and messages change at once.',
        params: idParams('id'),
        body: LostDetails,
        response: { 200: ref(QrCode), ...problems(409) },
      },
    },
    async (request) => {
      const { message = null, reward = null, lastSeen = null } = request.body;
      return changeStatus(request, (row) => {
        const since = openLost(vault, row)?.since ?? new Date().toISOString();
        const lost = { message, reward, lastSeen, since };
        return { status: 'LOST', lostDetails: sealLost(vault, row, lost) };
      });
    },
  );

  app.post(
    '/:id/found',
    {
      config: { access: accountWithProfile('qrcodes:own'), audit: audited('QRCODE_REPORTED_FOUND') },
      schema: {
        operationId: 'qrcodes.found',
        tags: ['QR codes'],
        summary: 'Say that the thing is back.',
        params: idParams('id'),
        response: { 200: ref(QrCode), ...problems(409) },
      },
    },
    // A code that is not lost stays as it is: a paused one must not open by this.
    async (request) =>
      changeStatus(request, (row) =>
        row.status === 'LOST' ? { status: 'ACTIVE', lostDetails: null } : null,
      ),
  );

  app.post(
    '/:id/test',
    {
      config: { access: accountWithProfile('qrcodes:own'), audit: audited('QRCODE_TEST_LINK_CREATED') },
      schema: {
        operationId: 'qrcodes.testLink',
        tags: ['QR codes'],
        summary: 'A link for your own phone: after it, your scans of this code count as the owner’s.',
        params: idParams('id'),
        headers: IdempotencyHeader,
        response: { 201: ref(TestLink), ...problems(409) },
      },
    },
    async (request, reply) => {
      const code = await ownQrCode(database.client, ownedIdOf(request));
      const caller = callerOf(request);
      const once = { who: code.ownerId, sameAs: null };
      const made = await services.createOnce(caller, once, async (tx) => {
        const token = randomBytes(32).toString('base64url');
        const expiresAt = new Date(Date.now() + LIFETIMES.testLink * 1000);
        await insertTestLink(tx, { tokenHash: testTokenHash(token), qrCodeId: code.id, expiresAt });
        await recordAction(tx, caller, { resourceId: code.id });
        const url = `${services.publicBaseUrl}/s/test/${token}`;
        return { body: { url, expiresAt: expiresAt.toISOString() }, location: url };
      });
      return created(reply, made);
    },
  );

  async function changeStatus(
    request: FastifyRequest<{ Params: { id: string } }>,
    change: (row: QrCodeRow) => QrCodeRowChange | null,
  ) {
    return database.transaction(async (tx) => {
      const before = await lockOwnQrCode(tx, ownedIdOf(request));
      const isReadOnly = await services.isReadOnly(tx, 'qrCodes', before);
      const given = change(before);
      if (!given) {
        const unchanged = qrCodeView(services, before, isReadOnly);
        await recordReading(tx, callerOf(request), before);
        return unchanged;
      }
      const after = await changeQrCode(tx, before, given);
      if (!after) throw new ServiceError('CONFLICT', { retryAfterSeconds: 1 });
      await recordAction(tx, callerOf(request), { resourceId: before.id, changes: ['status'] });
      return qrCodeView(services, after, isReadOnly);
    });
  }
};
