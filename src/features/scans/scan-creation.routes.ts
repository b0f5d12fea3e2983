import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { requireAuthenticatedUser } from '../../platform/authentication.ts';
import { prepareCreatedReply } from '../../platform/http/reply-created.ts';
import { createProblemResponseSchemas } from '../../platform/openapi.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import {
  allowAnyoneOrUsers,
  allowReaders,
  allowUsersWithProfile,
  auditAs,
  enforceAccess,
} from '../../platform/route-access.ts';
import { createIdParamsSchema, IdempotencyKeyHeader, schemaRef } from '../../shared/common.schemas.ts';
import { ServiceError } from '../../shared/errors.ts';
import { formatLifetime } from '../../shared/lifetimes.ts';
import { createScan } from './create-scan.use-case.ts';
import { addPublicContentToError } from './public-content.ts';
import { findScan, type ScanWithQrCode } from './scan.repository.ts';
import { toScanLocationView, toScanSummary } from './scan.view.ts';
import { ScanLocation, ScanResult } from './scan-answers.schemas.ts';
import { addScanLocation } from './scan-location.use-case.ts';
import { findPositionErrors } from './scan-position.ts';
import {
  GeocodedScanQuery,
  NewGeocodedScan,
  NewScan,
  NewScanPosition,
  ScanTokenHeader,
  UnlockScanRequest,
} from './scan-requests.schemas.ts';
import type { ScanServices } from './scan-services.ts';
import { deriveScanToken, isValidScanToken } from './scan-token.ts';
import { assertQrCodeOpen, getQrCodeFacts } from './scanned-code.ts';
import { unlockScan } from './unlock-scan.use-case.ts';

// Scan rows are their own audit record; only medical content adds an entry.
const OPEN_CONFIG = { access: allowAnyoneOrUsers('scans:own'), audit: auditAs('MEDICAL_DATA_SCANNED') };
const USER_ACCESS = allowReaders(allowUsersWithProfile('scans:own'));
const RATE_LIMIT_CONFIG = { rateLimitClass: 'public-scan' } as const;
const RESPONSES = { 201: schemaRef(ScanResult), ...createProblemResponseSchemas(403, 404, 409, 410) };

export const scanCreationRoutes: FastifyPluginAsyncTypebox<ScanServices> = async (app, services) => {
  app.post(
    '/public',
    {
      config: { ...OPEN_CONFIG, ...RATE_LIMIT_CONFIG, findBodyErrors: findPositionErrors },
      schema: {
        operationId: 'scans.createPublic',
        tags: ['Scans'],
        summary: 'Scan a code without an account',
        description: `Records the scan and returns what a finder may see. A right \`pin\` adds the protected fields; a wrong one is 403 PIN_INCORRECT with the public content. \`scanToken\` opens this scan for ${formatLifetime('scanToken')}. A paused or expired code is 410.`,
        headers: IdempotencyKeyHeader,
        body: NewScan,
        response: RESPONSES,
      },
    },
    async (request, reply) => {
      const input = { type: 'public', body: request.body, path: '/api/scans/public' } as const;
      return prepareCreatedReply(reply, await createScan(services, getRequestContext(request), input));
    },
  );

  app.post(
    '/geocoded',
    {
      config: { ...OPEN_CONFIG, ...RATE_LIMIT_CONFIG },
      schema: {
        operationId: 'scans.createGeocoded',
        tags: ['Scans'],
        summary: 'Scan a code at a position, which is geocoded',
        description:
          'Like POST /api/scans/public, with a required position whose place is returned. `type=guest` needs no account; `type=user` needs an access token and a profile.',
        headers: IdempotencyKeyHeader,
        querystring: GeocodedScanQuery,
        body: NewGeocodedScan,
        response: { ...RESPONSES, ...createProblemResponseSchemas(401) },
      },
    },
    async (request, reply) => {
      const { type } = request.query;
      const { body } = request;
      const context = getRequestContext(request);
      if (type === 'guest')
        return prepareCreatedReply(
          reply,
          await createScan(services, context, { type, body, path: '/api/scans/public' }),
        );
      enforceAccess(request, USER_ACCESS);
      const account = requireAuthenticatedUser(request);
      return prepareCreatedReply(
        reply,
        await createScan(services, context, { type, body, account, path: '/api/scans' }),
      );
    },
  );

  app.post(
    '',
    {
      config: {
        access: USER_ACCESS,
        audit: OPEN_CONFIG.audit,
        ...RATE_LIMIT_CONFIG,
        findBodyErrors: findPositionErrors,
      },
      schema: {
        operationId: 'scans.create',
        tags: ['Scans'],
        summary: 'Scan a code while signed in',
        description:
          'Like POST /api/scans/public, recorded as a scan of type `user`. A scan of your own code counts as class OWNER.',
        headers: IdempotencyKeyHeader,
        body: NewScan,
        response: RESPONSES,
      },
    },
    async (request, reply) => {
      const account = requireAuthenticatedUser(request);
      const input = { type: 'user', body: request.body, account, path: '/api/scans' } as const;
      return prepareCreatedReply(reply, await createScan(services, getRequestContext(request), input));
    },
  );

  app.post(
    '/public/:id/unlock',
    {
      config: {
        access: allowAnyoneOrUsers('scans:own'),
        audit: auditAs('SCAN_UNLOCKED'),
        ...RATE_LIMIT_CONFIG,
      },
      schema: {
        operationId: 'scans.unlock',
        tags: ['Scans'],
        summary: 'Unlock an existing scan by PIN',
        description:
          'Returns the content with the protected fields, for a scan that was made without the PIN. A wrong PIN is 403 PIN_INCORRECT with `attemptsLeft`; then it is 429.',
        params: createIdParamsSchema('id'),
        headers: ScanTokenHeader,
        body: UnlockScanRequest,
        response: { 200: schemaRef(ScanResult), ...createProblemResponseSchemas(403, 410) },
      },
    },
    async (request) => {
      const { fieldCipher } = services;
      const row = await findOwnScan(request, request.params.id);
      const { id, qrCode } = row;
      const context = getRequestContext(request);
      const { code, content } = await unlockScan(services, context, id, qrCode, request.body.pin).catch(
        async (error: unknown) => {
          throw await addPublicContentToError(services, context, qrCode.id, error);
        },
      );
      return {
        scan: toScanSummary(fieldCipher, row),
        scanToken: deriveScanToken(fieldCipher, row),
        ...getQrCodeFacts(fieldCipher, code),
        ...content,
      };
    },
  );

  app.post(
    '/public/:id/location',
    {
      config: {
        access: allowAnyoneOrUsers('scans:own'),
        audit: auditAs('SCAN_LOCATED'),
        ...RATE_LIMIT_CONFIG,
      },
      schema: {
        operationId: 'scans.addLocation',
        tags: ['Scans'],
        summary: `Add a position to a scan: up to 20 within ${formatLifetime('scanTrail', 'hours')}`,
        description:
          'Positions are immutable. Sending the same coordinates again returns 200 with the first position. Blocked finders get 403 NOT_CONTACTABLE.',
        params: createIdParamsSchema('id'),
        headers: ScanTokenHeader,
        body: NewScanPosition,
        response: {
          200: schemaRef(ScanLocation),
          201: schemaRef(ScanLocation),
          ...createProblemResponseSchemas(403, 409, 410),
        },
      },
    },
    async (request, reply) => {
      const scan = await findOwnScan(request, request.params.id);
      const { latitude, longitude, accuracy = null } = request.body;
      const position = { latitude, longitude, accuracy };
      const { row, isNew } = await addScanLocation(services, getRequestContext(request), scan, position);
      if (isNew) reply.code(201).header('Location', `/api/scans/public/${scan.id}`);
      return toScanLocationView(services.fieldCipher, row);
    },
  );

  /** @throws NOT_FOUND, SCAN_TOKEN_INVALID, CODE_PAUSED, CODE_EXPIRED */
  async function findOwnScan(request: FastifyRequest, id: string): Promise<ScanWithQrCode> {
    const row = await findScan(services.database.client, id);
    if (!row) throw new ServiceError('NOT_FOUND');
    if (!isValidScanToken(services.fieldCipher, row, request.headers['x-scan-token'])) {
      // A guest lost the token; a user requests the scan of another user.
      throw new ServiceError(request.user ? 'NOT_FOUND' : 'SCAN_TOKEN_INVALID');
    }
    assertQrCodeOpen(row.qrCode);
    return row;
  }
};
