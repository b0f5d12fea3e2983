import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import { requireAccount } from '../../../platform/authentication.ts';
import { prepareCreatedReply } from '../../../platform/http/reply-created.ts';
import { createProblemResponseSchemas } from '../../../platform/openapi.ts';
import { getRequestContext } from '../../../platform/request-context.ts';
import { allowUsersWithProfile, auditAs } from '../../../platform/route-access.ts';
import {
  createIdParamsSchema,
  DeletedResponse,
  IdempotencyKeyHeader,
  schemaRef,
} from '../../../shared/common.schemas.ts';
import type { FieldError } from '../../../shared/errors.ts';
import { formatLifetime } from '../../../shared/lifetimes.ts';
import { findQrCodeIdByTypedNumber } from '../find-numbered-code.use-case.ts';
import { type ClaimServices, claimTagByCode, undoOwnClaim } from './claim.use-case.ts';
import { ClaimSchema, NewClaim } from './claims.schemas.ts';

export const claimRoutes: FastifyPluginAsyncTypebox<ClaimServices> = async (app, services) => {
  app.post(
    '',
    {
      config: {
        access: allowUsersWithProfile('qrcodes:own'),
        audit: auditAs('TAG_CLAIMED'),
        findBodyErrors: findClaimErrors,
      },
      schema: {
        operationId: 'claims.create',
        tags: ['Batches'],
        summary: 'Claim a tag that has no owner yet',
        description:
          'The code goes to your account, with its address and number, and counts towards your package. 409 TAG_CLAIMED if somebody was faster; 403 CLAIM_CODE_INCORRECT for a wrong claim code, of which there are as few attempts as at a PIN.',
        headers: IdempotencyKeyHeader,
        body: NewClaim,
        response: { 201: schemaRef(ClaimSchema), ...createProblemResponseSchemas(403, 404, 409, 410) },
      },
    },
    async (request, reply) => {
      const { qrCodeId, number = '', name, claimCode } = request.body;
      const context = getRequestContext(request);
      const id = qrCodeId ?? (await findQrCodeIdByTypedNumber(services, number, context.address));
      const claimed = await claimTagByCode(services, context, {
        accountId: requireAccount(request).id,
        qrCodeId: id,
        name: name.trim().normalize('NFC'),
        claimCode,
      });
      return prepareCreatedReply(reply, claimed);
    },
  );

  app.delete(
    '/:id',
    {
      config: {
        access: allowUsersWithProfile('qrcodes:own'),
        audit: auditAs('CLAIM_UNDONE'),
        storesResponse: true,
      },
      schema: {
        operationId: 'claims.delete',
        tags: ['Batches'],
        summary: `Undo a claim within ${formatLifetime('claimUndo')}`,
        description:
          'By the id of the code. The tag has no owner again; its content, pictures, scans and conversations are deleted. 409 CLAIM_FINAL if it is too late.',
        params: createIdParamsSchema('id'),
        response: { 200: schemaRef(DeletedResponse), ...createProblemResponseSchemas(409) },
      },
    },
    async (request) => {
      const owned = { accountId: requireAccount(request).id, id: request.params.id };
      await undoOwnClaim(services, getRequestContext(request), owned);
      return { id: owned.id, deleted: true as const };
    },
  );
};

function findClaimErrors({ qrCodeId, number }: Static<typeof NewClaim>): FieldError[] {
  if ((qrCodeId === undefined) !== (number === undefined)) return [];
  return [{ field: 'qrCodeId', code: 'REQUIRED', message: 'Send either `qrCodeId` or `number`.' }];
}
