/** Six years: how long 45 CFR 164.316(b)(2)(i) has documentation kept. */
export const MIN_AUDIT_RETENTION_DAYS = 2190;

/** How a setting is named that has positions sent to another machine. */
const GEOCODER_SETTING_PATTERN = /GEOCOD|NOMINATIM/;

/** A malware scanner on this machine: what is sent to it is not encrypted. */
const LOCAL_SCANNER_PATTERN = /^(unix:|tcp:\/\/(localhost|127\.0\.0\.1|\[::1\]):)/;

/**
 * What of some settings enterprise mode refuses for the whole service: a geocoder or a malware scanner outside this
 * machine, and an audit trail that forgets too early. Each with a sentence; no value is repeated.
 */
export function findEnterpriseProblems(values: Record<string, unknown>): { name: string; text: string }[] {
  const { AUDIT_RETENTION_DAYS: days, CLAMD_URL: scanner } = values;
  const geocoderSettings = Object.keys(values).filter(
    (name) => GEOCODER_SETTING_PATTERN.test(name) && values[name] !== undefined,
  );
  return [
    ...geocoderSettings.map((name) => ({
      name,
      text: 'must not be set in ENTERPRISE_MODE=hipaa: no position leaves this machine.',
    })),
    ...(typeof scanner === 'string' && !LOCAL_SCANNER_PATTERN.test(scanner)
      ? [
          {
            name: 'CLAMD_URL',
            text: 'must be of this machine in ENTERPRISE_MODE=hipaa: documents go to it without encryption.',
          },
        ]
      : []),
    ...(typeof days === 'number' && days < MIN_AUDIT_RETENTION_DAYS
      ? [
          {
            name: 'AUDIT_RETENTION_DAYS',
            text: `must be ${MIN_AUDIT_RETENTION_DAYS} or more in ENTERPRISE_MODE=hipaa.`,
          },
        ]
      : []),
  ];
}
