import { startTestApp } from '../../../helper.ts';
import { t } from '../../../tap.ts';

t.test('the page that sets a new password hides it and lets password managers fill it in', async (t) => {
  const app = await startTestApp(t);
  const page = await app.call('GET', '/api/auth/reset-password');
  t.equal(page.status, 200);
  const [field = ''] = /<input id="password"[^>]*>/.exec(page.text) ?? [];
  t.match(field, 'type="password"');
  t.match(field, 'autocomplete="new-password"');
  t.notMatch(page.text, /onpaste|maxlength|preventDefault\(\)[^}]*paste/);
  t.equal(page.headers['cache-control'], 'no-store');
  t.match(page.text, 'textContent', 'answers are shown as text');
  t.notMatch(page.text, /innerHTML|insertAdjacentHTML|document\.write|localStorage|sessionStorage/);
});
