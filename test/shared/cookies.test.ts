import { formatSetCookie, parseCookies } from '../../src/shared/cookies.ts';
import { t } from '../tap.ts';

const ATTRIBUTES = { path: '/s', maxAgeSeconds: 60, sameSite: 'lax', secure: true } as const;

t.test('a cookie has its attributes, and its value unchanged', async (t) => {
  const value = 'a.b-c_d~e=%41';
  t.equal(
    formatSetCookie('name', value, ATTRIBUTES),
    `name=${value}; Max-Age=60; Path=/s; HttpOnly; Secure; SameSite=Lax`,
  );
  t.equal(
    formatSetCookie('name', '', { ...ATTRIBUTES, maxAgeSeconds: 0, sameSite: 'strict', secure: false }),
    'name=; Max-Age=0; Path=/s; HttpOnly; SameSite=Strict',
  );
  t.equal(parseCookies(`name=${value}`).name, value);
});

t.test('no name, value or path adds an attribute or a header', async (t) => {
  for (const hostile of ['a; Domain=evil.example', 'a\r\nSet-Cookie: b=c', 'a\u0000', 'a b;']) {
    t.throws(() => formatSetCookie('name', hostile, ATTRIBUTES), TypeError);
    t.throws(() => formatSetCookie(hostile, 'value', ATTRIBUTES), TypeError);
    t.throws(() => formatSetCookie('name', 'value', { ...ATTRIBUTES, path: `/${hostile};` }), TypeError);
  }
});

t.test('a hostile Cookie header gives only the cookies that it names', async (t) => {
  t.same({ ...parseCookies(undefined) }, {});
  t.same({ ...parseCookies('') }, {});
  t.same({ ...parseCookies(';;; =;= ; a') }, { '': '' });
  t.same({ ...parseCookies('a=1; a=2;b=%zz ;c="x"') }, { a: '1', b: '%zz', c: '"x"' });
  const parsed = parseCookies('__proto__=x; constructor=y');
  t.equal(parsed.constructor, 'y');
  t.equal(parseCookies('a=1').toString, undefined, 'nothing is inherited');
  t.equal(Object.keys(parseCookies(`${'a=1; '.repeat(10_000)}b=2`)).length, 2);
});
