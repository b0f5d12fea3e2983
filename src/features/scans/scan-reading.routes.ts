import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { hasRolePermission } from '../../permissions.ts';
import { commitAuditEntry } from '../../platform/audit.ts';
import { requireAccount, requireAuthenticatedUser } from '../../platform/authentication.ts';
import { parseListPage, toListPage } from '../../platform/http/list-pages.ts';
import { createProblemResponseSchemas } from '../../platform/openapi.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import {
  allowAnyoneOrUsers,
  allowLimitedMembers,
  allowUsers,
  auditAs,
  hasAccountPermission,
  skipAudit,
} from '../../platform/route-access.ts';
import { createIdParamsSchema, schemaRef } from '../../shared/common.schemas.ts';
import { ServiceError } from '../../shared/errors.ts';
import { parseTimeRangeBound } from '../../shared/time-range.ts';
import { commitMedicalContentAccess } from './audit-medical-access.ts';
import { listOwnScans, readQrCodesOfScans, SCAN_LIST_SORTS } from './list-own-scans.ts';
import { readScanByBreakGlass } from './read-own-scan.ts';
import { findScan, type ScanWithQrCode } from './scan.repository.ts';
import {
  getGuestScanContent,
  toAdministratorScanView,
  toGuestScanView,
  toOwnerScanView,
  toPublicScanView,
  toScanItemView,
} from './scan.view.ts';
import { ScanDetails, ScanList, ScanListQuery } from './scan-answers.schemas.ts';
import { listScanLocations } from './scan-location.repository.ts';
import { ScanTokenHeader } from './scan-requests.schemas.ts';
import type { ScanServices } from './scan-services.ts';
import { isValidScanToken } from './scan-token.ts';

export const scanReadingRoutes: FastifyPluginAsyncTypebox<ScanServices> = async (app, services) => {
  const { database, fieldCipher } = services;

  app.get(
    '',
    {
      config: {
        access: allowLimitedMembers(allowUsers('scans:own'), 'FILTERED'),
        audit: skipAudit('SCAN'),
        cache: 'revalidate',
      },
      schema: {
        operationId: 'scans.list',
        tags: ['Scans'],
        summary: 'List the scans of your codes, newest first by default',
        description:
          'Lists scans of all classes, with city and country; read a scan for its exact position. Scans older than the package keeps are left out. Use `cursor` for long lists.',
        querystring: ScanListQuery,
        response: { 200: schemaRef(ScanList), ...createProblemResponseSchemas(404) },
      },
    },
    async (request) => {
      const { query } = request;
      const { id: accountId, folderIds: limitedTo } = requireAccount(request);
      const { timeZone } = requireAuthenticatedUser(request);
      const { qrCodeId, type: types, class: classes, sort = '-scannedAt' } = query;
      const page = parseListPage(request, SCAN_LIST_SORTS[sort]);
      const range = {
        from: parseTimeRangeBound(query.from, timeZone),
        to: parseTimeRangeBound(query.to, timeZone),
      };
      const filter = { qrCodeId, limitedTo, ...range, types, classes };
      const list = await listOwnScans(services, accountId, filter, { sort, range: page });
      const codes = await readQrCodesOfScans(services, accountId, list.rows);
      const { data, pagination } = toListPage(page, list, (row) => {
        const code = codes.get(row.qrCodeId);
        // Without it where the code is erased meanwhile, or goes to another account.
        return code ? [toScanItemView(row, code)] : [];
      });
      return { data: data.flat(), pagination };
    },
  );

  for (const [url, operationId] of [
    ['/:id', 'scans.get'],
    ['/public/:id', 'scans.getPublic'],
  ] as const) {
    app.get(
      url,
      {
        config: {
          access: allowAnyoneOrUsers('scans:own'),
          audit: auditAs('ADMIN_SCAN_READ'),
          rateLimitClass: 'public-read',
        },
        schema: {
          operationId,
          tags: ['Scans'],
          summary: 'Get a scan; its fields depend on who asks',
          description:
            url === '/:id'
              ? 'Everybody sees id, kind, time and status of the code. The scan token adds position, visible content and what the owner says about a lost item; the owner of the code sees everything.'
              : 'The same as GET /api/scans/{id}.',
          params: createIdParamsSchema('id'),
          headers: ScanTokenHeader,
          response: { 200: schemaRef(ScanDetails) },
        },
      },
      async (request) => {
        const row = await findScan(database.client, request.params.id);
        if (!row) throw new ServiceError('NOT_FOUND');
        return readDetails(request, row);
      },
    );
  }

  async function readDetails(request: FastifyRequest, row: ScanWithQrCode) {
    const { user } = request;
    const active = user && user.status !== 'SUSPENDED' ? user : null;
    if (active?.account?.id === row.accountId && hasAccountPermission(active, 'scans:own', 'GET'))
      return toOwnerScanView(
        fieldCipher,
        row,
        await listScanLocations(database.client, row.accountId, [row.id]),
      );
    if (isValidScanToken(fieldCipher, row, request.headers['x-scan-token'])) {
      const content = getGuestScanContent(services, row);
      await commitMedicalContentAccess(database, getRequestContext(request), row.qrCode, content);
      return toGuestScanView(
        fieldCipher,
        row,
        await listScanLocations(database.client, row.accountId, [row.id]),
        content,
      );
    }
    if (active && hasRolePermission(active.role, 'scans:read-any')) {
      const context = getRequestContext(request);
      const emergency = await readScanByBreakGlass(services, context, row);
      if (emergency) return emergency;
      await commitAuditEntry(database, context, { action: 'ADMIN_SCAN_READ', resourceId: row.id });
      return toAdministratorScanView(row, await listScanLocations(database.client, row.accountId, [row.id]));
    }
    return toPublicScanView(row);
  }
};
