import { startApp } from '../../helper.ts';
import { earlyInWindow } from '../../rate-window.ts';
import { t } from '../../tap.ts';
import { isProblem } from '../accounts/helper.ts';
import { CALLBACK, EXCHANGE, FRONT_END, isRefusal, START, startSignIns, wordOf } from './helper.ts';

const ADA = { sub: '1001', email: 'Ada@Example.org', given_name: 'Ada', family_name: 'Lovelace' };

t.test('Where no provider is configured all say so', async (t) => {
  const app = await startApp(t, { FRONTEND_URL: 'https://app.example.org/base' });
  const started = await app.call('GET', START);
  t.same(
    { status: started.status, body: started.body },
    { status: 200, body: { configured: false, authorizationUrl: null } },
  );
  t.equal(started.headers['set-cookie'], undefined);
  t.match(
    (await app.call('GET', START, { headers: { accept: 'text/html' } })).text,
    'No identity provider is configured',
  );
  t.ok(isRefusal(await app.call('GET', CALLBACK), 'not_configured'));
  const token = await app.call('POST', '/api/auth/google/token', { body: { idToken: 'a.b.c' } });
  t.ok(isProblem(token, 503, 'PROVIDER_UNAVAILABLE'));
  t.equal(token.body.detail, 'No identity provider is configured.');
  t.ok(isProblem(await app.call('POST', EXCHANGE, { body: { code: 'x' } }), 401, 'SIGN_IN_INVALID'));
});

t.test(
  'Over the limit of log-ins, and with the database away, the callback still leads to the front end',
  async (t) => {
    const app = await startSignIns(t, { RATE_LIMIT_SCALE: '0.1' });
    await earlyInWindow(10);
    const answers = [await app.comeBack({}), await app.comeBack({}), await app.comeBack({})];
    t.same(
      answers.map((answer) => wordOf(answer, 'error')),
      ['sign_in_failed', 'sign_in_failed', 'try_again'],
    );
    t.ok(answers.every((answer) => String(answer.headers.location).startsWith(`${FRONT_END}#`)));
    const other = await startSignIns(t);
    const { authorizationUrl, cookie } = await other.begin();
    const query = other.provider.authorize(authorizationUrl, ADA);
    await other.services.jobs.stop();
    await other.database.close();
    t.ok(isRefusal(await other.comeBack(query, cookie), 'try_again'));
  },
);
