import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { Database } from '../../platform/database.ts';
import type { FieldCipher } from '../../platform/field-cipher.ts';
import { getRequestContext } from '../../platform/request-context.ts';
import { auditAs, PUBLIC_ACCESS } from '../../platform/route-access.ts';
import { DeletedResponse, schemaRef } from '../../shared/common.schemas.ts';
import { withdrawGuestBookEntry } from './withdraw-entry.use-case.ts';

// No pattern: an invalid token must get the same answer as an unknown one.
const TokenParams = Type.Object({
  token: Type.String({ description: 'From the link in the email to the author.' }),
});

export const guestBookWithdrawalRoutes: FastifyPluginAsyncTypebox<{
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
        summary: 'Withdraw a guest book entry permanently as its author',
        description:
          'The token is the last part of the link that was shown after signing. 404 if it is unknown, or the entry no longer exists.',
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
