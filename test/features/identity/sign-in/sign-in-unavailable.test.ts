import { startTestApp } from '../../../helper.ts';
import { freezeRateWindow } from '../../../rate-window.ts';
import { t } from '../../../tap.ts';
import { isProblem } from '../accounts/helper.ts';
import {
  CALLBACK_URL,
  EXCHANGE_URL,
  FRONTEND_SIGN_IN_URL,
  getFragmentParameter,
  isErrorRedirect,
  SIGN_IN_URL,
  startSignInApp,
} from './helper.ts';

const ADA = { sub: '1001', email: 'Ada@Example.org', given_name: 'Ada', family_name: 'Lovelace' };

t.test('every sign-in route reports that no provider is configured', async (t) => {
  const app = await startTestApp(t, { FRONTEND_URL: 'https://app.example.org/base' });
  const started = await app.call('GET', SIGN_IN_URL);
  t.same(
    { status: started.status, body: started.body },
    { status: 200, body: { configured: false, authorizationUrl: null } },
  );
  t.equal(started.headers['set-cookie'], undefined);
  t.match(
    (await app.call('GET', SIGN_IN_URL, { headers: { accept: 'text/html' } })).text,
    'No identity provider is configured',
  );
  t.ok(isErrorRedirect(await app.call('GET', CALLBACK_URL), 'not_configured'));
  const token = await app.call('POST', '/api/auth/google/token', { body: { idToken: 'a.b.c' } });
  t.ok(isProblem(token, 503, 'PROVIDER_UNAVAILABLE'));
  t.equal(token.body.detail, 'No identity provider is configured.');
  t.ok(isProblem(await app.call('POST', EXCHANGE_URL, { body: { code: 'x' } }), 401, 'SIGN_IN_INVALID'));
});

t.test(
  'the callback redirects to the front end even over the rate limit or without the database',
  async (t) => {
    const app = await startSignInApp(t, { RATE_LIMIT_SCALE: '0.1' });
    freezeRateWindow(t);
    const answers = [
      await app.returnFromProvider({}),
      await app.returnFromProvider({}),
      await app.returnFromProvider({}),
    ];
    t.same(
      answers.map((answer) => getFragmentParameter(answer, 'error')),
      ['sign_in_failed', 'sign_in_failed', 'try_again'],
    );
    t.ok(answers.every((answer) => String(answer.headers.location).startsWith(`${FRONTEND_SIGN_IN_URL}#`)));
    const other = await startSignInApp(t);
    const { authorizationUrl, cookie } = await other.begin();
    const query = other.provider.authorize(authorizationUrl, ADA);
    await other.services.jobs.stop();
    await other.database.close();
    t.ok(isErrorRedirect(await other.returnFromProvider(query, cookie), 'try_again'));
  },
);
