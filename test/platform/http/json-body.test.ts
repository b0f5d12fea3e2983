import { jsonBodyPlugin, parseJsonBody } from '../../../src/platform/http/json-body.ts';
import { ServiceError } from '../../../src/shared/errors.ts';
import { t } from '../../tap.ts';
import { createBareApp } from './helper.ts';

async function echo(t: Parameters<typeof createBareApp>[0]) {
  const app = await createBareApp(t);
  await app.register(jsonBodyPlugin);
  let reached = 0;
  app.post('/', (request) => {
    reached++;
    return { got: request.body ?? null };
  });
  app.delete('/', (request) => ({ got: request.body ?? null }));
  const post = (payload: string | Buffer, type?: string) =>
    app.inject({
      method: 'POST',
      url: '/',
      payload,
      headers: type === undefined ? {} : { 'content-type': type },
    });
  return { app, post, reached: () => reached };
}

const JSON_TYPE = 'application/json';

t.test('only a well-formed application/json content type reaches the handler', async (t) => {
  const { app, post, reached } = await echo(t);
  const refused = [
    'application/json\t',
    'application/json\t;charset=utf-8',
    'application/json;',
    'application/json; ',
    'application/json; charset=utf-8;',
    'application/json\ta',
    ' application/json',
    'Application/JSON',
    'APPLICATION/JSON; charset=utf-8',
    'application/jsonx',
    'application/merge-patch+json',
    'application/merge-patch+jsonx',
    'application/json; charset=utf-16',
    'text/plain',
    'text/plain; application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'json',
    '',
  ];
  for (const type of refused) {
    const answer = await post('{"a":1}', type);
    t.match(answer, { statusCode: 415 }, JSON.stringify(type));
    t.equal(answer.json().code, 'UNSUPPORTED_MEDIA_TYPE');
  }
  const bare = await app.inject({ method: 'POST', url: '/', payload: Buffer.from('{"a":1}') });
  t.equal(bare.statusCode, 415, 'missing');
  t.equal(reached(), 0);

  for (const type of [
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
  ]) {
    t.equal((await post('{"a":1}', type)).statusCode, 200, type);
  }
  t.equal(reached(), 3);
});

t.test('rejects prototype keys with 400 and keeps Object.prototype unchanged', async (t) => {
  const { post, reached } = await echo(t);
  const before = Object.getOwnPropertyNames(Object.prototype).sort();
  for (const payload of [
    '{"__proto__":{"polluted":1}}',
    '{"a":[{"__proto__":null}]}',
    '{"\\u005f_proto__":{"polluted":1}}',
    '{"constructor":{"prototype":{"polluted":1}}}',
  ]) {
    const answer = await post(payload, JSON_TYPE);
    t.match(answer, { statusCode: 400 }, payload);
    t.equal(answer.json().code, 'MALFORMED_BODY');
  }
  t.equal(reached(), 0);
  t.same(Object.getOwnPropertyNames(Object.prototype).sort(), before);
  t.notOk('polluted' in {});
});

t.test('rejects depth above 32, more than 10,000 values and strings above 64 KiB with 400', async (t) => {
  const { post } = await echo(t);
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  const many = (values: number) => `[${Array.from({ length: values - 1 }, () => 1).join()}]`;
  const text = (bytes: number) => JSON.stringify({ note: 'ä'.repeat(bytes / 2) });
  t.equal((await post(nested(32), JSON_TYPE)).statusCode, 200);
  t.equal((await post(many(10_000), JSON_TYPE)).statusCode, 200);
  t.equal((await post(text(65_536), JSON_TYPE)).statusCode, 200);
  const cases: [string, string, string][] = [
    [nested(33), 'body', 'TOO_DEEP'],
    [nested(500_000), 'body', 'TOO_DEEP'],
    ['['.repeat(1_000_000), 'body', 'TOO_DEEP'],
    [`{"a":${many(10_000)}}`, 'body', 'TOO_MANY'],
    [many(400_000), 'body', 'TOO_MANY'],
    [text(65_538), 'note', 'TOO_LONG'],
  ];
  for (const [payload, field, code] of cases) {
    const answer = await post(payload, JSON_TYPE);
    t.equal(answer.statusCode, 400, code);
    t.match(answer.json(), { code: 'VALIDATION_FAILED', errors: [{ field, code }] });
  }
  t.equal((await post(' '.repeat(1_048_577), JSON_TYPE)).statusCode, 413);
});

t.test(
  'rejects invalid UTF-8 as malformed, and names the field of control characters and lone surrogates',
  async (t) => {
    const { post, reached } = await echo(t);
    for (const bytes of [
      [0x22, 0xff, 0x22],
      [0x22, 0xc0, 0x80, 0x22],
      [0x22, 0xed, 0xa0, 0x80, 0x22],
    ]) {
      const answer = await post(Buffer.from(bytes), JSON_TYPE);
      t.match(answer.json(), { status: 400, code: 'MALFORMED_BODY' });
    }
    const cases: [string, string, string][] = [
      ['{"name":"a\\u0000"}', 'name', 'CONTROL_CHARACTER'],
      ['{"data":{"allergies":[{"name":"\\u001b[31m"}]}}', 'data.allergies[0].name', 'CONTROL_CHARACTER'],
      ['{"name":"line\\r"}', 'name', 'CONTROL_CHARACTER'],
      ['{"name":"\\ud800"}', 'name', 'INVALID_UNICODE'],
      ['{"list":["\\udc00x"]}', 'list[0]', 'INVALID_UNICODE'],
      ['{"bad\\u0000key":1}', 'bad?key', 'CONTROL_CHARACTER'],
      ['{"number":1e999}', 'number', 'TOO_LARGE'],
    ];
    for (const [payload, field, code] of cases) {
      const answer = await post(payload, JSON_TYPE);
      t.match(answer.json(), { status: 400, code: 'VALIDATION_FAILED', errors: [{ field, code }] }, payload);
    }
    t.equal(reached(), 0);
    t.same((await post('{"note":"a\\n\\tb 🐕"}', JSON_TYPE)).json(), { got: { note: 'a\n\tb 🐕' } });
  },
);

t.test('treats an empty JSON body as no body, and other invalid JSON as MALFORMED_BODY', async (t) => {
  const { app, post } = await echo(t);
  const gone = await app.inject({ method: 'DELETE', url: '/', headers: { 'content-type': JSON_TYPE } });
  t.same(gone.json(), { got: null });
  t.same((await post('', JSON_TYPE)).json(), { got: null });
  for (const payload of ['{', '{"a":}', 'undefined', '{"a":1}x', '\u0000', "{'a':1}"]) {
    t.match((await post(payload, JSON_TYPE)).json(), { status: 400, code: 'MALFORMED_BODY' }, payload);
  }
});

t.test('an error never contains the value that was sent', async (t) => {
  try {
    parseJsonBody(Buffer.from('{"password":"hunter2\\u0000"}'));
    t.fail('has to throw');
  } catch (error) {
    t.ok(error instanceof ServiceError);
    t.notMatch(JSON.stringify(error), 'hunter2');
  }
});
