import { join } from 'node:path';
import type { Config } from './config.ts';
import type { Database } from './platform/database.ts';
import { createEventObjectReaders } from './platform/event-objects.ts';
import { createDomainEventBus } from './platform/events.ts';
import { createFieldCipher } from './platform/field-cipher.ts';
import { createIdempotentHandler } from './platform/idempotency.ts';
import { createInstanceHeartbeat } from './platform/instance-heartbeat.ts';
import { createJobScheduler } from './platform/jobs.ts';
import { dependencyUp, providerCalls } from './platform/monitoring/metrics.ts';
import { createHashPriority, createPasswordHasher } from './platform/password-hasher.ts';
import { createRealtimeBus } from './platform/realtime/realtime-bus.ts';
import { createRealtimePublisher } from './platform/realtime/realtime-publisher.ts';
import { createTypingTracker } from './platform/realtime/typing.ts';
import { createRedisConnection } from './platform/redis.ts';
import { createWakeSignal } from './platform/signal.ts';
import { openAuditCheckpointFile } from './providers/checkpoints/checkpoint-file.ts';
import { createHttpAuditCheckpointSender } from './providers/checkpoints/http-checkpoint-sender.ts';
import { openFileStores } from './providers/files/open-file-stores.ts';
import { createNominatimGeocoder } from './providers/geocoding/nominatim-geocoder.ts';
import { createOfflineGeocoder } from './providers/geocoding/offline-geocoder.ts';
import { IdentityProviderError } from './providers/identity/identity.port.ts';
import {
  createOpenIdIdentityProvider,
  type OpenIdSettings,
} from './providers/identity/openid-identity-provider.ts';
import { MailError } from './providers/mail/mail.port.ts';
import { createMailboxMailProvider } from './providers/mail/mailbox-mail-provider.ts';
import { openDevelopmentMailbox } from './providers/mail/mailbox-reader.ts';
import { createSmtpMailProvider } from './providers/mail/smtp-mail-provider.ts';
import { createClamdScanner } from './providers/malware/clamd/clamd-scanner.ts';
import { openPaymentProvider } from './providers/payments/open-payment-provider.ts';
import type { PaymentProvider } from './providers/payments/payments.port.ts';
import type { StripeSettings } from './providers/payments/stripe/stripe-payment-provider.ts';
import { createFirebasePushProvider } from './providers/push/firebase-push-provider.ts';
import { createWebPushProvider } from './providers/push/web-push/web-push-provider.ts';
import { createFixedKeyRing, type KeyRing } from './shared/crypto/key-ring.ts';
import { parseKeySet } from './shared/crypto/key-set.ts';
import { deriveVapidKey, parseVapidKey } from './shared/crypto/vapid-key.ts';
import {
  type CallFailure,
  createDependencyLog,
  type DependencyLog,
  observeCalls,
} from './shared/dependency-log.ts';
import { resolvePublicHost } from './shared/resolve-public-host.ts';
import type { Secrets } from './shared/secret-names.ts';
import { SERVICE_VERSION } from './shared/version.ts';

/** Lower than for passwords: PINs are protected by attempt limits and compared while a visitor waits. */
const PIN_COST = 10;

interface ServiceLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

export interface ServiceDependencies {
  config: Config;
  secrets: Secrets;
  keyRing?: KeyRing | undefined;
  database: Database;
  log: ServiceLog;
  oidcEmulator?: OpenIdSettings | null;
  stripeEmulator?: StripeSettings | null;
  payments?: PaymentProvider | undefined;
}

export type SharedServices = ReturnType<typeof createSharedServices>;

/** Create the shared services without connecting; throws when a key set cannot be read. */
export function createSharedServices(settings: ServiceDependencies) {
  const { config, secrets, database, log } = settings;
  const keyRing = settings.keyRing ?? createFixedKeyRing(parseKeySet(secrets.ENCRYPTION_KEYS ?? ''));
  const fieldCipher = createFieldCipher({ keyRing, hashSecret: secrets.HASH_SECRET });
  const peppers = parseKeySet(secrets.PASSWORD_PEPPERS);
  const redis = config.redisUrl ? createRedisConnection({ url: config.redisUrl, log }) : null;
  const realtimeBus = createRealtimeBus({ database, redis, log });
  const isEnterpriseEnforced = config.enterpriseMode;
  const { publicBaseUrl } = config;
  const ownerPagesUrl = config.ownerPages && !config.frontendUrl ? `${publicBaseUrl}/app` : null;
  const applicationUrl = config.frontendUrl ?? ownerPagesUrl;
  const dependencyLog = createDependencyLog((dependency, isUp) =>
    dependencyUp.set({ dependency }, Number(isUp)),
  );
  const priority = createHashPriority();
  const pinCost = Math.min(PIN_COST, config.bcryptCost);
  return {
    dependencyLog,
    config,
    secrets,
    database,
    log,
    keyRing,
    fieldCipher,
    instanceHeartbeat: createInstanceHeartbeat({ database, keyRing, isEnterpriseEnforced, log }),
    jobs: createJobScheduler(database, log),
    events: createDomainEventBus(),
    eventObjects: createEventObjectReaders(),
    pendingNotifications: createWakeSignal(),
    redis,
    realtimeBus,
    realtime: createRealtimePublisher(realtimeBus),
    typing: createTypingTracker(realtimeBus),
    passwords: createPasswordHasher({ peppers, cost: config.bcryptCost, priority }),
    pins: createPasswordHasher({ peppers, cost: pinCost, priority }),
    batchPins: createPasswordHasher({ peppers, cost: pinCost, priority, isBatch: true }),
    createIdempotently: createIdempotentHandler({ database, fieldCipher }),
    ...createProviders(settings, dependencyLog),
    publicBaseUrl,
    ownerPagesUrl,
    applicationUrl,
    frontendUrl: config.frontendUrl ?? `${publicBaseUrl}/api/auth`,
    paymentReturnUrl: `${applicationUrl ?? `${publicBaseUrl}/api`}/subscription`,
    mailFrom: config.mailFrom,
    brand: config.brand,
    mailDomain: new URL(publicBaseUrl).hostname,
    isEnterpriseEnforced,
    rateLimitScale: config.rateLimitScale,
    urlPagePolicy: config.urlPagePolicy,
    allowedOrigins: config.production ? config.corsOrigins : ('any' as const),
  };
}

function createProviders(
  { config, secrets, log, oidcEmulator, stripeEmulator, payments }: ServiceDependencies,
  dependencyLog: DependencyLog,
) {
  const observe = <Provider extends object>(
    name: string,
    provider: Provider,
    classifyFailure: (error: unknown) => CallFailure,
  ) =>
    observeCalls(provider, {
      name,
      note(code) {
        dependencyLog.note(name, code);
        providerCalls.inc({ provider: name, result: code ?? 'answered' });
      },
      classifyFailure,
    });
  const { clamd, geocoderUrl, publicBaseUrl } = config;
  const identitySettings = config.identityProvider ?? oidcEmulator ?? null;
  const paymentProvider = payments ?? openPaymentProvider(config, stripeEmulator ?? null);
  const mailboxDir = join(config.dataDir, 'mailbox');
  const userAgent = `qr-profile-service/${SERVICE_VERSION} (+${publicBaseUrl})`;
  return {
    ...openFileStores(config),
    mailProvider: config.smtpUrl
      ? observe('mail server', createSmtpMailProvider({ url: config.smtpUrl }), classifyMailFailure)
      : createMailboxMailProvider({ folder: mailboxDir, log: (line) => log.info({}, line) }),
    mailboxDir,
    mailbox: openDevelopmentMailbox(mailboxDir),
    push:
      config.firebaseAccount &&
      observe(
        'push',
        createFirebasePushProvider(config.firebaseAccount),
        isFailure('BUSY', 'CREDENTIALS', 'PLATFORM_CREDENTIALS'),
      ),
    webPush: createWebPushProvider({
      vapidKey: config.vapidPrivateKey
        ? parseVapidKey(config.vapidPrivateKey)
        : deriveVapidKey(secrets.HASH_SECRET),
      contact: getPushContact(config),
      hosts: config.webPushHosts,
      allowsLoopback: !config.production,
      resolveAddresses: (hostname) => resolvePublicHost(hostname),
    }),
    malwareCheck: clamd && { scanner: createClamdScanner(clamd), whenUnavailable: clamd.whenUnavailable },
    geocoder: createOfflineGeocoder(),
    reverseGeocoder: geocoderUrl
      ? observe('geocoding server', createNominatimGeocoder({ url: geocoderUrl, userAgent }), toCallFailed)
      : null,
    identityProvider:
      identitySettings &&
      observe('identity provider', createOpenIdIdentityProvider(identitySettings), (error) =>
        error instanceof IdentityProviderError && error.reason === 'UNAVAILABLE'
          ? { code: error.reason }
          : 'ANSWERED',
      ),
    payments:
      paymentProvider &&
      observe('payments', paymentProvider, isFailure('UNAVAILABLE', 'BUSY', 'CREDENTIALS')),
    checkpointFile: openAuditCheckpointFile(config.auditCheckpointFile),
    sendCheckpoint: config.auditCheckpointUrl
      ? observe(
          'receiver of checkpoints',
          { send: createHttpAuditCheckpointSender(config.auditCheckpointUrl) },
          toCallFailed,
        ).send
      : undefined,
  };
}

/** Push services refuse a URL that is not of https. */
function getPushContact({ publicBaseUrl, mailFrom }: Config): string {
  if (publicBaseUrl.startsWith('https:')) return publicBaseUrl;
  return `mailto:${/<([^<>]+)>$/.exec(mailFrom)?.[1] ?? mailFrom}`;
}

/** A mail that cannot be composed, or is aborted by the shutdown, never reached the server. */
function classifyMailFailure(error: unknown): CallFailure {
  if (!(error instanceof MailError) || error.code === null) return 'NOT_ASKED';
  return error.permanent ? 'ANSWERED' : { code: error.code };
}

function toCallFailed(): CallFailure {
  return { code: 'CALL_FAILED' };
}

function isFailure(...failures: string[]) {
  return (error: unknown): CallFailure => {
    const code = error instanceof Error ? String(Reflect.get(error, 'failure')) : '';
    return failures.includes(code) ? { code } : 'ANSWERED';
  };
}
