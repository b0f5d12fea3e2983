import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { recordAction } from '../../platform/audit.ts';
import { userOf } from '../../platform/authentication.ts';
import { callerOf } from '../../platform/caller.ts';
import type { Db } from '../../platform/database.ts';
import { problems } from '../../platform/openapi.ts';
import { readNamed } from '../../platform/read.ts';
import { account, audited, PUBLIC_OR_ACCOUNT, unaudited } from '../../platform/route-access.ts';
import { idParams, ref } from '../../shared/common.schemas.ts';
import { ServiceError } from '../../shared/errors.ts';
import { cursorAnswer, offsetOf, pageAnswer } from '../../shared/pagination.ts';
import { mayUse } from '../../shared/permissions.ts';
import { readTimeCursor, writeTimeCursor } from '../../shared/time-cursor.ts';
import { isGlassBroken } from '../administration/break-glass.repository.ts';
import { readKept } from './kept-scans.ts';
import { auditMedical } from './record-apart.ts';
import { findScan, isOwnCode, type ScanRow } from './scan.repository.ts';
import {
  administratorView,
  guestView,
  ownerView,
  publicFacts,
  scanItemView,
  shownToGuest,
} from './scan.view.ts';
import { ScanDetails, ScanList, ScanListQuery } from './scan-answers.schemas.ts';
import { listScans, listScansAfter } from './scan-list.repository.ts';
import { readTrails } from './scan-location.repository.ts';
import { ScanTokenHeader } from './scan-requests.schemas.ts';
import type { ScanServices } from './scan-services.ts';
import { opensScan } from './scan-token.ts';
import { momentOf } from './time-range.rules.ts';

/** Reading scans: an owner's list, and one scan by whoever may see how much of it. */
export const scanReadingRoutes: FastifyPluginAsyncTypebox<ScanServices> = async (app, services) => {
  const { database, vault } = services;
  const read = readNamed(database);

  app.get(
    '',
    {
      config: { access: account('scans:own'), audit: unaudited('SCAN'), cache: 'revalidate' },
      schema: {
        operationId: 'scans.list',
        tags: ['Scans'],
        summary: "The scans of the account's codes, newest first unless `sort` says otherwise.",
        querystring: ScanListQuery,
        response: { 200: ref(ScanList), ...problems(404) },
      },
    },
    async (request) => {
      const { query } = request;
      const { id: ownerId, timeZone } = userOf(request);
      const { qrCodeId, type, class: name, sort = '-scannedAt', limit } = query;
      const cursor = query.cursor === undefined ? undefined : readTimeCursor(query.cursor);
      const range = { from: momentOf('from', query.from, timeZone), to: momentOf('to', query.to, timeZone) };
      const filter = { qrCodeId, ...range, type, class: name };
      if (qrCodeId && !(await isOwnCode(database.client, ownerId, qrCodeId)))
        throw new ServiceError('NOT_FOUND');
      if (cursor === undefined) {
        const page = { skip: offsetOf(query), take: limit };
        const { rows, total } = await readKept(services, ownerId, filter, (kept) =>
          listScans(read, ownerId, kept, sort, page),
        );
        return pageAnswer(query, rows.map(scanItemView), total);
      }
      const rows = await readKept(services, ownerId, filter, (kept) =>
        listScansAfter(read, ownerId, kept, sort, cursor, limit + 1),
      );
      return cursorAnswer(rows, limit, scanItemView, ({ scannedAt: at, id }) => writeTimeCursor({ at, id }));
    },
  );

  for (const [url, operationId] of [
    ['/:id', 'scans.read'],
    ['/public/:id', 'scans.readPublic'],
  ] as const) {
    app.get(
      url,
      {
        exposeHeadRoute: false,
        config: {
          access: PUBLIC_OR_ACCOUNT,
          audit: audited('ADMIN_SCAN_READ'),
          rateLimitClass: 'public-read',
        },
        schema: {
          operationId,
          tags: ['Scans'],
          summary:
            'Read a scan: a few facts for anybody, more with its token, everything for the owner of the code.',
          params: idParams('id'),
          headers: ScanTokenHeader,
          response: { 200: ref(ScanDetails) },
        },
      },
      async (request) => {
        const row = await findScan(database.client, request.params.id);
        if (!row) throw new ServiceError('NOT_FOUND');
        return detailsFor(request, row);
      },
    );
  }

  async function detailsFor(request: FastifyRequest, row: ScanRow) {
    const { user } = request;
    const active = user && user.status !== 'SUSPENDED' ? user : null;
    const trailOf = (db: Db) => readTrails(db, [row.id]);
    if (active?.id === row.ownerId) return ownerView(vault, row, await trailOf(database.client));
    if (opensScan(vault, row, request.headers['x-scan-token'])) {
      const shown = shownToGuest(vault, row);
      await database.transaction((tx) => auditMedical(callerOf(request), tx, row.qrCode, shown));
      return guestView(vault, row, await trailOf(database.client), shown);
    }
    if (active && mayUse(active.role, 'scans:read-any')) {
      return database.transaction(async (tx) => {
        const isEmergency = await isGlassBroken(tx, active.id, 'SCAN', row.id);
        const action = isEmergency ? 'BREAK_GLASS_SCAN_READ' : 'ADMIN_SCAN_READ';
        await recordAction(tx, callerOf(request), { action, resourceId: row.id });
        const trail = await trailOf(tx);
        return isEmergency ? ownerView(vault, row, trail) : administratorView(row, trail);
      });
    }
    return publicFacts(row);
  }
};
