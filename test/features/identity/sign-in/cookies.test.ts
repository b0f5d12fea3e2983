import { t } from '../../../tap.ts';
import { SIGN_IN_URL, startSignInApp } from './helper.ts';

t.test('cookies of a sign-in are bound to the host, hidden from scripts and limited in time', async (t) => {
  const app = await startSignInApp(t);
  const started = await app.call('GET', SIGN_IN_URL);
  const attributes = 'Path=\\/; HttpOnly; Secure; SameSite';
  t.match(
    String(started.headers['set-cookie']),
    new RegExp(`^__Host-sign-in=[^;]+; Max-Age=600; ${attributes}=Lax$`),
    'the provider leads back from another site',
  );
  const returned = await app.authorize({ sub: 'eve', email: 'eve@example.org' });
  const cookies = [returned.headers['set-cookie'] ?? []].flat().map(String);
  const code = cookies.find((cookie) => cookie.startsWith('__Host-sign-in-code='));
  t.match(code, new RegExp(`=[^;]+; Max-Age=60; ${attributes}=Strict$`), 'only own pages exchange the code');
});
