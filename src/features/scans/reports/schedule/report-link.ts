import type { FieldCipher } from '../../../../platform/field-cipher.ts';
import { timingSafeEquals } from '../../../../shared/crypto/keyed-hash.ts';
import { isId } from '../../../../shared/ids.ts';
import { LIFETIMES_SECONDS } from '../../../../shared/lifetimes.ts';
import { REPORT_FREQUENCIES, type ReportFrequency } from './report-schedule.rules.ts';

/** What a mailed link shows: the report of one user on one period. */
export interface ReportLink {
  userId: string;
  frequency: ReportFrequency;
  /** YYYY-MM-DD, exclusive. */
  to: string;
  qrCodeId: string | null;
  /** Seconds since 1970. */
  expiresAt: number;
}

interface LinkServices {
  fieldCipher: FieldCipher;
  publicBaseUrl: string;
}

export const REPORT_MAIL_KIND = 'SCAN_REPORT';

/**
 * Create the address of a report that needs no login. It holds a keyed hash of itself and the access epoch: whatever
 * ends the sessions of the user ends it, too.
 */
export function createReportUrl(
  { fieldCipher, publicBaseUrl }: LinkServices,
  link: Omit<ReportLink, 'expiresAt'>,
  accessEpoch: number,
  now: Date,
): string {
  const expiresAt = Math.floor(now.getTime() / 1000) + LIFETIMES_SECONDS.reportLink;
  const content = formatContent({ ...link, expiresAt });
  return `${publicBaseUrl}/api/scans/report/${content}.${sign(fieldCipher, content, accessEpoch)}`;
}

/** Parse a token without checking it; null for a wrong form. */
export function parseReportToken(token: string): ReportLink | null {
  const [userId = '', name, to = '', qrCodeId = '', expiresAt] = token.split('.');
  const frequency = REPORT_FREQUENCIES.find((one) => one === name);
  if (!isId(userId) || !frequency || !/^\d{4}-\d\d-\d\d$/.test(to) || !(qrCodeId === '' || isId(qrCodeId)))
    return null;
  return { userId, frequency, to, qrCodeId: qrCodeId || null, expiresAt: Number(expiresAt) };
}

/** Verify a token in constant time. */
export function isReportTokenValid(
  fieldCipher: FieldCipher,
  token: string,
  accessEpoch: number,
  now: Date,
): boolean {
  const link = parseReportToken(token);
  const end = token.lastIndexOf('.');
  if (!link || !(link.expiresAt * 1000 > now.getTime())) return false;
  return timingSafeEquals(token.slice(end + 1), sign(fieldCipher, token.slice(0, end), accessEpoch));
}

function formatContent({ userId, frequency, to, qrCodeId, expiresAt }: ReportLink): string {
  return [userId, frequency, to, qrCodeId ?? '', expiresAt].join('.');
}

function sign(fieldCipher: FieldCipher, content: string, accessEpoch: number): string {
  return fieldCipher.hash('report-link', content, String(accessEpoch)).toString('base64url');
}
