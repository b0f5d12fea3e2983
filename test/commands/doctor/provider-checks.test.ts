import { readFirebaseServiceAccount } from '../../../src/shared/firebase-service-account.ts';
import { findFreePort } from '../../../src/start/find-free-port.ts';
import { startTestGeocoder } from '../../providers/geocoding/test-geocoder.ts';
import { sendJson, startTestIdentityProvider } from '../../providers/identity/test-identity-provider.ts';
import { createSmtpError, startSmtpSink } from '../../providers/mail/smtp-sink.ts';
import { startFakeClamd } from '../../providers/malware/fake-clamd.ts';
import { createServiceAccount, startFcmServer } from '../../providers/push/fcm-server.ts';
import { t } from '../../tap.ts';
import { diagnose, diagnoseOne } from './doctor-helper.ts';

const closedPort = await findFreePort();

t.test('providers that are not configured are no problem', async (t) => {
  const names = [
    'mail server',
    'identity provider',
    'malware scanner',
    'push',
    'geocoding server',
    'payments',
  ];
  const results = await diagnose({}, ...names);
  for (const name of names) t.match(results[name], { state: 'not configured', found: '' }, name);
});

t.test('connects to the mail server and logs in, without sending a mail', async (t) => {
  const passwords: unknown[] = [];
  const sink = await startSmtpSink({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth({ password }, _session, callback) {
      passwords.push(password);
      if (password === 'right') callback(null, { user: 'me' });
      else callback(createSmtpError(535, 'No.'));
    },
  });
  t.teardown(sink.close);
  const check = (password: string) =>
    diagnoseOne('mail server', { SMTP_URL: sink.url.replace('//', `//me:${password}@`) });
  t.match(await check('right'), { state: 'ok', found: 'accepts the connection and the login' });
  const refused = await check('a-wrong-one');
  t.match(refused, { state: 'problem', found: /answered 535 at AUTH/, advice: /SMTP_URL/ });
  t.notMatch(JSON.stringify(refused), /a-wrong-one/);
  t.same(passwords, ['right', 'a-wrong-one']);
  t.same(sink.mails, []);
  t.match(await diagnoseOne('mail server', { SMTP_URL: `smtp://127.0.0.1:${closedPort}` }), {
    state: 'problem',
    found: /could not be reached/,
  });
});

t.test('a mail server without STARTTLS gets no password where TLS is required', async (t) => {
  const sink = await startSmtpSink({ authOptional: true });
  t.teardown(sink.close);
  const SMTP_URL = `${sink.url.replace('//', '//me:a-password@')}?requireTLS=true`;
  t.match(await diagnoseOne('mail server', { SMTP_URL }), { state: 'problem', found: /STARTTLS|ETLS/ });
});

t.test('discovers the identity provider', async (t) => {
  const provider = await startTestIdentityProvider(t);
  const check = () => diagnoseOne('identity provider', provider.environment);
  t.match(await check(), {
    state: 'ok',
    found: `was discovered, signs in at ${new URL(provider.issuer).host}`,
  });
  t.same(
    provider.requests.map(({ path }) => path),
    ['/.well-known/openid-configuration'],
  );
  provider.does.discovery = (_request, response) =>
    sendJson(response, { issuer: 'https://other.example.org' });
  t.match(await check(), { state: 'problem', found: 'fails (UNAVAILABLE)', advice: /OIDC_ISSUER/ });
  const OIDC_ISSUER = `http://127.0.0.1:${closedPort}`;
  t.match(await diagnoseOne('identity provider', { ...provider.environment, OIDC_ISSUER }), {
    state: 'problem',
    found: 'fails (ECONNREFUSED)',
  });
});

t.test('pings the malware scanner', async (t) => {
  const clamd = await startFakeClamd(t);
  const check = (environment = {}) =>
    diagnoseOne('malware scanner', { CLAMD_URL: clamd.url, ...environment });
  t.match(await check(), { state: 'ok' });
  t.same(clamd.contents, []);
  await clamd.stop();
  t.match(await check(), { state: 'problem', advice: /Documents are refused\.$/ });
  t.match(await check({ CLAMD_UNAVAILABLE: 'hold' }), { state: 'problem', advice: /are held\.$/ });
});

t.test('gets an access token for pushes, and sends none', async (t) => {
  const server = await startFcmServer();
  t.teardown(() => server.close());
  const account = createServiceAccount();
  const check = () => diagnoseOne('push', { FIREBASE_SERVICE_ACCOUNT: account });
  t.match(await check(), {
    state: 'ok',
    found: `Google accepts the account of ${readFirebaseServiceAccount(account).projectId}`,
  });
  t.equal(server.state.tokenCalls, 1);
  t.same(server.received, []);
});

t.test('asks the geocoding server for a fixed position', async (t) => {
  const geocoder = await startTestGeocoder(t);
  const check = () => diagnoseOne('geocoding server', { GEOCODER_URL: geocoder.url });
  t.match(await check(), { state: 'ok' });
  t.equal(geocoder.requests.length, 1);
  geocoder.does = (response) => response.writeHead(500).end();
  t.match(await check(), { state: 'problem', advice: /GEOCODER_URL/ });
});
