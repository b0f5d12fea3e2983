import { DAY_SECONDS } from '../../../shared/durations.ts';
import { MIN_AUDIT_RETENTION_DAYS } from '../../../shared/enterprise-settings.ts';
import { LIFETIMES_SECONDS } from '../../../shared/lifetimes.ts';

export type DataExportPolicy = 'PLAIN' | 'ENCRYPTED_OR_REFUSED';

/** In enterprise mode data is exported only encrypted to a key of the user. */
export function getDataExportPolicy(isEnterprise: boolean): DataExportPolicy {
  return isEnterprise ? 'ENCRYPTED_OR_REFUSED' : 'PLAIN';
}

interface EnterpriseRule {
  rule: string;
  standard: string;
  enterprise: string;
  scope: 'account' | 'service';
  file: string;
}

const formatMinutes = (seconds: number) => `${seconds / 60} minutes`;
const formatHours = (seconds: number) => `${seconds / 3600} hours`;
const formatDays = (seconds: number) => `${seconds / DAY_SECONDS} days`;

/** Source of the table in docs/guides/enterprise-mode.md. */
export const ENTERPRISE_MODE_RULES: readonly EnterpriseRule[] = [
  {
    rule: 'Second factor (TOTP)',
    standard: 'optional',
    enterprise:
      'required; without it an account can only enroll, log out and read who it is (else 403 `MFA_ENROLLMENT_REQUIRED`)',
    scope: 'account',
    file: 'src/platform/route-access.ts',
  },
  {
    rule: 'Idle session',
    standard: 'stays open',
    enterprise: `ends after ${formatMinutes(LIFETIMES_SECONDS.idleSession)} without a request`,
    scope: 'account',
    file: 'src/platform/authentication.repository.ts',
  },
  {
    rule: 'Access token',
    standard: formatMinutes(LIFETIMES_SECONDS.accessToken),
    enterprise: formatMinutes(LIFETIMES_SECONDS.enterpriseAccessToken),
    scope: 'account',
    file: 'src/features/identity/accounts/session-lifetimes.rules.ts',
  },
  {
    rule: 'Session',
    standard: `${formatDays(LIFETIMES_SECONDS.refreshToken)} after its last refresh, at most ${formatDays(LIFETIMES_SECONDS.maxSession)} after the login`,
    enterprise: `${formatHours(LIFETIMES_SECONDS.enterpriseSession)} after the login, even if it is refreshed`,
    scope: 'account',
    file: 'src/platform/session-expiry.repository.ts',
  },
  {
    rule: 'Audit entries for medical codes',
    standard: 'each read of the content, each scan that shows it, each image that contains it',
    enterprise: 'also each medical code in a list that its owner reads',
    scope: 'account',
    file: 'src/features/codes/list-own-qrcodes.ts',
  },
  {
    rule: 'Audit entries for documents',
    standard: 'each download, each response that shows the note of a health document',
    enterprise: 'also each health document in a list that its owner reads',
    scope: 'account',
    file: 'src/features/documents/read-document.ts',
  },
  {
    rule: 'Links to health documents',
    standard: 'as their owner creates them',
    enterprise: `need a passcode and end within ${formatDays(LIFETIMES_SECONDS.enterpriseHealthShare)} (else 400); older links without these stop working`,
    scope: 'account',
    file: 'src/features/documents/shares/share.rules.ts',
  },
  {
    rule: 'Exports of personal data',
    standard: 'encrypted or not, as the user asks',
    enterprise: 'encrypted to a key of the user (else 403 `EXPORT_KEY_REQUIRED`)',
    scope: 'account',
    file: 'src/features/identity/accounts/enterprise.rules.ts',
  },
  {
    rule: 'Geocoding',
    standard: 'on this machine, then by the server of `GEOCODER_URL` if it is set',
    enterprise:
      'on this machine only; the service does not start with `GEOCODER_URL` (exit code 78). Scans of a single account in the mode are not sent to it either',
    scope: 'service',
    file: 'src/shared/enterprise-settings.ts',
  },
  {
    rule: 'Malware scanner',
    standard: 'where `CLAMD_URL` says',
    enterprise: 'on this machine only; the service does not start with another `CLAMD_URL` (exit code 78)',
    scope: 'service',
    file: 'src/shared/enterprise-settings.ts',
  },
  {
    rule: 'Pushes',
    standard: 'name the code, except MEDICAL, IDENTIFICATION and DOCUMENT codes',
    enterprise: 'name no code',
    scope: 'account',
    file: 'src/features/notifications/push/send-push.job.ts',
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
    standard: 'as `AUDIT_RETENTION_DAYS` says',
    enterprise: `at least ${MIN_AUDIT_RETENTION_DAYS} days; the service does not start with a smaller \`AUDIT_RETENTION_DAYS\` (exit code 78)`,
    scope: 'service',
    file: 'src/shared/enterprise-settings.ts',
  },
];
