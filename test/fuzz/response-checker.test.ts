import { t } from '../tap.ts';
import { readDocument } from './document.ts';
import { CANARY } from './fuzz-users.ts';
import type { RawResponse } from './raw-http.ts';
import type { EncodedRequest } from './request.ts';
import { createResponseChecker } from './response-checker.ts';

const PROBLEM = 'application/problem+json';
const problems = { content: { [PROBLEM]: { schema: { $ref: '#/components/schemas/Problem' } } } };
const judge = createResponseChecker(
  readDocument({
    paths: {
      '/things/{id}': {
        get: {
          operationId: 'things.read',
          responses: {
            200: {
              content: {
                'application/json': {
                  schema: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
                },
              },
            },
            204: {},
            404: problems,
            500: problems,
          },
        },
      },
    },
    components: {
      schemas: {
        Problem: {
          type: 'object',
          required: ['status', 'code', 'detail'],
          properties: { code: { type: 'string', enum: ['NOT_FOUND', 'INTERNAL'] } },
        },
      },
    },
  }),
);

function request(changes: Partial<EncodedRequest> = {}): EncodedRequest {
  const bytes = Buffer.from('GET /things/1 HTTP/1.1\r\n\r\n');
  return { bytes, method: 'GET', path: '/things/1', as: 'anonymous', isMalformed: false, ...changes };
}

function createResponse(status: number, value: unknown, changes: Partial<RawResponse> = {}): RawResponse {
  const type = status < 400 ? 'application/json' : PROBLEM;
  const headers = { 'content-type': `${type}; charset=utf-8`, 'x-request-id': 'r', ...changes.headers };
  return { status, body: Buffer.from(JSON.stringify(value)), ...changes, headers };
}

const problem = (status: number, code: string, detail = 'Not there.') =>
  createResponse(status, { status, code, detail });

t.test('accepts responses that the document declares', async (t) => {
  t.same(judge(request(), createResponse(200, { id: 'a' })), []);
  t.same(judge(request(), createResponse(204, '', { body: Buffer.alloc(0) })), []);
  t.same(judge(request(), problem(404, 'NOT_FOUND')), []);
  t.same(judge(request({ path: '/nothing' }), problem(404, 'NOT_FOUND')), []);
  t.same(judge(request({ method: 'HEAD' }), createResponse(200, '', { body: Buffer.alloc(0) })), []);
});

t.test('finds each kind of violation', async (t) => {
  const check = (response: RawResponse | null, from: Partial<EncodedRequest> = {}) =>
    judge(request(from), response).join();
  t.match(check(null), 'no answer');
  t.match(check(problem(500, 'INTERNAL')), /500.*INTERNAL/, 'a 5xx, though it is declared');
  t.match(check(problem(503, 'NOT_FOUND')), 'without Retry-After');
  t.match(check(problem(409, 'NOT_FOUND')), 'does not declare 409');
  t.match(check(createResponse(200, { id: 1 })), 'not as declared');
  t.match(check(createResponse(200, {})), 'not as declared');
  t.match(
    check(createResponse(200, { id: 'a' }, { headers: { 'content-type': 'text/html' } })),
    'does not declare text/html',
  );
  t.match(check(createResponse(204, 'x')), 'declares no body');
  t.match(check(createResponse(200, { id: 'a' }), { path: '/nothing' }), 'where nothing is declared');
  t.match(check(createResponse(200, { id: 'a' }), { method: 'PUT' }), 'where nothing is declared');
  t.match(check(problem(404, 'UNHEARD_OF')), 'a problem that is none');
  t.match(check(createResponse(404, { status: 400, code: 'NOT_FOUND', detail: '' })), 'says it is 400');
  t.match(
    check(createResponse(404, {}, { headers: { 'content-type': 'text/plain' } })),
    'no problem document',
  );
  t.match(check(problem(404, 'NOT_FOUND', 'duplicate key value violates')), 'an error shows');
  t.match(check(problem(404, 'NOT_FOUND', 'at f (/app/node_modules/x.js:1:1)')), 'an error shows');
  t.match(check(problem(404, 'NOT_FOUND', CANARY)), 'a private value in an error');
  t.match(check(createResponse(200, { id: CANARY })), "somebody else's private value");
  t.match(check(createResponse(200, { id: 'a\ufffd' })), 'U+FFFD');
  t.match(check(createResponse(200, { id: 'a' }, { headers: { 'x-injected': '1' } })), 'came back');
});
