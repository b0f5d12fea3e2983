import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { recordAction } from '../../platform/audit.ts';
import { userOf } from '../../platform/authentication.ts';
import { callerOf } from '../../platform/caller.ts';
import type { Tx } from '../../platform/database.ts';
import { created } from '../../platform/http/created.ts';
import { checkVersion, versionTag } from '../../platform/http/if-match.ts';
import { problems } from '../../platform/openapi.ts';
import { account, accountWithProfile, audited, unaudited } from '../../platform/route-access.ts';
import { Deleted, IdempotencyHeader, idParams, oneOf, ref } from '../../shared/common.schemas.ts';
import { invalidFields } from '../../shared/errors.ts';
import { offsetOf, PageQuery, pageAnswer, pageOf } from '../../shared/pagination.ts';
import { mergeQrCode } from './change-qrcode.ts';
import { createQrCode } from './create-qrcode.ts';
import { lockOwnQrCode, ownQrCode, readInEmergency, readOwnQrCode } from './find-own-qrcode.ts';
import { parseKind } from './kinds/all-kinds.ts';
import { listOwnQrCodes } from './list-own-qrcodes.ts';
import { ownedIdOf } from './owned-id.ts';
import { type CountedQrCode, deleteQrCode } from './qrcode.repository.ts';
import { qrCodeItemView, qrCodeView } from './qrcode.view.ts';
import { kindProblems } from './qrcode-input.rules.ts';
import { QR_CODE_SORTS } from './qrcode-list.repository.ts';
import type { QrCodeServices } from './qrcode-services.ts';
import { NewQrCode, QrCode, QrCodeChange, QrCodeItem, STATUSES } from './qrcodes.schemas.ts';
import type { GivenBody } from './read-qrcode-body.ts';

const ListQuery = Type.Object({
  ...PageQuery.properties,
  search: Type.Optional(Type.String({ maxLength: 100, description: 'Text within title or kind.' })),
  kind: Type.Optional(Type.String({ maxLength: 40 })),
  status: Type.Optional(oneOf(STATUSES)),
  sort: Type.Optional(oneOf(QR_CODE_SORTS, { description: 'A field, descending with a minus.' })),
});

/** An owner's QR codes: list, make, read, change, delete. */
export const qrCodeRoutes: FastifyPluginAsyncTypebox<QrCodeServices> = async (app, services) => {
  const { database } = services;

  app.get(
    '',
    {
      // In enterprise mode what is listed leaves entries.
      exposeHeadRoute: false,
      config: { access: account('qrcodes:own'), audit: unaudited('QRCODE'), cache: 'revalidate' },
      schema: {
        operationId: 'qrcodes.list',
        tags: ['QR codes'],
        summary: 'The own codes, newest first.',
        querystring: ListQuery,
        response: { 200: pageOf(QrCodeItem) },
      },
    },
    async (request) => {
      const { search, kind: kindName, status, sort = '-createdAt', limit } = request.query;
      const kind = kindName ? parseKind(kindName) : undefined;
      if (kindName && !kind) throw invalidFields(...kindProblems(kindName));
      const { rows, total } = await listOwnQrCodes(database, callerOf(request), userOf(request), {
        search: search?.trim().normalize('NFC'),
        kind: kind?.kind,
        status,
        sort,
        skip: offsetOf(request.query),
        take: limit,
      });
      return pageAnswer(
        request.query,
        rows.map((row) => qrCodeItemView(services, row)),
        total,
      );
    },
  );

  app.post(
    '',
    {
      config: { access: accountWithProfile('qrcodes:own'), audit: audited('QRCODE_CREATED') },
      schema: {
        operationId: 'qrcodes.create',
        tags: ['QR codes'],
        summary: 'Make a code; its image is drawn and read back before it is stored.',
        headers: IdempotencyHeader,
        body: NewQrCode,
        response: { 201: ref(QrCode), ...problems(409, 503) },
      },
      attachValidation: true,
    },
    async (request, reply) =>
      created(reply, await createQrCode(services, callerOf(request), userOf(request).id, givenIn(request))),
  );

  app.get(
    '/:id',
    {
      exposeHeadRoute: false,
      config: { access: account('qrcodes:own'), audit: audited('MEDICAL_DATA_READ') },
      schema: {
        operationId: 'qrcodes.read',
        tags: ['QR codes'],
        summary: 'Read one of the own codes. Reading a medical code is audited.',
        params: idParams('id'),
        response: { 200: ref(QrCode) },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request);
      const view = async (row: CountedQrCode, tx: Tx) =>
        qrCodeView(services, row, await services.isReadOnly(tx, 'qrCodes', row));
      const code =
        (await readInEmergency(database, caller, request.params.id, view)) ??
        (await readOwnQrCode(database, caller, ownedIdOf(request), view));
      return reply.header('ETag', versionTag(code.version)).send(code);
    },
  );

  for (const method of ['PUT', 'PATCH'] as const) {
    app.route({
      method,
      url: '/:id',
      config: { access: accountWithProfile('qrcodes:own'), audit: audited('QRCODE_UPDATED') },
      schema: {
        operationId: method === 'PUT' ? 'qrcodes.update' : 'qrcodes.patch',
        tags: ['QR codes'],
        summary: 'Change a code: what is not given stays, null clears, data is replaced as a whole.',
        params: idParams('id'),
        body: QrCodeChange,
        response: { 200: ref(QrCode), ...problems(409, 412, 503) },
      },
      attachValidation: true,
      handler: async (request, reply) => {
        const { row, isReadOnly } = await mergeQrCode(
          services,
          callerOf(request),
          await ownQrCode(database.client, ownedIdOf(request)),
          {
            ...givenIn(request),
            ifMatch: request.headers['if-match'],
          },
        );
        return reply.header('ETag', versionTag(row.version)).send(qrCodeView(services, row, isReadOnly));
      },
    });
  }

  app.delete(
    '/:id',
    {
      config: { access: account('qrcodes:own'), audit: audited('QRCODE_DELETED') },
      schema: {
        operationId: 'qrcodes.delete',
        tags: ['QR codes'],
        summary: 'Delete a code; it can be brought back for 30 days.',
        params: idParams('id'),
        response: { 200: ref(Deleted), ...problems(412) },
      },
    },
    async (request) => {
      const { id } = request.params;
      await database.transaction(async (tx) => {
        checkVersion(request.headers['if-match'], (await lockOwnQrCode(tx, ownedIdOf(request))).version);
        await deleteQrCode(tx, userOf(request).id, id);
        await recordAction(tx, callerOf(request), { resourceId: id });
      });
      return { id, deleted: true as const };
    },
  );
};

/** The body with what the schema found wrong with it. */
function givenIn<Body>({
  body,
  validationError,
}: {
  body: Body;
  validationError?: unknown;
}): GivenBody<Body> {
  return { body, validationError };
}
