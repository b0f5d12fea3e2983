import { mapDatabaseError } from '../../../src/platform/http/database-errors.ts';
import { problemDetailsPlugin, toServiceError } from '../../../src/platform/http/problem-details.ts';
import { getRequestContext } from '../../../src/platform/request-context.ts';
import { createValidationError, ServiceError } from '../../../src/shared/errors.ts';
import { t } from '../../tap.ts';
import { createBareApp } from './helper.ts';

function createCodedError(code: string, message = 'secret value in table users on host db.internal'): Error {
  return Object.assign(new Error(message), { code });
}

function createAdapterError(code: string, kind: string, originalCode: string): Error {
  return Object.assign(new Error('Invalid `prisma.user.create()` secret value'), {
    name: 'PrismaClientKnownRequestError',
    code,
    meta: { driverAdapterError: Object.assign(new Error(kind), { cause: { kind, originalCode } }) },
  });
}

t.test('sends a problem document with exactly the members of RFC 9457 and our own', async (t) => {
  const app = await createBareApp(t);
  app.get('/fields', () => {
    throw createValidationError({
      field: 'data.allergies[0].name',
      code: 'TOO_SHORT',
      message: 'Must have text.',
    });
  });
  app.get('/members', () => {
    throw new ServiceError('PIN_INCORRECT', { members: { attemptsLeft: 4, status: 200 } });
  });
  const fields = await app.inject('/fields');
  t.equal(fields.headers['content-type'], 'application/problem+json; charset=utf-8');
  t.match(fields.json(), {
    type: '/api/docs/errors/VALIDATION_FAILED',
    title: 'The request is invalid.',
    status: 400,
    detail: 'Invalid: data.allergies[0].name.',
    code: 'VALIDATION_FAILED',
    requestId: /^[0-9a-f-]{36}$/,
    errors: [{ field: 'data.allergies[0].name', code: 'TOO_SHORT', message: 'Must have text.' }],
  });
  const members = (await app.inject('/members')).json();
  t.match(members, { code: 'PIN_INCORRECT', status: 403, attemptsLeft: 4 });
  t.notOk('errors' in members);
});

t.test('what the database lost after a commit of the request is not "nothing was changed"', async (t) => {
  const app = await createBareApp(t);
  app.route({
    method: ['GET', 'POST'],
    url: '/',
    handler: (request) => {
      if (request.headers['x-commits']) getRequestContext(request).onCommitted?.();
      throw createCodedError('57P01');
    },
  });
  const findCode = async (method: 'GET' | 'POST', headers = {}) =>
    (await app.inject({ method, url: '/', headers })).json().code;
  t.equal(await findCode('POST'), 'DATABASE_UNAVAILABLE');
  t.equal(await findCode('POST', { 'x-commits': 'yes' }), 'OUTCOME_UNKNOWN');
  t.equal(await findCode('GET', { 'x-commits': 'yes' }), 'DATABASE_UNAVAILABLE', 'a read is only repeated');
});

t.test('a broken constraint is logged with its name, whatever the client gets', async (t) => {
  const { default: Fastify } = await import('fastify');
  const lines: string[] = [];
  const { createFastifyOptions } = await import('../../../src/platform/http/server-options.ts');
  const stream = { write: (line: string) => lines.push(line) };
  const app = Fastify(createFastifyOptions({ trustProxy: [], https: false, log: { level: 'info', stream } }));
  t.teardown(() => app.close());
  await app.register(problemDetailsPlugin);
  const thrown = [
    Object.assign(createCodedError('23514'), { constraint: 'scans_total_positive' }),
    createAdapterError('P2002', 'UniqueConstraintViolation', '23505'),
    createAdapterError('P2011', 'NullConstraintViolation', '23502'),
  ];
  app.get('/', () => {
    throw thrown.shift();
  });
  for (const status of [400, 409, 400]) t.equal((await app.inject('/')).statusCode, status);
  const problems = lines.map((line) => JSON.parse(line)).filter(({ problem }) => problem !== undefined);
  t.match(problems, [
    { level: 40, problem: 'VALIDATION_FAILED', error: { code: '23514', constraint: 'scans_total_positive' } },
    { level: 40, problem: 'CONFLICT', error: { code: 'P2002' } },
    { level: 40, problem: 'VALIDATION_FAILED', error: { code: 'P2011' } },
  ]);
  t.notMatch(lines.join(''), /secret/);
});

t.test('a response schema for the status does not remove members of a problem', async (t) => {
  const app = await createBareApp(t);
  const schema = { response: { 403: { type: 'object', properties: { code: { type: 'string' } } } } };
  app.get('/', { schema }, () => {
    throw new ServiceError('PIN_INCORRECT', { members: { attemptsLeft: 4 } });
  });
  t.match((await app.inject('/')).json(), { attemptsLeft: 4, requestId: String });
});

t.test(
  'responds 500 INTERNAL without details to other errors and logs them without their message',
  async (t) => {
    const lines: string[] = [];
    const { default: Fastify } = await import('fastify');
    const { createFastifyOptions: serverOptions } = await import(
      '../../../src/platform/http/server-options.ts'
    );
    const { problemDetailsPlugin: problem } = await import('../../../src/platform/http/problem-details.ts');
    const stream = { write: (line: string) => lines.push(line) };
    const app = Fastify(serverOptions({ trustProxy: [], https: false, log: { level: 'info', stream } }));
    t.teardown(() => app.close());
    await app.register(problem);
    const thrown: unknown[] = [
      new Error('secret value'),
      new TypeError("Cannot create property 'x' on string 'secret value'"),
      Object.assign(new Error('secret value'), { statusCode: 502 }),
      Object.assign(new Error('secret value\n    at secret value'), {
        code: 'P2009',
        meta: { target: 'secret value' },
      }),
      'secret value',
      null,
      { secret: 'secret value' },
    ];
    app.get('/:n', (request) => {
      throw thrown[Number((request.params as { n: string }).n)];
    });
    for (let n = 0; n < thrown.length; n++) {
      lines.length = 0;
      const answer = await app.inject(`/${n}`);
      t.match(answer.json(), { status: 500, code: 'INTERNAL', detail: /^The service failed unexpectedly\./ });
      t.notMatch(answer.body, /secret|stack|at /);
      t.equal(lines.length, 1, 'logged once');
      t.notMatch(lines[0], 'secret value');
      t.match(lines[0], '"problem":"INTERNAL"');
    }
  },
);

t.test(
  'maps an unavailable database to 503 with Retry-After, conflicts to 409, missing records to 404, bad values to 400',
  async (t) => {
    const app = await createBareApp(t);
    let thrown: unknown;
    app.get('/', () => {
      throw thrown;
    });
    const unavailableErrors: unknown[] = [
      ...'P1001 P1002 P1008 P1017 P2024 P2028 P2034 P2037 ECONNREFUSED ECONNRESET ETIMEDOUT'
        .split(' ')
        .map((code) => createCodedError(code)),
      ...'57014 53300 53400 57P01 57P02 57P03 08006 08001 40001 40P01 55P03 25006 25P03'
        .split(' ')
        .map((code) => createCodedError(code)),
      Object.assign(new Error('secret'), { name: 'PrismaClientInitializationError', errorCode: 'P1001' }),
      createAdapterError('P2010', 'postgres', '57014'),
      createAdapterError('P2010', 'postgres', '53300'),
      Object.assign(new Error('secret'), { cause: { kind: 'DatabaseNotReachable' } }),
      new Error('timeout exceeded when trying to connect'),
      new Error('Connection terminated unexpectedly'),
      new Error('Query read timeout'),
      new Error('wrapped', { cause: createCodedError('ECONNREFUSED') }),
    ];
    for (thrown of unavailableErrors) {
      const answer = await app.inject('/');
      t.match(answer.json(), { status: 503, code: 'DATABASE_UNAVAILABLE' }, JSON.stringify(thrown));
      t.equal(answer.headers['retry-after'], '1');
      t.notMatch(answer.body, /secret|db\.internal|users/);
    }
    const others: [unknown, number, string][] = [
      [createAdapterError('P2002', 'UniqueConstraintViolation', '23505'), 409, 'CONFLICT'],
      [createCodedError('23505'), 409, 'CONFLICT'],
      [createCodedError('P2003'), 409, 'CONFLICT'],
      [createCodedError('P2025'), 404, 'NOT_FOUND'],
      [createAdapterError('P2039', 'postgres', '22021'), 400, 'VALIDATION_FAILED'],
      [createAdapterError('P2039', 'postgres', '22P05'), 400, 'VALIDATION_FAILED'],
      [createAdapterError('P2007', 'InvalidInputValue', '22P02'), 400, 'VALIDATION_FAILED'],
      [createAdapterError('P2020', 'ValueOutOfRange', '22003'), 400, 'VALIDATION_FAILED'],
      [createCodedError('54001'), 400, 'VALIDATION_FAILED'],
      [createCodedError('23514'), 400, 'VALIDATION_FAILED'],
    ];
    for (const [error, status, code] of others) {
      thrown = error;
      const answer = await app.inject('/');
      t.match(answer.json(), { status, code });
      t.notMatch(answer.body, /secret|db\.internal|users/);
    }
    t.equal(mapDatabaseError(new Error('other')), undefined);
    t.equal(mapDatabaseError(createCodedError('42P01')), undefined, 'a missing table is an internal error');
    t.equal(mapDatabaseError('text'), undefined);
  },
);

t.test('errors of Fastify and its plugins keep their meaning without their message', async (t) => {
  const cases: [number, string][] = [
    [400, 'MALFORMED_BODY'],
    [401, 'UNAUTHENTICATED'],
    [403, 'FORBIDDEN'],
    [404, 'NOT_FOUND'],
    [406, 'UNSUPPORTED_MEDIA_TYPE'],
    [412, 'PRECONDITION_FAILED'],
    [413, 'PAYLOAD_TOO_LARGE'],
    [414, 'NOT_FOUND'],
    [415, 'UNSUPPORTED_MEDIA_TYPE'],
    [416, 'RANGE_NOT_SATISFIABLE'],
    [418, 'VALIDATION_FAILED'],
    [429, 'RATE_LIMITED'],
    [502, 'INTERNAL'],
  ];
  for (const [statusCode, code] of cases) {
    const error = toServiceError(Object.assign(new Error('secret'), { statusCode }));
    t.equal(error.code, code);
    t.notMatch(error.message, 'secret');
  }
});

t.test('429 and 503 always carry Retry-After in whole seconds', async (t) => {
  const app = await createBareApp(t);
  app.get('/limited', () => {
    throw new ServiceError('RATE_LIMITED', { retryAfterSeconds: 12.3 });
  });
  app.get('/busy', () => {
    throw new ServiceError('BUSY');
  });
  t.equal((await app.inject('/limited')).headers['retry-after'], '13');
  t.equal((await app.inject('/busy')).headers['retry-after'], '1');
});
