import type { Database, Tx } from '../../../../platform/database.ts';
import type { FieldCipher } from '../../../../platform/field-cipher.ts';
import type { JobHandler } from '../../../../platform/job-worker.ts';
import type { JobQueueDefinition } from '../../../../platform/jobs.ts';
import { ServiceError } from '../../../../shared/errors.ts';
import { toSupportedLocale } from '../../../../shared/i18n/choose-locale.ts';
import type { Locale } from '../../../../shared/i18n/locales.ts';
import { t } from '../../../../shared/i18n/translate.ts';
import { findLinkMember, getLinkEpoch } from '../../../identity/index.ts';
import { createUserUnsubscribeUrls, type MailOutbox, type MailTemplateValues } from '../../../mail/index.ts';
import { readScanReportData } from '../read-report.ts';
import { createScanReportContent, type ScanReportContent } from '../report-content.rules.ts';
import { createReportUrl, REPORT_MAIL_KIND } from './report-link.ts';
import {
  claimDueReport,
  type DueReport,
  findDueReport,
  listDueReportSchedules,
  type ReportScheduleKey,
} from './report-schedule.repository.ts';
import { getNextReportTime, getReportPeriod, REPORT_FREQUENCIES } from './report-schedule.rules.ts';

/** A long backlog is continued by the next job. */
export const SEND_REPORTS_QUEUE: JobQueueDefinition = {
  name: 'send-reports',
  expireInSeconds: 300,
  retryLimit: 2,
  retryDelay: 60,
};

export interface SendReportServices {
  database: Database;
  fieldCipher: FieldCipher;
  mailOutbox: MailOutbox;
  publicBaseUrl: string;
  ownerPagesUrl: string | null;
  applicationUrl: string | null;
  isEnterpriseEnforced: boolean;
}

const BATCH_SIZE = 100;
const MAX_CODES = 3;

/** Below the expiry of the job. */
const TIMEOUT_MS = 240_000;

export function createSendReportsJob(services: SendReportServices): JobHandler {
  return () => sendDueReports(services, new Date());
}

/**
 * Send the reports that are due: of the newest period only, whatever was missed.
 * @throws the error of the last one that failed, after the others
 */
export async function sendDueReports(services: SendReportServices, now: Date): Promise<void> {
  const { database, mailOutbox } = services;
  const everyAccount = database.forEveryAccount('WORKER');
  const deadline = Date.now() + TIMEOUT_MS;
  let failure: unknown = null;
  let after: ReportScheduleKey | null = null;
  for (let isLast = false; !isLast && Date.now() < deadline; ) {
    const schedules = await listDueReportSchedules(everyAccount.client, now, after, BATCH_SIZE);
    for (const schedule of schedules)
      await sendReport(services, schedule, now).catch((error: unknown) => {
        failure = error;
      });
    after = schedules.at(-1) ?? null;
    isLast = schedules.length < BATCH_SIZE;
  }
  mailOutbox.wake();
  if (failure !== null) throw failure;
}

async function sendReport(shared: SendReportServices, key: ReportScheduleKey, now: Date): Promise<void> {
  const services = { ...shared, database: shared.database.forAccount(key.accountId) };
  const { database, mailOutbox } = services;
  const due = await findDueReport(database.client, key, now);
  if (!due) return;
  const frequency = REPORT_FREQUENCIES.find((one) => one === due.frequency) ?? 'WEEKLY';
  const period = getReportPeriod(frequency, due.timeZone, now);
  const isNew = due.sentUntil === null || due.sentUntil < period.to;
  const report = due.isSendable && isNew ? await readReport(services, due, period, now) : null;
  const next = getNextReportTime({ frequency, hour: due.hour }, due.timeZone, now);
  await database.transaction(async (tx) => {
    if (!(await claimDueReport(tx, due, next, report && period.to)) || !report) return;
    const link = { accountId: key.accountId, frequency, to: period.to, qrCodeId: due.qrCodeId };
    await mailOutbox.enqueue(tx, {
      template: 'SCAN_REPORT',
      to: due.email,
      language: due.language,
      values: {
        frequency,
        heading: report.heading,
        facts: listFacts(report, toSupportedLocale(due.language)),
        ...(await findReportUrl(services, tx, key, link, now)),
      },
      ...createUserUnsubscribeUrls(services, { subjectId: key.userId, mailKind: REPORT_MAIL_KIND }),
    });
  });
}

/** Null where the code was purged meanwhile. */
async function readReport(
  { database }: SendReportServices,
  { accountId, qrCodeId, timeZone, language }: DueReport,
  period: { from: string; to: string },
  now: Date,
): Promise<ScanReportContent | null> {
  try {
    const options = { qrCodeId: qrCodeId ?? undefined, timeZone, ...period };
    const facts = await database.read((db) => readScanReportData(db, accountId, options, now));
    return createScanReportContent(facts, toSupportedLocale(language));
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'NOT_FOUND') return null;
    throw error;
  }
}

function listFacts(
  { period, numbers, topCodes }: ScanReportContent,
  locale: Locale,
): MailTemplateValues['SCAN_REPORT']['facts'] {
  return [
    ...numbers.map(({ name, value, change }) => ({ name, value: `${value} · ${change}` })),
    ...(topCodes
      ? [
          {
            name: topCodes.heading,
            value: topCodes.rows
              .slice(0, MAX_CODES)
              .map(({ name, total }) => `${name} (${total})`)
              .join(t(locale, 'finder.listSeparator')),
          },
        ]
      : []),
    { name: null, value: period },
  ];
}

/** A link that needs no login, unless it would skip one; else the application, if there is one. */
async function findReportUrl(
  services: SendReportServices,
  tx: Tx,
  key: ReportScheduleKey,
  link: Parameters<typeof createReportUrl>[1],
  now: Date,
): Promise<Pick<MailTemplateValues['SCAN_REPORT'], 'url' | 'isSigned'>> {
  const member = await findLinkMember(tx, key, services.isEnterpriseEnforced);
  if (member) return { url: createReportUrl(services, link, getLinkEpoch(member), now), isSigned: true };
  const { applicationUrl } = services;
  const query = key.accountId === key.userId ? '' : `?account=${key.accountId}`;
  return { url: applicationUrl === null ? null : `${applicationUrl}/reports${query}`, isSigned: false };
}
