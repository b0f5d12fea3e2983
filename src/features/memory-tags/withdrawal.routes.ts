import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { Database } from '../../platform/database.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import { auditAs, PUBLIC_ACCESS } from '../../platform/route-access.ts';
import { DeletedResponse, schemaRef } from '../../shared/common.schemas.ts';
import { withdrawGuestBookEntry } from './withdraw-entry.ts';

// A text that is no token must get the answer of unknown ones: no pattern here.
const TokenParams = Type.Object({ token: Type.String() });

/** The way back for whoever wrote in a guest book. */
export const withdrawalRoutes: FastifyPluginAsyncTypebox<{
  database: Database;
  fieldCipher: FieldCipher;
}> = async (app, services) => {
  app.delete(
    '/guest-book/:token',
    {
      config: { access: PUBLIC_ACCESS, audit: auditAs('GUEST_BOOK_ENTRY_WITHDRAWN') },
      schema: {
        operationId: 'memoryTags.withdrawEntry',
        tags: ['Memory tags'],
        summary: 'Delete an entry of a guest book for good, as the visitor who wrote it.',
        description:
          'The token is the end of the link that the page gave when the entry was written. 404 for one that is unknown, and where the entry is gone.',
        params: TokenParams,
        response: { 200: schemaRef(DeletedResponse) },
      },
    },
    async (request) => {
      const id = await withdrawGuestBookEntry(services, getRequestContext(request), request.params.token);
      return { id, deleted: true as const };
    },
  );
};
