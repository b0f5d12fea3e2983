import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { type CorsOptions, isOriginAllowed } from '../../platform/http/cors.ts';
import { createProblemResponseSchemas } from '../../platform/openapi.ts';
import { PUBLIC_ACCESS, skipAudit } from '../../platform/route-access.ts';
import { schemaRef } from '../../shared/common.schemas.ts';
import { createValidationError, ServiceError } from '../../shared/errors.ts';
import { RealtimeServerEvent } from './realtime.schemas.ts';
import type { RealtimeServices } from './realtime-services.ts';
import { serveSocket } from './serve-socket.ts';
import { createSocketRegistry } from './socket-registry.ts';

interface RealtimeRouteOptions extends RealtimeServices {
  /** Allowed origins beside that of `publicBaseUrl`. */
  origins: CorsOptions['origins'];
  publicBaseUrl: string;
}

const RealtimeQuery = Type.Object(
  {
    since: Type.Optional(
      Type.String({
        maxLength: 64,
        description: '`id` of the last event received; events since then are sent first.',
      }),
    ),
  },
  // Other parameters are refused after the upgrade, too.
  { additionalProperties: true },
);

/** WebSocket route. Authentication happens after the upgrade, because browsers cannot read why an upgrade was rejected. */
export const realtimeRoutes: FastifyPluginAsyncTypebox<RealtimeRouteOptions> = async (app, options) => {
  const registry = createSocketRegistry(options);
  app.addHook('onClose', () => registry.stop());
  const { origin: ownOrigin } = new URL(options.publicBaseUrl);

  app.route({
    method: 'GET',
    url: '',
    exposeHeadRoute: false,
    config: { access: PUBLIC_ACCESS, audit: skipAudit('CONVERSATION') },
    schema: {
      operationId: 'realtime.connect',
      tags: ['Realtime'],
      summary: 'Open a WebSocket for notifications, messages, read receipts, typing and presence',
      description:
        'See docs/reference/events.md for all events. Send the credential in the header Authorization or X-Conversation-Token, in a pair of subprotocols (`bearer, <token>` or `conversation, <token>`), or in a first event `authenticate` within five seconds; never in the URL. The service sends `RealtimeServerEvent`; clients send `RealtimeClientEvent`.',
      querystring: RealtimeQuery,
      response: {
        101: {
          description: 'The socket is open. Messages of the service.',
          content: { 'application/json': { schema: schemaRef(RealtimeServerEvent) } },
        },
        ...createProblemResponseSchemas(403),
      },
    },
    // Rejected before the upgrade. Native clients send no Origin.
    onRequest: (request, _reply, done) => {
      const { origin } = request.headers;
      const isAllowed =
        origin === undefined || origin === ownOrigin || isOriginAllowed(origin, options.origins);
      done(isAllowed ? undefined : new ServiceError('FORBIDDEN'));
    },
    handler: () => {
      throw createValidationError({ field: 'upgrade', code: 'REQUIRED', message: 'Must be websocket.' });
    },
    wsHandler: (socket, request) => serveSocket(app, registry, socket, request, request.query.since),
  });
};
