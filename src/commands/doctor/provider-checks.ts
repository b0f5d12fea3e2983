import type { Config } from '../../config.ts';
import { createNominatimGeocoder } from '../../providers/geocoding/nominatim-geocoder.ts';
import { createOpenIdIdentityProvider } from '../../providers/identity/openid-identity-provider.ts';
import { MailError } from '../../providers/mail/mail.port.ts';
import { verifySmtpServer } from '../../providers/mail/smtp-mail-provider.ts';
import { createClamdScanner } from '../../providers/malware/clamd/clamd-scanner.ts';
import { loadFirebaseLibrary, verifyFirebaseAccount } from '../../providers/push/firebase-push-provider.ts';
import { PushError } from '../../providers/push/push.port.ts';
import { SERVICE_VERSION } from '../../shared/version.ts';
import { type Check, createOk, createProblem, type Finding, NOT_CONFIGURED } from './check.ts';

/** Checks of the mail server, sign-in, the malware scanner, push and geocoding. */
export function createProviderChecks(config: Config): Check[] {
  return [
    {
      name: 'mail server',
      advice: 'Check SMTP_URL, the server and the firewall.',
      run: async () => (config.smtpUrl ? checkMailServer(config.smtpUrl) : NOT_CONFIGURED),
    },
    {
      name: 'identity provider',
      advice: 'Check OIDC_ISSUER: its /.well-known/openid-configuration must be reachable.',
      run: () => checkIdentityProvider(config),
    },
    {
      name: 'malware scanner',
      advice: 'Check CLAMD_URL, and that clamd runs.',
      run: () => checkMalwareScanner(config),
    },
    {
      name: 'push',
      advice: 'Check that oauth2.googleapis.com can be reached.',
      prepare: async () => config.firebaseAccount && loadFirebaseLibrary(),
      run: () => checkPush(config),
    },
    {
      name: 'geocoding server',
      advice: 'Check GEOCODER_URL. Without it places are named offline.',
      run: () => checkGeocoder(config),
    },
  ];
}

async function checkMailServer(url: string): Promise<Finding> {
  try {
    await verifySmtpServer(url);
    return createOk('accepts the connection and the login');
  } catch (error) {
    if (!(error instanceof MailError)) throw error;
    return createProblem(error.message, 'Check SMTP_URL: host, port, user, password and certificate.');
  }
}

/** The address for a browser needs the discovery of the provider, and nothing else. */
async function checkIdentityProvider({ identityProvider, publicBaseUrl }: Config): Promise<Finding> {
  if (!identityProvider) return NOT_CONFIGURED;
  const url = await createOpenIdIdentityProvider(identityProvider).createAuthorizationUrl({
    redirectUri: publicBaseUrl,
    state: 'doctor',
    nonce: 'doctor',
    codeVerifier: 'doctor',
  });
  return createOk(`was discovered, signs in at ${new URL(url).host}`);
}

async function checkMalwareScanner({ clamd }: Config): Promise<Finding> {
  if (!clamd) return NOT_CONFIGURED;
  if (await createClamdScanner(clamd).isAvailable()) return createOk('answers');
  const effect = clamd.whenUnavailable === 'hold' ? 'held' : 'refused';
  return createProblem('does not answer', `Start clamd, or correct CLAMD_URL. Documents are ${effect}.`);
}

async function checkPush({ firebaseAccount }: Config): Promise<Finding> {
  if (!firebaseAccount) return NOT_CONFIGURED;
  try {
    await verifyFirebaseAccount(firebaseAccount);
    return createOk(`Google accepts the account of ${firebaseAccount.projectId}`);
  } catch (error) {
    if (!(error instanceof PushError) || error.failure !== 'CREDENTIALS') throw error;
    return createProblem(
      'Google refuses the service account',
      'Create a new key in the Firebase console and set FIREBASE_SERVICE_ACCOUNT to it.',
    );
  }
}

async function checkGeocoder({ geocoderUrl, publicBaseUrl }: Config): Promise<Finding> {
  if (!geocoderUrl) return NOT_CONFIGURED;
  const userAgent = `qr-profile-service/${SERVICE_VERSION} (+${publicBaseUrl})`;
  // The Brandenburg Gate: no position of a user.
  await createNominatimGeocoder({ url: geocoderUrl, userAgent }).reverseGeocode(52.5163, 13.3777);
  return createOk('names a place');
}
