import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { isVersionedSchema } from '../../shared/common.schemas.ts';
import { formatVersionEtag } from './if-match.ts';

/** Send the ETag with each response that is a record with a version, also when it was just created. */
const plugin: FastifyPluginAsync = async (app) => {
  app.addHook('preSerialization', (request, reply, payload, done) => {
    const { statusCode } = reply;
    if ((statusCode === 200 || statusCode === 201) && !reply.hasHeader('etag')) {
      const version: unknown = Reflect.get(Object(payload), 'version');
      if (
        typeof version === 'number' &&
        isVersionedSchema(app.getSchema(getResponseSchemaName(request, statusCode)))
      )
        reply.header('ETag', formatVersionEtag(version));
    }
    done(null, payload);
  });
};

export const versionedResponsePlugin = fp(plugin, { name: 'versioned-response' });

function getResponseSchemaName(request: FastifyRequest, status: number): string {
  const reference: unknown = Reflect.get(
    Object(Reflect.get(Object(request.routeOptions.schema?.response), status)),
    '$ref',
  );
  return typeof reference === 'string' ? reference.replace('#', '') : '';
}
