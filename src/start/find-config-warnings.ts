import type { Config } from '../config.ts';

/** Find settings that a service in production can run with, but probably should not. */
export function findConfigWarnings(
  config: Pick<
    Config,
    'production' | 'trustProxy' | 'rateLimitScale' | 'clamd' | 'smtpUrl' | 'firebaseAccount' | 'billing'
  >,
): string[] {
  if (!config.production) return [];
  const { trustProxy, rateLimitScale, clamd, smtpUrl, firebaseAccount, billing } = config;
  return [
    ...(trustProxy.length === 0
      ? [
          'TRUST_PROXY is not set: behind a proxy all clients share one address and its limits, unless it keeps their addresses',
        ]
      : []),
    ...(rateLimitScale === 1
      ? []
      : [`RATE_LIMIT_SCALE is ${rateLimitScale}: limits by client address are multiplied by it`]),
    ...(clamd ? [] : ['CLAMD_URL is not set: documents are not scanned']),
    ...(smtpUrl ? [] : ['SMTP_URL is none: emails are only written to the mailbox folder']),
    ...(firebaseAccount ? [] : ['FIREBASE_SERVICE_ACCOUNT is not set: only browsers get push notifications']),
    ...(billing === 'off' ? ['BILLING is off: all features are available without limits'] : []),
  ];
}
