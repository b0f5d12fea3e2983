import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { CONTENT_DISPOSITION_HEADER } from '../../platform/openapi-headers.ts';
import { allowUsers, auditAs } from '../../platform/route-access.ts';
import { schemaRef } from '../../shared/common.schemas.ts';
import { AuditVerificationResponse } from './audit-log.schemas.ts';
import type { AuditServices } from './audit-services.ts';
import { JSON_LINES_TYPE, sendSealedTrail, verifyTrailForClient } from './use-trail.ts';

const SEALED_TRAIL_RESPONSE = {
  description: 'The sealed trail.',
  headers: CONTENT_DISPOSITION_HEADER,
  content: Object.fromEntries([[JSON_LINES_TYPE, { schema: { type: 'string' } }]]),
};

/** Routes of auditors to verify the trail or export it for verification. */
export const trailVerificationRoutes: FastifyPluginAsyncTypebox<AuditServices> = async (app, services) => {
  app.get(
    '/verify',
    {
      config: { access: allowUsers('audit:read'), audit: auditAs('AUDIT_LOG_VERIFIED') },
      schema: {
        operationId: 'audit.verify',
        tags: ['Audit'],
        summary: 'Verify the audit trail and return the first invalid entry',
        description:
          'Checks the chain, the signatures and the external checkpoints. Takes about a minute per million entries. Only one verification or export runs at a time.',
        response: { 200: schemaRef(AuditVerificationResponse) },
      },
    },
    async (request, reply) => {
      const verification = await verifyTrailForClient(services, request, reply);
      return verification && { ...verification, at: new Date().toISOString() };
    },
  );

  app.get(
    '/sealed',
    {
      config: { access: allowUsers('audit:read'), audit: auditAs('AUDIT_TRAIL_EXPORTED') },
      schema: {
        operationId: 'audit.exportSealed',
        tags: ['Audit'],
        summary: 'Export the sealed trail with its signatures, oldest first',
        description:
          'JSON Lines, defined in docs/security/audit-trail.md. Verify the file without this service: `npm run audit -- verify --export <file> --public-key <file>`. Only one verification or export runs at a time.',
        response: { 200: SEALED_TRAIL_RESPONSE },
      },
    },
    (request, reply) => sendSealedTrail(services, request, reply),
  );
};
