import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { getActingAccount } from '../../platform/acting-account.ts';
import { requireAccount, requireAuthenticatedUser } from '../../platform/authentication.ts';
import type { Tx } from '../../platform/database.ts';
import { listDeletions } from '../../platform/deletion.repository.ts';
import { formatVersionEtag } from '../../platform/http/if-match.ts';
import { isMergePatch } from '../../platform/http/json-body.ts';
import { listChanges } from '../../platform/http/list-changes.ts';
import { parseListPage, toListPage } from '../../platform/http/list-pages.ts';
import { prepareCreatedReply } from '../../platform/http/reply-created.ts';
import { defineUpdateRoutes } from '../../platform/http/update-routes.ts';
import { createProblemResponseSchemas } from '../../platform/openapi.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import {
  allowLimitedMembers,
  allowUsers,
  allowUsersWithProfile,
  auditAs,
  skipAudit,
} from '../../platform/route-access.ts';
import {
  createIdParamsSchema,
  DeletedResponse,
  IdempotencyKeyHeader,
  schemaRef,
} from '../../shared/common.schemas.ts';
import { formatLifetime } from '../../shared/lifetimes.ts';
import { createChangesPageSchema, UpdatedSince } from '../../shared/list-changes.schemas.ts';
import { createSortParam, PageQuery } from '../../shared/pagination.ts';
import { createQrCode } from './create-qrcode.use-case.ts';
import { deleteOwnQrCode } from './delete-qrcode.use-case.ts';
import { type Included, IncludeParameter, parseInclude, QrCodeListItem } from './included-content.ts';
import { parseQrCodeListFilter, QR_CODE_LIST_FILTERS } from './list-filters.ts';
import { listOwnQrCodes } from './list-own-qrcodes.ts';
import { getOwnedQrCodeId } from './owned-qrcode-id.ts';
import type { QrCodeWithScanCounts } from './qrcode.repository.ts';
import { toQrCodeItemView, toQrCodeView } from './qrcode.view.ts';
import { findQrCodeKindFilterErrors } from './qrcode-input.rules.ts';
import { QR_CODE_LIST_SORTS, QR_CODE_SORTS, type QrCodeListRow } from './qrcode-list.repository.ts';
import type { QrCodeServices } from './qrcode-services.ts';
import { NewQrCode, QrCode, QrCodeChange } from './qrcodes.schemas.ts';
import { getOwnQrCode, readOwnQrCode, readQrCodeByBreakGlass } from './read-own-qrcode.ts';
import { findNewQrCodeErrors } from './read-qrcode-body.ts';
import {
  completePatchedData,
  findQrCodeChangeErrors,
  updateAndReadOwnQrCode,
} from './update-own-qrcode.use-case.ts';

const QrCodeListQuery = Type.Object({
  ...PageQuery.properties,
  ...QR_CODE_LIST_FILTERS,
  include: IncludeParameter,
  updatedSince: UpdatedSince,
  sort: createSortParam(QR_CODE_SORTS),
});

export const qrCodeRoutes: FastifyPluginAsyncTypebox<QrCodeServices> = async (app, services) => {
  const { database } = services;

  app.get(
    '',
    {
      config: {
        access: allowLimitedMembers(allowUsers('qrcodes:own'), 'FILTERED'),
        audit: skipAudit('QRCODE'),
        cache: 'revalidate',
        findQueryErrors: findQrCodeKindFilterErrors,
      },
      schema: {
        operationId: 'qrcodes.list',
        tags: ['QR codes'],
        summary: 'List your codes, newest first',
        description:
          'Items have no `data` unless `include` names it. Deleted codes are listed only with `status=DELETED`, while they can be restored. Scans and an expiry do not change `updatedAt`.',
        querystring: QrCodeListQuery,
        response: { 200: createChangesPageSchema(QrCodeListItem) },
      },
    },
    async (request, reply) => {
      const { sort: sortName = '-createdAt', updatedSince } = request.query;
      const sort = QR_CODE_LIST_SORTS[sortName];
      const included = parseInclude(request.query.include);
      // Browsers keep no decrypted content, as of a single code.
      if (included) reply.header('Cache-Control', 'no-store');
      if (updatedSince !== undefined) return listQrCodeChanges(request, included);
      const page = parseListPage(request, sort);
      const user = requireAuthenticatedUser(request);
      const filter = parseQrCodeListFilter(request.query, user.timeZone);
      const context = getRequestContext(request);
      const list = await listOwnQrCodes(services, context, user, { filter, sort, range: page, included });
      return toListPage(page, list, (row) => ({
        ...toQrCodeItemView(services, row),
        ...list.contents.get(row.id),
      }));
    },
  );

  app.post(
    '',
    {
      config: {
        access: allowLimitedMembers(allowUsersWithProfile('qrcodes:own'), 'FILTERED'),
        audit: auditAs('QRCODE_CREATED'),
        findUseCaseErrors: (body) => findNewQrCodeErrors(services, body),
      },
      schema: {
        operationId: 'qrcodes.create',
        tags: ['QR codes'],
        summary: 'Create a code',
        description:
          'Returns the addresses of the code and its image: `scanUrl` and `imageUrl`, which is drawn on its first request. GET /api/qrcodes/kinds says what `data` may have. 403 PLAN_LIMIT_REACHED above the package; 400 IMAGE_NOT_SCANNABLE for a design that phones cannot read.',
        headers: IdempotencyKeyHeader,
        body: NewQrCode,
        response: { 201: schemaRef(QrCode), ...createProblemResponseSchemas(403, 409, 503) },
      },
    },
    async (request, reply) =>
      prepareCreatedReply(
        reply,
        await createQrCode(services, getRequestContext(request), requireAccount(request).id, request.body),
      ),
  );

  app.get(
    '/:id',
    {
      config: {
        access: allowLimitedMembers(allowUsers('qrcodes:own'), 'CODE'),
        audit: auditAs('MEDICAL_DATA_READ'),
      },
      schema: {
        operationId: 'qrcodes.get',
        tags: ['QR codes'],
        summary: 'Get a code; reads of medical codes are audited',
        description:
          'Returns the code with its decrypted content. Administrators can read it with emergency access only: POST /api/admin/break-glass.',
        params: createIdParamsSchema('id'),
        response: { 200: schemaRef(QrCode) },
      },
    },
    async (request, reply) => {
      const context = getRequestContext(request);
      const view = async (row: QrCodeWithScanCounts, tx: Tx) =>
        toQrCodeView(services, row, await services.isReadOnly(tx, 'qrCodes', row));
      const code =
        (await readQrCodeByBreakGlass(database, context, request.params.id, view)) ??
        (await readOwnQrCode(database, context, getOwnedQrCodeId(request), view));
      return reply.header('ETag', formatVersionEtag(code.version)).send(code);
    },
  );

  defineUpdateRoutes(app, {
    url: '/:id',
    operationIds: { put: 'qrcodes.update', patch: 'qrcodes.patch' },
    config: {
      access: allowLimitedMembers(allowUsersWithProfile('qrcodes:own'), 'CODE'),
      audit: auditAs('QRCODE_UPDATED'),
      findUseCaseErrors: async (body, request: FastifyRequest<{ Params: { id: string } }>) => {
        const row = await getOwnQrCode(database.client, getOwnedQrCodeId(request));
        return findQrCodeChangeErrors(services, row, toWholeChange(request, row, body));
      },
    },
    schema: {
      tags: ['QR codes'],
      summary: 'Update a code; its `data` is replaced as a whole',
      description:
        'A changed design gives the image a new address. `kind`, `mode` and the content of a STATIC code are fixed: 409 IMMUTABLE_FIELD. The content of a code above the limits of the package is read-only: 403 PLAN_LIMIT_REACHED.',
      params: createIdParamsSchema('id'),
      body: QrCodeChange,
      response: { 200: schemaRef(QrCode), ...createProblemResponseSchemas(403, 409, 412, 503) },
    },
    handler: async (request, reply) => {
      const before = await getOwnQrCode(database.client, getOwnedQrCodeId(request));
      const code = await updateAndReadOwnQrCode(
        services,
        getRequestContext(request),
        before,
        toWholeChange(request, before, request.body),
        request.headers['if-match'],
      );
      return reply.header('ETag', formatVersionEtag(code.version)).send(code);
    },
  });

  app.delete(
    '/:id',
    {
      config: {
        access: allowLimitedMembers(allowUsers('qrcodes:own'), 'CODE'),
        audit: auditAs('QRCODE_DELETED'),
      },
      schema: {
        operationId: 'qrcodes.delete',
        tags: ['QR codes'],
        summary: `Delete a code; it can be restored for ${formatLifetime('deletedQrCode')}`,
        description: `Finders no longer see the code, and its image is removed. After ${formatLifetime('deletedQrCode')} its content is erased.`,
        params: createIdParamsSchema('id'),
        response: { 200: schemaRef(DeletedResponse), ...createProblemResponseSchemas(412) },
      },
    },
    async (request) => {
      const { id } = request.params;
      const context = getRequestContext(request);
      await deleteOwnQrCode(services, context, getOwnedQrCodeId(request), request.headers['if-match']);
      return { id, deleted: true as const };
    },
  );

  function toWholeChange(
    request: FastifyRequest,
    row: QrCodeWithScanCounts,
    body: Static<typeof QrCodeChange>,
  ): Static<typeof QrCodeChange> {
    return isMergePatch(request) ? completePatchedData(services, row, body) : body;
  }

  async function listQrCodeChanges(
    request: FastifyRequest<{ Querystring: Static<typeof QrCodeListQuery> }>,
    included: Included | undefined,
  ) {
    const user = requireAuthenticatedUser(request);
    const sort = QR_CODE_LIST_SORTS.updatedAt;
    return listChanges(request, sort, async (updatedSince, page) => {
      const context = getRequestContext(request);
      const filter = { updatedSince };
      const list = await listOwnQrCodes(services, context, user, { filter, sort, range: page, included });
      const gone = await listDeletions(
        services.database.client,
        { accountId: getActingAccount(user).id, type: 'QRCODE', since: updatedSince },
        page,
      );
      const isDeleted = ({ status }: QrCodeListRow) => status === 'DELETED';
      return {
        rows: list.rows.filter((row) => !isDeleted(row)),
        deletions: [
          ...list.rows.filter(isDeleted).map(({ id, updatedAt: deletedAt }) => ({ id, deletedAt })),
          ...gone,
        ],
        toItem: (row: QrCodeListRow) => ({
          ...toQrCodeItemView(services, row),
          ...list.contents.get(row.id),
        }),
      };
    });
  }
};
