import { startTestApp, TEST_PASSWORD } from '../../../helper.ts';
import { t } from '../../../tap.ts';
import {
  CALLBACK_URL,
  EXCHANGE_URL,
  getCodeCookie,
  getFragmentParameter,
  startSignInApp,
} from '../sign-in/helper.ts';
import { TEST_PROFILE } from './helper.ts';

const AUSTRIAN = { 'accept-language': 'de-AT,de;q=0.9,en;q=0.8' };

t.test('an account begins with the time zone of its registration, or with the likely one', async (t) => {
  const { call, getOtp } = await startTestApp(t);
  const signUp = async (email: string, profile: object) => {
    await call('POST', '/api/auth/register', { body: { email, password: TEST_PASSWORD, ...profile } });
    const body = { email, otp: await getOtp(email) };
    return (await call('POST', '/api/auth/verify-otp', { body, headers: AUSTRIAN })).body.user;
  };
  t.match(await signUp('ada@example.org', {}), { language: 'de', timeZone: 'Europe/Vienna' });
  const chosen = { ...TEST_PROFILE, timeZone: 'Asia/Tokyo' };
  t.match(await signUp('bob@example.org', chosen), { language: 'de', timeZone: 'Asia/Tokyo' });
});

t.test('so does the account of who signs in with a provider', async (t) => {
  const { call, begin, provider } = await startSignInApp(t);
  const started = await begin();
  const claims = { sub: '1', email: 'ada@example.org', email_verified: true };
  const query = new URLSearchParams(provider.authorize(started.authorizationUrl, claims));
  const returned = await call('GET', `${CALLBACK_URL}?${query}`, {
    headers: { ...AUSTRIAN, cookie: started.cookie, accept: 'text/html' },
  });
  const { body } = await call('POST', EXCHANGE_URL, {
    body: { code: getFragmentParameter(returned, 'code') },
    headers: { ...AUSTRIAN, cookie: getCodeCookie(returned) },
  });
  t.match(body.user, { language: 'de', timeZone: 'Europe/Vienna' });
});
