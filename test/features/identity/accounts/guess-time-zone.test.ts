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

t.test('mails to a new account have the times of its browser, or of its registration', async (t) => {
  const { call, getMailBySubject } = await startTestApp(t);
  const french = { 'accept-language': 'fr-FR,fr;q=0.9' };
  const english = { 'accept-language': 'en-AU' };
  const register = (email: string, profile: object, headers: Record<string, string>) =>
    call('POST', '/api/auth/register', { body: { email, password: TEST_PASSWORD, ...profile }, headers });
  const getMail = async (email: string) => (await getMailBySubject(email, /^\d{6}/))?.text;
  await register('ada@example.org', {}, french);
  t.match(await getMail('ada@example.org'), /UTC\+[12]\b/);
  await register('bob@example.org', { ...TEST_PROFILE, timeZone: 'Asia/Tokyo' }, french);
  t.match(await getMail('bob@example.org'), 'UTC+9');
  const body = { email: 'ada@example.org' };
  const german = { 'accept-language': 'de-AT' };
  t.equal((await call('POST', '/api/auth/resend-otp', { body, headers: german })).status, 200);
  const resent = await getMailBySubject('ada@example.org', /Bestätigungscode/);
  t.match(resent?.text, /MES?Z/);
  await register('eve@example.org', {}, english);
  t.match(await getMail('eve@example.org'), /\bUTC\b/, 'a country with several times');
});

t.test('an account made by signing in with a provider begins with the likely time zone, too', async (t) => {
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
