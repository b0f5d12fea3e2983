import { join } from 'node:path';
import type { Config } from './config.ts';
import { hasEnterpriseMode } from './features/accounts/enterprise.repository.ts';
import { exportRule } from './features/accounts/enterprise.rules.ts';
import { openAuditKeys } from './features/audit/audit-keys.ts';
import { createSealer } from './features/audit/sealer.ts';
import type { AnswerNews } from './features/conversations/conversation-services.ts';
import { mailAnswer } from './features/conversations/mail-answer.ts';
import { createFileKeeper } from './features/files/file-keeper.ts';
import { createPostOffice } from './features/mails/post-office.ts';
import { createDispatcher } from './features/notifications/dispatcher.ts';
import { announce, createTeller } from './features/notifications/teller.ts';
import { createCallPace } from './features/payments/call-pace.ts';
import { forgetRehearsals } from './features/payments/forget-rehearsals.ts';
import { createLook } from './features/payments/look-now.ts';
import { createRenditions } from './features/pictures/renditions.ts';
import { createPushOffice } from './features/push/push-office.ts';
import { GEOCODE_QUEUE } from './features/scans/geocode.job.ts';
import type { Placed } from './features/scans/geocoding.repository.ts';
import { createScanRecorder } from './features/scans/record-scan.ts';
import { createScanQueue } from './features/scans/scan-queue.ts';
import { createPlans } from './features/subscriptions/plans.ts';
import type { Database, Db, Tx } from './platform/database.ts';
import { createPasswordHasher } from './platform/hash-queue.ts';
import { createOnceWith } from './platform/idempotency.ts';
import { createJobs } from './platform/jobs.ts';
import { createKeyNotes } from './platform/key-notes.ts';
import { createAnnouncer } from './platform/realtime/announcer.ts';
import { createRealtime } from './platform/realtime/realtime.ts';
import { createRedis } from './platform/redis.ts';
import { createVault } from './platform/vault.ts';
import { openCheckpointFile } from './providers/checkpoints/checkpoint-file.ts';
import { sendCheckpointsTo } from './providers/checkpoints/http-checkpoints.ts';
import { openFiles } from './providers/files/open-files.ts';
import { createOfflineGeocoder } from './providers/geocoding/offline-geocoder.ts';
import { createOpenIdIdentity, type OpenIdSettings } from './providers/identity/openid-identity.ts';
import { createMailboxMail } from './providers/mail/mailbox-mail.ts';
import { openMailbox } from './providers/mail/mailbox-reader.ts';
import { createSmtpMail } from './providers/mail/smtp-mail.ts';
import { createClamdScanner } from './providers/malware/clamd/clamd-scanner.ts';
import { openPayments } from './providers/payments/open-payments.ts';
import type { PaymentProvider } from './providers/payments/payments.port.ts';
import type { StripeSettings } from './providers/payments/stripe/stripe-payments.ts';
import { createFirebasePush } from './providers/push/firebase-push.ts';
import { workQueues } from './queues.ts';
import { fixedKeyRing, type KeyRing } from './shared/crypto/key-ring.ts';
import { parseKeySet } from './shared/crypto/key-set.ts';
import type { Secrets } from './shared/secret-names.ts';

/** bcrypt cost of PINs: they are short-lived by their budgets, and compared while a stranger waits. */
const PIN_COST = 10;

interface Log {
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
  log: Log;
  /** Signs in outside production where no provider is configured. */
  oidcEmulator?: OpenIdSettings | null;
  /** Takes Stripe's place where BILLING is `sandbox`. */
  stripeEmulator?: StripeSettings | null;
  /** What sells packages, in place of what the settings say. */
  payments?: PaymentProvider | undefined;
}) {
  const { config, secrets, database, log } = settings;
  const identitySettings = config.identityProvider ?? settings.oidcEmulator ?? null;
  const keyRing = settings.keyRing ?? fixedKeyRing(parseKeySet(secrets.ENCRYPTION_KEYS ?? ''));
  const vault = createVault({ keyRing, hashSecret: secrets.HASH_SECRET });
  const peppers = parseKeySet(secrets.PASSWORD_PEPPERS);
  const jobs = createJobs(database, log);
  const mailboxDir = join(config.dataDir, 'mailbox');
  const mail = config.smtpUrl
    ? createSmtpMail({ url: config.smtpUrl })
    : createMailboxMail({ folder: mailboxDir, log: (line) => log.info({}, line) });
  const stores = openFiles(config);
  const exportsDir = join(config.dataDir, 'exports');
  const files = createFileKeeper({ database, vault, jobs, privateFiles: stores.privateFiles, log });
  const malware = config.clamd && {
    scanner: createClamdScanner(config.clamd),
    whenAway: config.clamd.whenAway,
  };
  const postOffice = createPostOffice({ vault, jobs });
  const push = config.firebaseAccount && createFirebasePush(config.firebaseAccount);
  const pushOffice = createPushOffice({ jobs, isConfigured: push !== null });
  const mailDomain = new URL(config.publicBaseUrl).hostname;
  const scanQueue = createScanQueue();
  const redis = config.redisUrl ? createRedis({ url: config.redisUrl, log }) : null;
  const announcer = createAnnouncer({ database, redis, log });
  const audit = {
    database,
    keys: openAuditKeys(secrets.AUDIT_SIGNING_KEY, config.auditPublicKeys),
    checkpointFile: openCheckpointFile(config.auditCheckpointFile),
    sendCheckpoint: config.auditCheckpointUrl ? sendCheckpointsTo(config.auditCheckpointUrl) : undefined,
    log,
  };

  const askForAddress = config.geocoderUrl
    ? (tx: Tx, placed: Placed) => jobs.enqueue(tx, GEOCODE_QUEUE, { ...placed })
    : null;
  /** Whether a person's archives must be encrypted to a key of their own. */
  const mustEncryptExport = async (db: Db, userId: string) =>
    exportRule(config.enterpriseMode || (await hasEnterpriseMode(db, userId))) !== 'PLAIN';
  const plans = createPlans({ billing: config.billing });
  const payments = settings.payments ?? openPayments(config, settings.stripeEmulator ?? null);
  const personalData = {
    ...{ database, vault, jobs, payments, postOffice, planOf: plans.planOf, mustEncryptExport },
    ...{ exportsDir, ...stores, files },
  };
  const { publicBaseUrl } = config;
  const applicationUrl = config.frontendUrl ?? null;
  const dispatcher = createDispatcher({
    ...{ database, vault, postOffice, pushOffice, announce, publicBaseUrl, applicationUrl, log },
  });
  const teller = createTeller(dispatcher.wake);
  const selling = { payments, paymentPace: createCallPace(), tellPayment: teller.notifyPayment };
  workQueues({
    ...{ ...personalData, config, publicBaseUrl, vault, mail, push, log, wake: dispatcher.wake },
    ...selling,
    ...{ files, malware },
    ...{ mailFrom: config.mailFrom, mailDomain, keys: audit.keys, enterpriseForAll: config.enterpriseMode },
  });

  return {
    config,
    secrets,
    database,
    log,
    vault,
    keyRing,
    keyNotes: createKeyNotes({ database, keyRing, enterpriseForAll: config.enterpriseMode, log }),
    jobs,
    /** What looks for malware in documents; null where nothing is configured. */
    malware,
    mail,
    /** What sends pushes; null where nothing is configured. */
    push,
    /** What the functions of features/audit work with: verifyTrail, exportTrail. */
    audit,
    sealer: createSealer(audit),
    /** Shares limits among instances, where one is configured; may be away at any time. */
    ...{ redis, announcer },
    realtime: createRealtime(announcer),
    geocoder: createOfflineGeocoder(),
    identityProvider: identitySettings && createOpenIdIdentity(identitySettings),
    scanQueue,
    recordScan: createScanRecorder({
      ...{ database, vault, scanQueue, askForAddress },
      newsOfScan: teller.newsOfScan,
    }),
    askForAddress,
    passwords: createPasswordHasher({ peppers, cost: config.bcryptCost }),
    pins: createPasswordHasher({ peppers, cost: Math.min(PIN_COST, config.bcryptCost) }),
    postOffice,
    /** Sends notifications once it is started. */
    dispatcher,
    pushOffice,
    announce,
    createOnce: createOnceWith({ database, vault }),
    ...plans,
    ...teller,
    mailAnswer: (tx: Tx, news: AnswerNews) => mailAnswer({ vault, postOffice, publicBaseUrl }, tx, news),
    ...selling,
    publicBaseUrl,
    paymentReturnUrl: `${applicationUrl ?? `${publicBaseUrl}/api`}/subscription`,
    forgetRehearsals: () => forgetRehearsals({ database, payments, log }),
    lookAtSubscription: createLook({ database, jobs, log, ...selling }),
    applicationUrl,
    frontendUrl: applicationUrl ?? `${publicBaseUrl}/api/auth`,
    rateLimitScale: config.rateLimitScale,
    urlPage: config.urlPage,
    enterpriseForAll: config.enterpriseMode,
    mustEncryptExport,
    /** Where files are kept: pictures that everybody may read, and what is private, which `files` keeps encrypted. */
    ...stores,
    files,
    exportsDir,
    renditions: createRenditions({ database, files }),
    /** Makes sure that a package has room for bytes that a transaction comes to store. */
    reserveStorage: (tx: Tx, ownerId: string, bytes: number) =>
      plans.reserveRoom(tx, 'storageBytes', ownerId, bytes),
    mailboxDir,
    mailbox: openMailbox(mailboxDir),
  };
}
