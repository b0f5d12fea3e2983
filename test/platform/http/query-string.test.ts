import { parseQueryString, parseRequestTarget } from '../../../src/platform/http/query-string.ts';
import { addRequestSteps } from '../../../src/platform/http/request-steps.ts';
import { t } from '../../tap.ts';
import { createBareApp } from './helper.ts';

t.test('literal undefined, null and empty values mean "not given"', async (t) => {
  t.same(parseQueryString('is_read=undefined&type=null&search=&page=2&empty'), { page: '2' });
  t.same(parseQueryString('search=null+object&q=a%20b+c'), { search: 'null object', q: 'a b c' });
  t.same(parseQueryString(''), {});
  t.same(parseQueryString('&&'), {});
});

t.test('parameters that can be repeated are lists, in any spelling of their name', async (t) => {
  const repeatable = new Set(['status']);
  t.same(parseQueryString('status=A&page=1&Status=&STATUS=B&status=null', repeatable), {
    status: ['A', 'B'],
    page: '1',
  });
  t.same(parseQueryString('status=', repeatable), {});
  t.throws(() => parseQueryString('page=1&page=2', repeatable), { code: 'VALIDATION_FAILED' });
});

t.test('rejects invalid queries with 400 naming the parameter', async (t) => {
  const app = await createBareApp(t);
  addRequestSteps(app, parseRequestTarget);
  let reached = 0;
  app.get('/list/:id', (request) => {
    reached++;
    return request.query;
  });
  const cases: [string, string, string, string][] = [
    ['a bad %-escape', 'search=%zz', 'search', 'BAD_ENCODING'],
    ['a bad %-escape in a name', '%=1', '%', 'BAD_ENCODING'],
    ['invalid UTF-8', 'search=%ff', 'search', 'BAD_ENCODING'],
    ['an encoded surrogate', 'search=%ed%a0%80', 'search', 'BAD_ENCODING'],
    ['NUL', 'search=a%00', 'search', 'CONTROL_CHARACTER'],
    ['a control character in a name', 'a%01=1', 'a?', 'CONTROL_CHARACTER'],
    ['a repeated parameter', 'page=1&page=2', 'page', 'REPEATED'],
    ['brackets', 'page[]=1', 'page[]', 'UNKNOWN_FIELD'],
    ['encoded brackets', 'where%5Bid%5D=1', 'where[id]', 'UNKNOWN_FIELD'],
    ['__proto__', '__proto__=1', '__proto__', 'UNKNOWN_FIELD'],
    ['constructor', 'constructor=1', 'constructor', 'UNKNOWN_FIELD'],
  ];
  for (const [title, query, field, code] of cases) {
    const answer = await app.inject(`/list/1?${query}`);
    t.match(answer.json(), { status: 400, code: 'VALIDATION_FAILED', errors: [{ field, code }] }, title);
  }
  const path = await app.inject('/list/a%00b');
  t.match(
    path.json(),
    { status: 400, errors: [{ field: 'path', code: 'CONTROL_CHARACTER' }] },
    'NUL in a path',
  );
  t.equal(reached, 0);
  t.same((await app.inject('/list/1?page=1&search=undefined')).json(), { page: '1' });
});

t.test('responds 404 to an unknown path whatever its query', async (t) => {
  const app = await createBareApp(t);
  addRequestSteps(app, parseRequestTarget);
  t.equal((await app.inject('/nowhere?a=%zz')).statusCode, 404);
});
