import { formatSetCookieHeader, parseCookieHeader } from '../../src/shared/cookies.ts';
import { t } from '../tap.ts';

const ATTRIBUTES = { path: '/s', maxAgeSeconds: 60, sameSite: 'lax', secure: true } as const;

t.test('a cookie has its attributes, and its value unchanged', async (t) => {
  const value = 'a.b-c_d~e=%41';
  t.equal(
    formatSetCookieHeader('name', value, ATTRIBUTES),
    `name=${value}; Max-Age=60; Path=/s; HttpOnly; Secure; SameSite=Lax`,
  );
  t.equal(
    formatSetCookieHeader('name', '', { ...ATTRIBUTES, maxAgeSeconds: 0, sameSite: 'strict', secure: false }),
    'name=; Max-Age=0; Path=/s; HttpOnly; SameSite=Strict',
  );
  t.equal(parseCookieHeader(`name=${value}`).name, value);
});

t.test('no name, value or path adds an attribute or a header', async (t) => {
  for (const hostile of ['a; Domain=evil.example', 'a\r\nSet-Cookie: b=c', 'a\u0000', 'a b;']) {
    t.throws(() => formatSetCookieHeader('name', hostile, ATTRIBUTES), TypeError);
    t.throws(() => formatSetCookieHeader(hostile, 'value', ATTRIBUTES), TypeError);
    t.throws(
      () => formatSetCookieHeader('name', 'value', { ...ATTRIBUTES, path: `/${hostile};` }),
      TypeError,
    );
  }
});

t.test('a hostile Cookie header gives only the cookies that it names', async (t) => {
  t.same({ ...parseCookieHeader(undefined) }, {});
  t.same({ ...parseCookieHeader('') }, {});
  t.same({ ...parseCookieHeader(';;; =;= ; a') }, { '': '' });
  t.same({ ...parseCookieHeader('a=1; a=2;b=%zz ;c="x"') }, { a: '1', b: '%zz', c: '"x"' });
  const parsed = parseCookieHeader('__proto__=x; constructor=y');
  t.equal(parsed.constructor, 'y');
  t.equal(parseCookieHeader('a=1').toString, undefined, 'nothing is inherited');
  t.equal(Object.keys(parseCookieHeader(`${'a=1; '.repeat(10_000)}b=2`)).length, 2);
});
