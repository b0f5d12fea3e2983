import { createHash } from 'node:crypto';
import Fastify from 'fastify';
import { loadConfig } from '../../../src/config.ts';
import { createPageFrame, sendLocalizedMessagePage } from '../../../src/platform/pages/page-frame.ts';
import { toSupportedLocale } from '../../../src/shared/i18n/choose-locale.ts';
import { t } from '../../tap.ts';

t.test('a page has exactly this Content-Security-Policy', async (t) => {
  const app = Fastify();
  t.teardown(() => app.close());
  app.decorate('pageFrame', createPageFrame(loadConfig({}).brand, 'https://qr.example.org'));
  const page = { status: 200, locale: toSupportedLocale('en'), title: 'A', text: 'B', address: null };
  app.get('/', (_request, reply) => sendLocalizedMessagePage(reply, page));
  const response = await app.inject('/');
  const style = /<style>(.*?)<\/style>/s.exec(response.payload)?.[1] ?? '';
  t.equal(
    response.headers['content-security-policy'],
    [
      "default-src 'none'",
      `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
      "script-src 'self'",
      "img-src 'self' data:",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
  );
});
