import { createHash, randomBytes } from 'node:crypto';
import { startTestApp, TEST_SECRETS } from '../../helper.ts';
import { t } from '../../tap.ts';

t.test('the page of components shows each in its states, in light, dark and right to left', async (t) => {
  const test = await startTestApp(t);
  const open = (query = '') => test.call('GET', `/app/components${query}`);
  const page = await open();
  const has = (part: string) => t.ok(page.text.includes(part), part);
  t.equal(page.status, 200);
  for (const part of [
    'role="status"',
    'role="alert"',
    'aria-invalid="true"',
    'class="who"',
    'class="clash"',
    '<details>',
    'form="selection"',
    'rel="prev"',
    'rel="next"',
    'class="tabs"',
    'class="empty"',
    'class="badge"',
  ])
    has(part);
  const ids = [...page.text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  t.same(
    ids.filter((id, index) => ids.indexOf(id) !== index),
    [],
    'no id twice',
  );
  t.match(await open('?lang=ar'), { status: 200, text: 'dir="rtl"' });

  for (const scheme of ['light', 'dark']) {
    const { text, headers } = await open(`?scheme=${scheme}`);
    t.match(text, `color-scheme:${scheme};`);
    t.notMatch(text, 'prefers-color-scheme');
    for (const [, style = ''] of text.matchAll(/<style>([^<]+)/g)) {
      const hash = createHash('sha256').update(style).digest('base64');
      t.ok(
        String(headers['content-security-policy']).includes(`'sha256-${hash}'`),
        'the policy allows the style',
      );
    }
  }
  t.equal((await open('?scheme=blue')).status, 400);
});

t.test('there is no page of components in production', async (t) => {
  const test = await startTestApp(t, {
    ...TEST_SECRETS,
    // Those of the tests are texts, which production refuses.
    JWT_SECRET: randomBytes(32).toString('base64'),
    HASH_SECRET: randomBytes(32).toString('base64'),
    NODE_ENV: 'production',
    BCRYPT_COST: '10',
    SMTP_URL: 'none',
    BILLING: 'off',
    RATE_LIMIT_SCALE: '1',
    CORS_ORIGINS: 'https://app.example.org',
  });
  const page = await test.call('GET', '/app/components');
  t.equal(page.status, 404);
  t.notMatch(page.text, 'Undo bar');
});
