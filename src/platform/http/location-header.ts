import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';

declare module 'fastify' {
  interface FastifyInstance {
    /** The path of the public address; empty for none. */
    publicBasePath?: string;
  }
}

/** Put the path of the public address before `Location` of what was created. Redirects have it: they go where links go. */
async function registerLocationHeader(app: FastifyInstance, { basePath }: { basePath: string }) {
  app.decorate('publicBasePath', basePath);
  if (basePath === '') return;
  app.addHook('onSend', (_request, reply, payload, done) => {
    const location = reply.getHeader('location');
    if (reply.statusCode < 300 && typeof location === 'string' && location.startsWith('/'))
      reply.header('Location', basePath + location);
    done(null, payload);
  });
}

export const locationHeaderPlugin = fp(registerLocationHeader, { name: 'location-header' });
