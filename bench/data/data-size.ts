/** How many rows of what are made, and which codes the scans are of. */
export interface DataSize {
  /** Scans of the organization's codes, of which so many are of the code that is known, and of the busy one. */
  scans: number;
  knownCodeScans: number;
  busyCodeScans: number;
  /** Scans of everybody else's codes, on top. */
  others: number;
  /** Codes of the organization, and of each other person, of whom there are so many. */
  codes: number;
  users: number;
  codesPerUser: number;
  /** Share of the scans that have an exact position. */
  located: number;
}

const KNOWN_CODE_SCANS = 10_000;
const MAX_BUSY_CODE_SCANS = 1_000_000;
const MAX_CODES = 100_000;
const CODES_PER_USER = 90;

/**
 * What is made for so many scans of an organization: 10,000 of one code and up to 1,000,000 of another; a twentieth as
 * many of other people; a code for ten scans up to 100,000, and nine times as many of other people. Up to a million all
 * have a position, beyond it a quarter of them.
 */
export function getDataSize(scans: number): DataSize {
  const knownCodeScans = Math.min(KNOWN_CODE_SCANS, scans);
  const codes = Math.max(CODES_PER_USER, Math.min(MAX_CODES, Math.floor(scans / 10)));
  return {
    scans,
    knownCodeScans,
    busyCodeScans: Math.min(MAX_BUSY_CODE_SCANS, Math.floor(scans / 5), scans - knownCodeScans),
    others: Math.floor(scans / 20),
    codes,
    users: Math.ceil((codes * 9) / CODES_PER_USER),
    codesPerUser: CODES_PER_USER,
    located: scans > MAX_BUSY_CODE_SCANS ? 0.25 : 1,
  };
}
