import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { userOf } from '../../platform/authentication.ts';
import { callerOf } from '../../platform/caller.ts';
import { created } from '../../platform/http/created.ts';
import { problems } from '../../platform/openapi.ts';
import { accountWithProfile, audited, PUBLIC_OR_ACCOUNT } from '../../platform/route-access.ts';
import { IdempotencyHeader, idParams, ref } from '../../shared/common.schemas.ts';
import { ServiceError } from '../../shared/errors.ts';
import { postScan } from './post-scan.ts';
import { withPublicFacts } from './public-facts.ts';
import { findScan, type ScanRow } from './scan.repository.ts';
import { locationView, scanFacts } from './scan.view.ts';
import { ScanLocation, ScanResult } from './scan-answers.schemas.ts';
import { addLocation } from './scan-location.ts';
import {
  GeocodedQuery,
  NewGeocodedScan,
  NewLocation,
  NewScan,
  ScanTokenHeader,
  UnlockRequest,
} from './scan-requests.schemas.ts';
import type { ScanServices } from './scan-services.ts';
import { opensScan, scanToken } from './scan-token.ts';
import { refuseClosed } from './scanned-code.ts';
import { unlockScan } from './unlock-scan.ts';

// The scan row is its own audit record; an entry is left where medical content is shown.
const OPEN = { access: PUBLIC_OR_ACCOUNT, audit: audited('MEDICAL_DATA_SCANNED') };
const RATE = { rateLimitClass: 'public-scan' } as const;
const RESPONSES = { 201: ref(ScanResult), ...problems(403, 404, 409, 410) };

/** Scanning: by anybody, with a position, signed in; and giving the PIN or a position afterwards. */
export const scanCreationRoutes: FastifyPluginAsyncTypebox<ScanServices> = async (app, services) => {
  app.post(
    '/public',
    {
      config: { ...OPEN, ...RATE },
      schema: {
        operationId: 'scans.createPublic',
        tags: ['Scans'],
        summary: 'Scan a code, without an account.',
        headers: IdempotencyHeader,
        body: NewScan,
        response: RESPONSES,
      },
    },
    async (request, reply) => {
      const asked = { type: 'public', body: request.body, path: '/api/scans/public' } as const;
      return created(reply, await postScan(services, callerOf(request), asked));
    },
  );

  app.post(
    '/geocoded',
    {
      config: { ...OPEN, ...RATE },
      schema: {
        operationId: 'scans.createGeocoded',
        tags: ['Scans'],
        summary: 'Scan a code at a position, which is given its name.',
        headers: IdempotencyHeader,
        querystring: GeocodedQuery,
        body: NewGeocodedScan,
        response: { ...RESPONSES, ...problems(401) },
      },
    },
    async (request, reply) => {
      const { type } = request.query;
      const { body } = request;
      const caller = callerOf(request);
      if (type === 'guest')
        return created(reply, await postScan(services, caller, { type, body, path: '/api/scans/public' }));
      const account = userOf(request);
      if (account.status === 'SUSPENDED') throw new ServiceError('ACCOUNT_SUSPENDED');
      if (account.status !== 'ACTIVE') throw new ServiceError('PROFILE_REQUIRED');
      return created(reply, await postScan(services, caller, { type, body, account, path: '/api/scans' }));
    },
  );

  app.post(
    '',
    {
      config: { access: accountWithProfile('scans:own'), audit: OPEN.audit, ...RATE },
      schema: {
        operationId: 'scans.create',
        tags: ['Scans'],
        summary: 'Scan a code while signed in.',
        headers: IdempotencyHeader,
        body: NewScan,
        response: RESPONSES,
      },
    },
    async (request, reply) => {
      const account = userOf(request);
      const asked = { type: 'user', body: request.body, account, path: '/api/scans' } as const;
      return created(reply, await postScan(services, callerOf(request), asked));
    },
  );

  app.post(
    '/public/:id/unlock',
    {
      config: { access: PUBLIC_OR_ACCOUNT, audit: audited('SCAN_UNLOCKED'), ...RATE },
      schema: {
        operationId: 'scans.unlock',
        tags: ['Scans'],
        summary: 'Give the PIN for a scan that was made without it, so that one visit is one scan.',
        params: idParams('id'),
        headers: ScanTokenHeader,
        body: UnlockRequest,
        response: { 200: ref(ScanResult), ...problems(403, 410) },
      },
    },
    async (request) => {
      const { vault } = services;
      const row = await findOwnScan(request, request.params.id);
      const { id, qrCode } = row;
      const caller = callerOf(request);
      const { shown } = await unlockScan(services, caller, id, qrCode, request.body.pin).catch(
        async (error: unknown) => {
          throw await withPublicFacts(services, caller, qrCode.id, error);
        },
      );
      return { scan: scanFacts(vault, row), scanToken: scanToken(vault, row), ...shown };
    },
  );

  app.post(
    '/public/:id/location',
    {
      config: { access: PUBLIC_OR_ACCOUNT, audit: audited('SCAN_LOCATED'), ...RATE },
      schema: {
        operationId: 'scans.addLocation',
        tags: ['Scans'],
        summary: 'Say where a scan was made, or where its code is now: up to 20 positions within 24 hours.',
        description:
          'Each position is kept as it is given. The same coordinates again answer 200 with the first, whenever. From a finder whom the owner blocks none is taken: 403 NOT_CONTACTABLE.',
        params: idParams('id'),
        headers: ScanTokenHeader,
        body: NewLocation,
        response: { 200: ref(ScanLocation), 201: ref(ScanLocation), ...problems(403, 409, 410) },
      },
    },
    async (request, reply) => {
      const scan = await findOwnScan(request, request.params.id);
      const { latitude, longitude, accuracy = null } = request.body;
      const given = { latitude, longitude, accuracy };
      const { row, isNew } = await addLocation(services, callerOf(request), scan, given);
      if (isNew) reply.code(201).header('Location', `/api/scans/public/${scan.id}`);
      return locationView(services.vault, row);
    },
  );

  /** The scan of the token in the header, of a code that is open. Throws NOT_FOUND, SCAN_TOKEN_INVALID, CODE_PAUSED, CODE_EXPIRED. */
  async function findOwnScan(request: FastifyRequest, id: string): Promise<ScanRow> {
    const row = await findScan(services.database.client, id);
    if (!row) throw new ServiceError('NOT_FOUND');
    if (!opensScan(services.vault, row, request.headers['x-scan-token'])) {
      // A guest lost the token; somebody signed in reaches for a scan that is not theirs.
      throw new ServiceError(request.user ? 'NOT_FOUND' : 'SCAN_TOKEN_INVALID');
    }
    refuseClosed(row.qrCode);
    return row;
  }
};
