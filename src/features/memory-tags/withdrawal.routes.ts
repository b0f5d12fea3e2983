import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { callerOf } from '../../platform/caller.ts';
import type { Database } from '../../platform/database.ts';
import { audited, PUBLIC } from '../../platform/route-access.ts';
import type { Vault } from '../../platform/vault.ts';
import { Deleted, ref } from '../../shared/common.schemas.ts';
import { withdrawEntry } from './withdraw-entry.ts';

// A text that is no token must get the answer of unknown ones: no pattern here.
const OfToken = Type.Object({ token: Type.String() });

/** The way back for whoever wrote in a guest book. */
export const withdrawalRoutes: FastifyPluginAsyncTypebox<{ database: Database; vault: Vault }> = async (
  app,
  services,
) => {
  app.delete(
    '/guest-book/:token',
    {
      config: { access: PUBLIC, audit: audited('GUEST_BOOK_ENTRY_WITHDRAWN') },
      schema: {
        operationId: 'memoryTags.withdrawEntry',
        tags: ['Memory tags'],
        summary: 'Delete an entry of a guest book for good, as the visitor who wrote it.',
        description:
          'The token is the end of the link that the page gave when the entry was written. 404 for one that is unknown, and where the entry is gone.',
        params: OfToken,
        response: { 200: ref(Deleted) },
      },
    },
    async (request) => {
      const id = await withdrawEntry(services, callerOf(request), request.params.token);
      return { id, deleted: true as const };
    },
  );
};
