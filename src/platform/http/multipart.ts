import multipart from '@fastify/multipart';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { ServiceError } from '../../shared/errors.ts';
import { createDisconnectSignal } from './client-disconnect.ts';
import { releaseFormMemory } from './form-memory.ts';
import type { MultipartFormRules } from './form-rules.ts';
import { readMultipartForm } from './read-multipart-form.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Accept multipart/form-data: fields become the body, files `request.formFiles`. */
    form?: MultipartFormRules;
  }
  interface FastifyRequest {
    formFiles: Record<string, Buffer>;
    /** Of a multipart form: aborts when the client disconnects. */
    disconnect: AbortSignal | undefined;
  }
}

const plugin: FastifyPluginAsync = async (app) => {
  await app.register(multipart, { throwFileSizeLimit: false });
  app.decorateRequest('formFiles');
  app.decorateRequest('disconnect');
  app.addHook('preValidation', (request, reply, done) => {
    request.formFiles = {};
    if (request.isMultipart()) readRequestForm(request, reply).then(() => done(), done);
    else done();
  });
};

export const multipartPlugin = fp(plugin, { name: 'uploads' });

async function readRequestForm(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.raw.once('close', () => releaseFormMemory(request.raw));
  const rules = request.routeOptions.config.form;
  if (rules === undefined) throw new ServiceError('UNSUPPORTED_MEDIA_TYPE');
  const disconnect = createDisconnectSignal(reply);
  request.disconnect = disconnect;
  const { fields, files } = await readMultipartForm(request, rules, disconnect);
  // A client that did not wait for its response would not know what was stored.
  disconnect.throwIfAborted();
  request.body = fields;
  request.formFiles = files;
}
