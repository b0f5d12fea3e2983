import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { IdempotencyKeyHeader } from '../../shared/common.schemas.ts';
import { requireAccount } from '../authentication.ts';
import type { CreatedResource, IdempotentHandler, IdempotentResult } from '../idempotency.ts';
import { getRequestContext } from '../request-context.ts';
import { prepareReply } from './reply-created.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Takes an Idempotency-Key, for an action of an account that may safely run twice: the response is stored after it,
     * so that of parallel requests both may act, and a repeat hours later does not undo what happened since. A body with
     * the texts of another account has its `accountId`: the erasure of that account deletes the response.
     */
    storesResponse?: boolean | ReplayHook;
  }
}

interface ReplayHook {
  /** Called before a stored body is sent again, such as to audit that it shows medical data. */
  onReplay(request: FastifyRequest, body: unknown): Promise<void>;
}

interface StoredReply extends CreatedResource<{ accountId?: string }> {
  statusCode: number;
}

interface StoredResponsesOptions {
  createIdempotently: IdempotentHandler;
}

/** Register before the plugin that documents routes. */
async function registerStoredResponses(app: FastifyInstance, { createIdempotently }: StoredResponsesOptions) {
  app.addHook('onRoute', (route) => {
    const { storesResponse } = route.config ?? {};
    if (!storesResponse) return;
    const { properties } = (route.schema?.headers ?? {}) as { properties?: object };
    const headers = { ...IdempotencyKeyHeader.properties, ...properties };
    route.schema = { ...route.schema, headers: { ...IdempotencyKeyHeader, properties: headers } };
    const { handler } = route;
    route.handler = async function handleOnce(request, reply) {
      const context = getRequestContext(request);
      const act = async (): Promise<StoredReply> => {
        const body = await handler.call(this, request, reply);
        if (reply.sent || body === undefined)
          throw new Error('Return the body: what was sent cannot be stored.');
        const location = reply.getHeader('location');
        return {
          statusCode: reply.statusCode,
          body: body as StoredReply['body'],
          ...(typeof location === 'string' && { location }),
        };
      };
      const sendStored = ({ body: stored, isReplayed }: IdempotentResult<StoredReply>) =>
        prepareReply(reply.code(stored.statusCode), { ...stored, isReplayed });
      if (context.idempotencyKey === undefined) return (await act()).body;
      const { id } = requireAccount(request);
      // Parsing may drop unknown fields of the body.
      const input = { who: id, fingerprint: JSON.stringify(request.body) };
      const replay = await createIdempotently.replay<StoredReply>(context, input);
      if (replay) {
        if (typeof storesResponse === 'object') await storesResponse.onReplay(request, replay.body.body);
        return sendStored(replay);
      }
      const result = await act();
      const { accountId } = result.body;
      const stored = await createIdempotently(context, input, async () => ({
        body: result,
        ...(accountId !== undefined && accountId !== id && { contentOf: accountId }),
      }));
      return sendStored(stored);
    };
  });
}

const plugin: FastifyPluginAsync<StoredResponsesOptions> = registerStoredResponses;

export const storedResponsesPlugin = fp(plugin, { name: 'stored-responses' });
