import { MIN_AUDIT_RETENTION_DAYS } from '../../shared/enterprise-settings.ts';
import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';

/** How a person's data may leave the service. */
export type ExportPolicy = 'PLAIN' | 'ENCRYPTED_OR_REFUSED';

/** In enterprise mode an export is encrypted to a key of the person's, or refused where they gave none. */
export function getExportPolicy(isEnterprise: boolean): ExportPolicy {
  return isEnterprise ? 'ENCRYPTED_OR_REFUSED' : 'PLAIN';
}

/** What enterprise mode changes: one row a rule. */
interface EnterpriseRule {
  rule: string;
  standard: string;
  enterprise: string;
  /** Whom it can hold for: one account, or the whole service alone. */
  scope: 'account' | 'service';
  /** The file that does it. */
  file: string;
}

const formatMinutes = (seconds: number) => `${seconds / 60} minutes`;
const formatHours = (seconds: number) => `${seconds / 3600} hours`;
const formatDays = (seconds: number) => `${seconds / 86_400} days`;

/** The table of docs/enterprise-mode.md. */
export const ENTERPRISE_RULES: readonly EnterpriseRule[] = [
  {
    rule: 'Second factor (TOTP)',
    standard: 'where the person switched it on',
    enterprise:
      'required: without one an account can enroll, log out and read who it is; all else is 403 MFA_ENROLLMENT_REQUIRED',
    scope: 'account',
    file: 'src/platform/route-access.ts',
  },
  {
    rule: 'Idle log-off',
    standard: 'none',
    enterprise: `after ${formatMinutes(LIFETIMES_SECONDS.idleSession)} without a request of the session, counted to the minute`,
    scope: 'account',
    file: 'src/platform/authentication.repository.ts',
  },
  {
    rule: 'Access token',
    standard: formatMinutes(LIFETIMES_SECONDS.accessToken),
    enterprise: formatMinutes(LIFETIMES_SECONDS.enterpriseAccessToken),
    scope: 'account',
    file: 'src/features/accounts/session-lifetimes.rules.ts',
  },
  {
    rule: 'Session',
    standard: `${formatDays(LIFETIMES_SECONDS.refreshToken)} after its last refresh`,
    enterprise: `${formatHours(LIFETIMES_SECONDS.enterpriseSession)} after its log-in, whatever is refreshed`,
    scope: 'account',
    file: 'src/platform/session-expiry.repository.ts',
  },
  {
    rule: 'Reads of medical codes in the audit trail',
    standard: 'one entry for each read of the content, each scan that shows it, each image that holds it',
    enterprise: 'these, and one for each medical code in a list that its owner reads',
    scope: 'account',
    file: 'src/features/qrcodes/list-own-qrcodes.ts',
  },
  {
    rule: 'Reads of documents in the audit trail',
    standard:
      'one entry for each reading of a content, and each answer that shows what is noted of a health document',
    enterprise: 'these, and one for each health document in a list that its owner reads',
    scope: 'account',
    file: 'src/features/documents/read-document.ts',
  },
  {
    rule: 'Links to health documents',
    standard: 'as their owner makes them',
    enterprise: `ask for a passcode and end within ${formatDays(LIFETIMES_SECONDS.enterpriseHealthShare)}: without, 400; those of before open nothing`,
    scope: 'account',
    file: 'src/features/document-shares/share.rules.ts',
  },
  {
    rule: 'Exports of personal data',
    standard: 'as the person asks',
    enterprise: 'encrypted to a key of the person, or refused',
    scope: 'account',
    file: 'src/features/accounts/enterprise.rules.ts',
  },
  {
    rule: 'Geocoding',
    standard: 'on this machine; where GEOCODER_URL is set that server is asked later as well',
    enterprise:
      'on this machine: GEOCODER_URL ends the start with 78, and the server of a service that is not in it is asked of no scan of such an account',
    scope: 'service',
    file: 'src/shared/enterprise-settings.ts',
  },
  {
    rule: 'Malware scanner',
    standard: 'wherever CLAMD_URL says',
    enterprise:
      'on this machine: another CLAMD_URL ends the start with 78, as documents go to it without encryption',
    scope: 'service',
    file: 'src/shared/enterprise-settings.ts',
  },
  {
    rule: 'Pushes',
    standard: 'name the code, but for MEDICAL, IDENTIFICATION and DOCUMENT ones',
    enterprise: 'name no code',
    scope: 'account',
    file: 'src/features/push/send-push.job.ts',
  },
  {
    rule: 'Request log',
    standard: 'no addresses, no user agents',
    enterprise: 'no addresses, no user agents',
    scope: 'service',
    file: 'src/platform/http/request-log.ts',
  },
  {
    rule: 'Retention of the audit trail',
    standard: 'as AUDIT_RETENTION_DAYS says',
    enterprise: `AUDIT_RETENTION_DAYS of less than ${MIN_AUDIT_RETENTION_DAYS} ends the start with 78`,
    scope: 'service',
    file: 'src/shared/enterprise-settings.ts',
  },
];
