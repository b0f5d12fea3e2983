import fp from 'fastify-plugin';
import { Type } from 'typebox';
import { jsonBodyPlugin } from '../../../src/platform/http/json-body.ts';
import { parseRequestTarget } from '../../../src/platform/http/query-string.ts';
import { requestRulesPlugin } from '../../../src/platform/http/request-rules.ts';
import { addRequestSteps } from '../../../src/platform/http/request-steps.ts';
import { schemaValidationPlugin } from '../../../src/platform/http/validation.ts';
import type { FieldError } from '../../../src/shared/errors.ts';
import { t } from '../../tap.ts';
import { createBareApp } from './helper.ts';

const requireOther = (field: string) => (input: { [name: string]: unknown }) =>
  input[field] === 'forbidden' ? [createError(field, 'NOT_ALLOWED')] : [];

const createError = (field: string, code: string): FieldError => ({
  field,
  code,
  message: 'Is not allowed.',
});

async function buildTestServer(t: Parameters<typeof createBareApp>[0]) {
  const app = await createBareApp(t);
  addRequestSteps(app, parseRequestTarget);
  await app.register(jsonBodyPlugin);
  await app.register(schemaValidationPlugin);
  await app.register(fp(async () => undefined, { name: 'access' }));
  await app.register(requestRulesPlugin);
  const runs = { rules: 0, useCase: 0, handler: 0 };
  app.post(
    '/',
    {
      config: {
        findBodyErrors: (body) => {
          runs.rules += 1;
          return requireOther('name')({ ...body });
        },
        findQueryErrors: async (query) => requireOther('filter')({ ...query }),
        findUseCaseErrors: () => {
          runs.useCase += 1;
          return [createError('record', 'CONFLICT')];
        },
      },
      schema: {
        body: Type.Object({ name: Type.String({ maxLength: 9 }), count: Type.Optional(Type.Integer()) }),
        querystring: Type.Object({ filter: Type.Optional(Type.String()) }),
      },
    },
    () => {
      runs.handler += 1;
      return {};
    },
  );
  const post = async (payload: object, url = '/') => {
    const { statusCode, body } = await app.inject({ method: 'POST', url, payload });
    const errors: FieldError[] = JSON.parse(body).errors ?? [];
    return { statusCode, errors: errors.map(({ field, code }) => `${field} ${code}`) };
  };
  return { post, runs };
}

t.test('the rules of a route run once before its handler, although the schema passed', async (t) => {
  const { post, runs } = await buildTestServer(t);
  t.same(await post({ name: 'allowed' }), { statusCode: 200, errors: [] });
  t.same(runs, { rules: 1, useCase: 0, handler: 1 }, 'the use case checks its own rules');
  t.same(await post({ name: 'forbidden' }), {
    statusCode: 400,
    errors: ['name NOT_ALLOWED', 'record CONFLICT'],
  });
  t.same(await post({ name: 'allowed' }, '/?filter=forbidden'), {
    statusCode: 400,
    errors: ['record CONFLICT', 'filter NOT_ALLOWED'],
  });
  t.equal(runs.handler, 1);
});

t.test('with schema errors they complete the same response, without the fields that failed', async (t) => {
  const { post, runs } = await buildTestServer(t);
  t.same(await post({ name: 'forbidden', count: 'x' }, '/?filter=forbidden'), {
    statusCode: 400,
    errors: ['count WRONG_TYPE', 'name NOT_ALLOWED', 'record CONFLICT', 'filter NOT_ALLOWED'],
  });
  t.same(await post({ name: 'forbidden too long' }), {
    statusCode: 400,
    errors: ['name TOO_LONG', 'record CONFLICT'],
  });
  t.same(runs, { rules: 2, useCase: 2, handler: 0 });
});
