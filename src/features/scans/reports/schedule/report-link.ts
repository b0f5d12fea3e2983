import type { FieldCipher } from '../../../../platform/field-cipher.ts';
import { CONTEXT, defineSignedToken } from '../../../../shared/crypto/signed-token.ts';
import type { EventName } from '../../../../shared/event-types.ts';
import { isId } from '../../../../shared/ids.ts';
import { LIFETIMES_SECONDS } from '../../../../shared/lifetimes.ts';
import { REPORT_FREQUENCIES, type ReportFrequency } from './report-schedule.rules.ts';

/** What a mailed link shows: the report of one account on one period. */
export interface ReportLink {
  accountId: string;
  frequency: ReportFrequency;
  /** YYYY-MM-DD, exclusive. */
  to: string;
  qrCodeId: string | null;
}

export const REPORT_MAIL_KIND = 'scan_report.sent' satisfies EventName;

/** Opens a report without a login. Whatever ends the sessions of the user who got it ends it, too. */
export const reportToken = defineSignedToken({
  purpose: 'report-link',
  parts: {
    accountId: isId,
    frequency: isReportFrequency,
    to: /^\d{4}-\d\d-\d\d$/,
    qrCodeId: isIdOrEmpty,
    accessEpoch: CONTEXT,
  },
  lifetimeSeconds: LIFETIMES_SECONDS.reportLink,
  signsTextAsOne: true,
});

export function createReportUrl(
  { fieldCipher, publicBaseUrl }: { fieldCipher: FieldCipher; publicBaseUrl: string },
  link: ReportLink,
  accessEpoch: number | string,
  now: Date,
): string {
  const values = { ...link, qrCodeId: link.qrCodeId ?? '', accessEpoch };
  return `${publicBaseUrl}/api/scans/report/${reportToken.create(fieldCipher, values, now.getTime())}`;
}

function isReportFrequency(text: string): text is ReportFrequency {
  return REPORT_FREQUENCIES.some((one) => one === text);
}

function isIdOrEmpty(text: string): boolean {
  return text === '' || isId(text);
}
