import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { allowByCookie, allowUsersWithProfile, auditAs } from '../../../platform/route-access.ts';
import { ServiceError } from '../../../shared/errors.ts';
import { isId } from '../../../shared/ids.ts';
import { createDocumentShareLink } from '../../documents/index.ts';
import { getFormContext } from '../form-context.ts';
import { getAccountPath, type OwnerPageServices } from '../owner-page-services.ts';
import { CodeParams } from './code-actions.ts';
import { getCodePath } from './code-parts.ts';

/** Add a document to the page of a code of kind DOCUMENT. */
export const offeredDocumentPageRoutes: FastifyPluginAsyncTypebox<OwnerPageServices> = async (
  app,
  services,
) => {
  app.post(
    '/:accountId/codes/:id/documents',
    {
      config: {
        access: allowByCookie(allowUsersWithProfile('documents:own')),
        audit: auditAs('DOCUMENT_SHARED'),
      },
      schema: {
        hide: true,
        params: CodeParams,
        body: Type.Object({
          key: Type.Optional(Type.String()),
          documentId: Type.Optional(Type.String()),
        }),
      },
    },
    async (request, reply) => {
      const { key, documentId } = request.body;
      const { accountId, id: qrCodeId } = request.params;
      if (!isId(documentId)) throw new ServiceError('NOT_FOUND');
      try {
        const context = getFormContext(request, key);
        await createDocumentShareLink(services, context, { id: documentId, accountId }, { qrCodeId });
      } catch (error) {
        const code = error instanceof ServiceError ? error.code : null;
        // Which then says so in place of the form.
        if (code === 'TOO_MANY_OFFERED_DOCUMENTS')
          return reply.redirect(getCodePath(services, request.params), 303);
        if (code !== 'VALIDATION_FAILED') throw error;
        // A health document needs a passcode and an end in enterprise mode: the page of the document asks for both.
        return reply.redirect(`${getAccountPath(services, accountId)}/documents/${documentId}`, 303);
      }
      return reply.redirect(`${getCodePath(services, request.params)}?done=document-offered`, 303);
    },
  );
};
