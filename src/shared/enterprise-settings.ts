/** Six years: how long 45 CFR 164.316(b)(2)(i) has documentation kept. */
export const LEAST_RETENTION_DAYS = 2190;

/** How a setting is named that has positions sent to another machine. */
const GEOCODER = /GEOCOD|NOMINATIM/;

/**
 * What of some settings enterprise mode refuses for the whole service: a geocoder outside this machine, and an audit
 * trail that forgets too early. Each with a sentence; no value is repeated.
 */
export function enterpriseProblems(values: Record<string, unknown>): { name: string; text: string }[] {
  const { AUDIT_RETENTION_DAYS: days } = values;
  const outside = Object.keys(values).filter((name) => GEOCODER.test(name) && values[name] !== undefined);
  return [
    ...outside.map((name) => ({
      name,
      text: 'must not be set in ENTERPRISE_MODE=hipaa: no position leaves this machine.',
    })),
    ...(typeof days === 'number' && days < LEAST_RETENTION_DAYS
      ? [
          {
            name: 'AUDIT_RETENTION_DAYS',
            text: `must be ${LEAST_RETENTION_DAYS} or more in ENTERPRISE_MODE=hipaa.`,
          },
        ]
      : []),
  ];
}
