/** Six years: retention required by 45 CFR 164.316(b)(2)(i). */
export const MIN_AUDIT_RETENTION_DAYS = 2190;

const GEOCODER_SETTING_PATTERN = /GEOCOD|NOMINATIM/;

/** A malware scanner on this host; its connection is not encrypted. */
const LOCAL_SCANNER_PATTERN = /^(unix:|tcp:\/\/(localhost|127\.0\.0\.1|\[::1\]):)/;

/** Find settings that enterprise mode forbids for the service; their values are not repeated. */
export function findEnterpriseModeConfigProblems(
  values: Record<string, unknown>,
): { name: string; text: string }[] {
  const { AUDIT_RETENTION_DAYS: days, CLAMD_URL: scanner } = values;
  const geocoderSettings = Object.keys(values).filter(
    (name) => GEOCODER_SETTING_PATTERN.test(name) && values[name] !== undefined,
  );
  return [
    ...geocoderSettings.map((name) => ({
      name,
      text: 'must not be set with ENTERPRISE_MODE=hipaa: positions must not leave this machine.',
    })),
    ...(typeof scanner === 'string' && !LOCAL_SCANNER_PATTERN.test(scanner)
      ? [
          {
            name: 'CLAMD_URL',
            text: 'must be on this machine with ENTERPRISE_MODE=hipaa: documents are sent to it without encryption.',
          },
        ]
      : []),
    ...(typeof days === 'number' && days < MIN_AUDIT_RETENTION_DAYS
      ? [
          {
            name: 'AUDIT_RETENTION_DAYS',
            text: `must be ${MIN_AUDIT_RETENTION_DAYS} or more with ENTERPRISE_MODE=hipaa.`,
          },
        ]
      : []),
  ];
}
