import { join } from 'node:path';
import type { Config } from './config.ts';
import { createAuditSealer, createAuditSigner } from './features/audit/index.ts';
import {
  createPlanService,
  createProviderRateLimiter,
  createSyncNow,
  deleteTestModePurchases,
} from './features/billing/index.ts';
import { mailReplyNotification, type ReplyNotification } from './features/conversations/index.ts';
import { createEncryptedFileStore, createRenditionService } from './features/files/index.ts';
import { getExportPolicy, hasEnterpriseMode } from './features/identity/index.ts';
import { createMailOutbox } from './features/mail/index.ts';
import {
  createNotificationDispatcher,
  createNotifier,
  createPushOutbox,
  publishCreatedNotifications,
} from './features/notifications/index.ts';
import {
  createScanLimiter,
  createScanRecorder,
  GEOCODE_QUEUE,
  type PositionKey,
} from './features/scans/index.ts';
import type { Database, Db, Tx } from './platform/database.ts';
import { createFieldCipher } from './platform/field-cipher.ts';
import { createIdempotentHandler } from './platform/idempotency.ts';
import { createInstanceHeartbeat } from './platform/instance-heartbeat.ts';
import { createJobScheduler } from './platform/jobs.ts';
import { createPasswordHasher } from './platform/password-hasher.ts';
import { createRealtimeBus } from './platform/realtime/realtime-bus.ts';
import { createRealtimePublisher } from './platform/realtime/realtime-publisher.ts';
import { createRedisConnection } from './platform/redis.ts';
import { openCheckpointFile } from './providers/checkpoints/checkpoint-file.ts';
import { createHttpCheckpointSender } from './providers/checkpoints/http-checkpoint-sender.ts';
import { openFileStores } from './providers/files/open-file-stores.ts';
import { createOfflineGeocoder } from './providers/geocoding/offline-geocoder.ts';
import {
  createOpenIdIdentityProvider,
  type OpenIdSettings,
} from './providers/identity/openid-identity-provider.ts';
import { createMailboxMailProvider } from './providers/mail/mailbox-mail-provider.ts';
import { openMailbox } from './providers/mail/mailbox-reader.ts';
import { createSmtpMailProvider } from './providers/mail/smtp-mail-provider.ts';
import { createClamdScanner } from './providers/malware/clamd/clamd-scanner.ts';
import { openPaymentProvider } from './providers/payments/open-payment-provider.ts';
import type { PaymentProvider } from './providers/payments/payments.port.ts';
import type { StripeSettings } from './providers/payments/stripe/stripe-payment-provider.ts';
import { createFirebasePushProvider } from './providers/push/firebase-push-provider.ts';
import { registerJobHandlers } from './queues.ts';
import { createFixedKeyRing, type KeyRing } from './shared/crypto/key-ring.ts';
import { parseKeySet } from './shared/crypto/key-set.ts';
import type { Secrets } from './shared/secret-names.ts';

/** bcrypt cost of PINs: they are short-lived by their budgets, and compared while a stranger waits. */
const PIN_COST = 10;

interface ServiceLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** What the application works with; put together once, by createServices. */
export type Services = ReturnType<typeof createServices>;

/**
 * Puts the services together: the vault, the hash queues, jobs, mail, geocoding. Opens nothing yet. The encryption
 * keys are `keyRing`, or those in the secrets. Throws an Error when a key set cannot be read.
 */
export function createServices(settings: {
  config: Config;
  secrets: Secrets;
  keyRing?: KeyRing | undefined;
  database: Database;
  log: ServiceLog;
  /** Signs in outside production where no provider is configured. */
  oidcEmulator?: OpenIdSettings | null;
  /** Takes Stripe's place where BILLING is `sandbox`. */
  stripeEmulator?: StripeSettings | null;
  /** What sells packages, in place of what the settings say. */
  payments?: PaymentProvider | undefined;
}) {
  const { config, secrets, database, log } = settings;
  const identitySettings = config.identityProvider ?? settings.oidcEmulator ?? null;
  const keyRing = settings.keyRing ?? createFixedKeyRing(parseKeySet(secrets.ENCRYPTION_KEYS ?? ''));
  const fieldCipher = createFieldCipher({ keyRing, hashSecret: secrets.HASH_SECRET });
  const peppers = parseKeySet(secrets.PASSWORD_PEPPERS);
  const jobs = createJobScheduler(database, log);
  const mailboxDir = join(config.dataDir, 'mailbox');
  const mailProvider = config.smtpUrl
    ? createSmtpMailProvider({ url: config.smtpUrl })
    : createMailboxMailProvider({ folder: mailboxDir, log: (line) => log.info({}, line) });
  const stores = openFileStores(config);
  const exportsDir = join(config.dataDir, 'exports');
  const files = createEncryptedFileStore({
    database,
    fieldCipher,
    jobs,
    privateFiles: stores.privateFiles,
    log,
  });
  const malwareCheck = config.clamd && {
    scanner: createClamdScanner(config.clamd),
    whenUnavailable: config.clamd.whenUnavailable,
  };
  const mailOutbox = createMailOutbox({ fieldCipher, jobs });
  const push = config.firebaseAccount && createFirebasePushProvider(config.firebaseAccount);
  const pushOutbox = createPushOutbox({ jobs, isConfigured: push !== null });
  const mailDomain = new URL(config.publicBaseUrl).hostname;
  const scanLimiter = createScanLimiter();
  const redis = config.redisUrl ? createRedisConnection({ url: config.redisUrl, log }) : null;
  const realtimeBus = createRealtimeBus({ database, redis, log });
  const audit = {
    database,
    signer: createAuditSigner(secrets.AUDIT_SIGNING_KEY, config.auditPublicKeys),
    checkpointFile: openCheckpointFile(config.auditCheckpointFile),
    sendCheckpoint: config.auditCheckpointUrl
      ? createHttpCheckpointSender(config.auditCheckpointUrl)
      : undefined,
    log,
  };

  const requestGeocoding = config.geocoderUrl
    ? (tx: Tx, placed: PositionKey) => jobs.enqueue(tx, GEOCODE_QUEUE, { ...placed })
    : null;
  /** Whether a person's archives must be encrypted to a key of their own. */
  const mustEncryptExport = async (db: Db, userId: string) =>
    getExportPolicy(config.enterpriseMode || (await hasEnterpriseMode(db, userId))) !== 'PLAIN';
  const plans = createPlanService({ billing: config.billing });
  const payments = settings.payments ?? openPaymentProvider(config, settings.stripeEmulator ?? null);
  const personalData = {
    ...{ database, fieldCipher, jobs, payments, mailOutbox, getPlan: plans.getPlan, mustEncryptExport },
    ...{ exportsDir, ...stores, files },
  };
  const { publicBaseUrl } = config;
  const applicationUrl = config.frontendUrl ?? null;
  const dispatcher = createNotificationDispatcher({
    ...{
      database,
      fieldCipher,
      mailOutbox,
      pushOutbox,
      publishNotifications: publishCreatedNotifications,
      publicBaseUrl,
      applicationUrl,
      log,
    },
  });
  const notifier = createNotifier(dispatcher.wake);
  const paymentServices = {
    payments,
    paymentRateLimiter: createProviderRateLimiter(),
    notifyPayment: notifier.notifyPayment,
  };
  registerJobHandlers({
    ...{
      ...personalData,
      config,
      publicBaseUrl,
      fieldCipher,
      mailProvider,
      push,
      log,
      wakeNotifier: dispatcher.wake,
    },
    ...paymentServices,
    ...{ files, malware: malwareCheck },
    ...{
      mailFrom: config.mailFrom,
      mailDomain,
      signer: audit.signer,
      enterpriseForAll: config.enterpriseMode,
    },
  });

  return {
    config,
    secrets,
    database,
    log,
    fieldCipher,
    keyRing,
    instanceHeartbeat: createInstanceHeartbeat({
      database,
      keyRing,
      enterpriseForAll: config.enterpriseMode,
      log,
    }),
    jobs,
    /** What looks for malware in documents; null where nothing is configured. */
    malwareCheck,
    mailProvider,
    /** What sends pushes; null where nothing is configured. */
    push,
    /** What the functions of features/audit work with: verifyTrail, exportTrail. */
    audit,
    sealer: createAuditSealer(audit),
    /** Shares limits among instances, where one is configured; may be away at any time. */
    ...{ redis, realtimeBus },
    realtime: createRealtimePublisher(realtimeBus),
    geocoder: createOfflineGeocoder(),
    identityProvider: identitySettings && createOpenIdIdentityProvider(identitySettings),
    scanLimiter,
    recordScan: createScanRecorder({
      ...{ database, fieldCipher, scanLimiter, requestGeocoding },
      createScanNotification: notifier.createScanNotification,
    }),
    requestGeocoding,
    passwords: createPasswordHasher({ peppers, cost: config.bcryptCost }),
    pins: createPasswordHasher({ peppers, cost: Math.min(PIN_COST, config.bcryptCost) }),
    mailOutbox,
    /** Sends notifications once it is started. */
    dispatcher,
    pushOutbox,
    publishNotifications: publishCreatedNotifications,
    createIdempotently: createIdempotentHandler({ database, fieldCipher }),
    ...plans,
    ...notifier,
    mailReply: (tx: Tx, event: ReplyNotification) =>
      mailReplyNotification({ fieldCipher, mailOutbox, publicBaseUrl }, tx, event),
    ...paymentServices,
    publicBaseUrl,
    paymentReturnUrl: `${applicationUrl ?? `${publicBaseUrl}/api`}/subscription`,
    deleteTestModePurchases: () => deleteTestModePurchases({ database, payments, log }),
    syncSubscriptionNow: createSyncNow({ database, jobs, log, ...paymentServices }),
    applicationUrl,
    frontendUrl: applicationUrl ?? `${publicBaseUrl}/api/auth`,
    rateLimitScale: config.rateLimitScale,
    urlPagePolicy: config.urlPagePolicy,
    enterpriseForAll: config.enterpriseMode,
    mustEncryptExport,
    /** Where files are kept: pictures that everybody may read, and what is private, which `files` keeps encrypted. */
    ...stores,
    files,
    exportsDir,
    renditions: createRenditionService({ database, files }),
    /** Makes sure that a package has room for bytes that a transaction comes to store. */
    reserveStorage: (tx: Tx, ownerId: string, bytes: number) =>
      plans.reserveQuota(tx, 'storageBytes', ownerId, bytes),
    mailboxDir,
    mailbox: openMailbox(mailboxDir),
  };
}
