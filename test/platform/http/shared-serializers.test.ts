import Fastify from 'fastify';
import { createSharedSerializerBuilder } from '../../../src/platform/http/shared-serializers.ts';
import { t } from '../../tap.ts';

t.test(
  'routes with the same schema share a serializer, and each serializer removes unknown keys',
  async (t) => {
    const build = createSharedSerializerBuilder();
    const app = Fastify({ schemaController: { compilersFactory: { buildSerializer: build } } });
    t.teardown(() => app.close());
    app.addSchema({ $id: 'Thing', type: 'object', properties: { a: { type: 'string' } } });
    const answer = async () => ({ a: 'shown', b: 'hidden' });
    for (const path of ['/one', '/two'])
      app.get(path, { schema: { response: { 200: { $ref: 'Thing#' } } } }, answer);
    const other = { type: 'object', properties: { b: { type: 'string' } } };
    app.get('/other', { schema: { response: { 200: other } } }, answer);
    await app.ready();
    for (const path of ['/one', '/two']) t.same((await app.inject(path)).json(), { a: 'shown' }, path);
    t.same((await app.inject('/other')).json(), { b: 'hidden' });
    const compile = build({}, {});
    const schema = { type: 'object', properties: { a: { type: 'string' } } };
    const route = { schema, method: 'GET', url: '/', httpStatus: '200' };
    t.equal(compile(route), compile({ ...route, url: '/else', schema: { ...schema } }), 'the same function');
    t.not(compile(route), compile({ ...route, schema: other }));
  },
);
