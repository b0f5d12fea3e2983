import { join } from 'node:path';
import type { Config } from './config.ts';
import { hasEnterpriseMode } from './features/accounts/enterprise.repository.ts';
import { exportRule } from './features/accounts/enterprise.rules.ts';
import { COUNT_DAYS_QUEUE, countDaysJob } from './features/administration/count-days.job.ts';
import { openAuditKeys } from './features/audit/audit-keys.ts';
import { RETENTION_QUEUE, retentionJob } from './features/audit/retention.job.ts';
import { createSealer } from './features/audit/sealer.ts';
import type { AnswerNews, MessageNews } from './features/conversations/conversation-services.ts';
import { mailAnswer, tellOwner } from './features/conversations/tell-sides.ts';
import { CLEAN_UP_QUEUE, cleanUpJob } from './features/housekeeping/clean-up.job.ts';
import { createPostOffice, MAIL_QUEUE } from './features/mails/post-office.ts';
import { sendMailJob } from './features/mails/send-mail.job.ts';
import { insertNotification } from './features/notifications/insert-notification.repository.ts';
import {
  type GlassNews,
  glassNotification,
  locationNotification,
  loginNotification,
  pinNotification,
  roleNotification,
  scanNotification,
  secondFactorNotification,
} from './features/notifications/new-notifications.ts';
import { ERASURE_QUEUE } from './features/personal-data/erase-account.ts';
import { finishErasureJob } from './features/personal-data/finish-erasure.job.ts';
import { makeExportJob } from './features/personal-data/make-export.job.ts';
import { EXPORT_QUEUE } from './features/personal-data/request-export.ts';
import { createPushOffice } from './features/push/push-office.ts';
import { PUSH_QUEUE, sendPushJob } from './features/push/send-push.job.ts';
import { PURGE_QUEUE, purgeQrCodesJob } from './features/qrcodes/purge-qrcodes.job.ts';
import { GEOCODE_QUEUE, geocodeJob } from './features/scans/geocode.job.ts';
import type { Placed } from './features/scans/geocoding.repository.ts';
import { createScanRecorder } from './features/scans/record-scan.ts';
import type { ScanNews } from './features/scans/scan-news.ts';
import { PARTITIONS_QUEUE, scanPartitionsJob } from './features/scans/scan-partitions.job.ts';
import { createScanQueue } from './features/scans/scan-queue.ts';
import { ROLL_UP_QUEUE, rollUpJob } from './features/statistics/roll-up.job.ts';
import { planOf } from './features/subscriptions/plan-of-user.repository.ts';
import { reserveMemoryTag, reserveQrCode } from './features/subscriptions/reserve-room.ts';
import type { Database, Db, Tx } from './platform/database.ts';
import { createPasswordHasher } from './platform/hash-queue.ts';
import { createOnceWith } from './platform/idempotency.ts';
import { createJobs, type Queue } from './platform/jobs.ts';
import { createKeyNotes } from './platform/key-notes.ts';
import { createRedis } from './platform/redis.ts';
import { createVault } from './platform/vault.ts';
import { openCheckpointFile } from './providers/checkpoints/checkpoint-file.ts';
import { sendCheckpointsTo } from './providers/checkpoints/http-checkpoints.ts';
import { createNominatimGeocoder } from './providers/geocoding/nominatim-geocoder.ts';
import { createOfflineGeocoder } from './providers/geocoding/offline-geocoder.ts';
import { createOpenIdIdentity, type OpenIdSettings } from './providers/identity/openid-identity.ts';
import { createMailboxMail } from './providers/mail/mailbox-mail.ts';
import { openMailbox } from './providers/mail/mailbox-reader.ts';
import { createSmtpMail } from './providers/mail/smtp-mail.ts';
import { createFirebasePush } from './providers/push/firebase-push.ts';
import { fixedKeyRing, type KeyRing } from './shared/crypto/key-ring.ts';
import { parseKeySet } from './shared/crypto/key-set.ts';
import type { Secrets } from './shared/secret-names.ts';
import { VERSION } from './shared/version.ts';

/** Every queue of the service; made in the database when it is migrated. */
export const QUEUES: readonly Queue[] = [
  MAIL_QUEUE,
  PUSH_QUEUE,
  PURGE_QUEUE,
  CLEAN_UP_QUEUE,
  COUNT_DAYS_QUEUE,
  ROLL_UP_QUEUE,
  PARTITIONS_QUEUE,
  RETENTION_QUEUE,
  GEOCODE_QUEUE,
  EXPORT_QUEUE,
  ERASURE_QUEUE,
];

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
  /** The provider's stand-in on a machine where none is configured. */
  standIn?: OpenIdSettings | null;
}) {
  const { config, secrets, database, log } = settings;
  const identitySettings = config.identityProvider ?? settings.standIn ?? null;
  const keyRing = settings.keyRing ?? fixedKeyRing(parseKeySet(secrets.ENCRYPTION_KEYS ?? ''));
  const vault = createVault({ keyRing, hashSecret: secrets.HASH_SECRET });
  const peppers = parseKeySet(secrets.PASSWORD_PEPPERS);
  const jobs = createJobs(database, log);
  const mailboxDir = join(config.dataDir, 'mailbox');
  const mail = config.smtpUrl
    ? createSmtpMail({ url: config.smtpUrl })
    : createMailboxMail({ folder: mailboxDir, log: (line) => log.info({}, line) });
  const qrImagesDir = join(config.uploadsDir, 'qrcodes');
  const profilePicturesDir = join(config.uploadsDir, 'profile-pictures');
  const exportsDir = join(config.dataDir, 'exports');
  const postOffice = createPostOffice({ vault, jobs });
  const push = config.firebaseAccount && createFirebasePush(config.firebaseAccount);
  const pushOffice = createPushOffice({ jobs, isConfigured: push !== null });
  const mailDomain = new URL(config.publicBaseUrl).hostname;
  const scanQueue = createScanQueue();
  const audit = {
    database,
    keys: openAuditKeys(secrets.AUDIT_SIGNING_KEY, config.auditPublicKeys),
    checkpointFile: openCheckpointFile(config.auditCheckpointFile),
    sendCheckpoint: config.auditCheckpointUrl ? sendCheckpointsTo(config.auditCheckpointUrl) : undefined,
    log,
  };

  jobs.work(MAIL_QUEUE, sendMailJob({ database, vault, mail, mailFrom: config.mailFrom, mailDomain }));
  jobs.work(
    PUSH_QUEUE,
    sendPushJob({ database, vault, jobs, push, enterpriseForAll: config.enterpriseMode, log }),
  );
  jobs.work(PURGE_QUEUE, purgeQrCodesJob({ database, qrImagesDir }));
  jobs.repeat(PURGE_QUEUE, 60 * 60);
  jobs.work(CLEAN_UP_QUEUE, cleanUpJob({ database, jobs, log, exportsDir }));
  jobs.repeat(CLEAN_UP_QUEUE, 60 * 60);
  jobs.work(COUNT_DAYS_QUEUE, countDaysJob({ database }));
  jobs.repeat(COUNT_DAYS_QUEUE, 60 * 60);
  jobs.work(ROLL_UP_QUEUE, rollUpJob({ database }));
  jobs.repeat(ROLL_UP_QUEUE, 60);
  jobs.work(PARTITIONS_QUEUE, scanPartitionsJob({ database, keptDays: config.scanRetentionDays }));
  jobs.repeat(PARTITIONS_QUEUE, 60 * 60);
  jobs.work(RETENTION_QUEUE, retentionJob(audit));
  jobs.repeat(RETENTION_QUEUE, 60 * 60);
  if (config.geocoderUrl) {
    const userAgent = `qr-profile-service/${VERSION} (+${config.publicBaseUrl})`;
    const geocoder = createNominatimGeocoder({ url: config.geocoderUrl, userAgent });
    jobs.work(GEOCODE_QUEUE, geocodeJob({ database, vault, geocoder, log }));
  }
  const askForAddress = config.geocoderUrl
    ? (tx: Tx, placed: Placed) => jobs.enqueue(tx, GEOCODE_QUEUE, { ...placed })
    : null;
  /** Whether a person's archives must be encrypted to a key of their own. */
  const mustEncryptExport = async (db: Db, userId: string) =>
    exportRule(config.enterpriseMode || (await hasEnterpriseMode(db, userId))) !== 'PLAIN';
  const personalData = {
    database,
    vault,
    jobs,
    postOffice,
    planOf,
    exportsDir,
    profilePicturesDir,
    qrImagesDir,
    mustEncryptExport,
  };
  const { publicBaseUrl } = config;
  jobs.work(EXPORT_QUEUE, makeExportJob({ ...personalData, publicBaseUrl }));
  jobs.work(ERASURE_QUEUE, finishErasureJob(personalData));

  return {
    config,
    secrets,
    database,
    log,
    vault,
    keyRing,
    keyNotes: createKeyNotes({ database, keyRing, enterpriseForAll: config.enterpriseMode, log }),
    jobs,
    mail,
    /** What sends pushes; null where nothing is configured. */
    push,
    /** What the functions of features/audit work with: verifyTrail, exportTrail. */
    audit,
    sealer: createSealer(audit),
    /** Shares limits among instances, where one is configured; may be away at any time. */
    redis: config.redisUrl ? createRedis({ url: config.redisUrl, log }) : null,
    geocoder: createOfflineGeocoder(),
    identityProvider: identitySettings && createOpenIdIdentity(identitySettings),
    scanQueue,
    recordScan: createScanRecorder({
      ...{ database, vault, scanQueue, askForAddress },
      newsOfScan: scanNotification,
    }),
    askForAddress,
    newsOfScan: scanNotification,
    passwords: createPasswordHasher({ peppers, cost: config.bcryptCost }),
    pins: createPasswordHasher({ peppers, cost: Math.min(PIN_COST, config.bcryptCost) }),
    postOffice,
    pushOffice,
    createOnce: createOnceWith({ database, vault }),
    planOf,
    reserveQrCode,
    reserveMemoryTag,
    notifyLogin: (tx: Tx, userId: string) => insertNotification(tx, loginNotification(userId)),
    notifySecondFactor: (tx: Tx, userId: string, isOn: boolean) =>
      insertNotification(tx, secondFactorNotification(userId, isOn)),
    notifyLocation: (tx: Tx, news: ScanNews) => insertNotification(tx, locationNotification(news)),
    notifyMessage: (tx: Tx, news: MessageNews) => tellOwner({ vault, postOffice, publicBaseUrl }, tx, news),
    mailAnswer: (tx: Tx, news: AnswerNews) => mailAnswer({ vault, postOffice, publicBaseUrl }, tx, news),
    notifyPinTries: (tx: Tx, code: { ownerId: string; qrCodeId: string; title: string }) =>
      insertNotification(tx, pinNotification(code)),
    notifyRole: (tx: Tx, userId: string, role: string) =>
      insertNotification(tx, roleNotification(userId, role)),
    notifyGlass: (tx: Tx, record: GlassNews) => insertNotification(tx, glassNotification(record)),
    publicBaseUrl,
    frontendUrl: config.frontendUrl ?? `${publicBaseUrl}/api/auth`,
    rateLimitScale: config.rateLimitScale,
    enterpriseForAll: config.enterpriseMode,
    mustEncryptExport,
    profilePicturesDir,
    exportsDir,
    qrImagesDir,
    mailboxDir,
    mailbox: openMailbox(mailboxDir),
  };
}
