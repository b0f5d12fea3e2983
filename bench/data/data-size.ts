export interface DataSize {
  scans: number;
  knownCodeScans: number;
  busyCodeScans: number;
  /** Scans of the codes of other users, in addition. */
  others: number;
  codes: number;
  users: number;
  codesPerUser: number;
  located: number;
}

const KNOWN_CODE_SCANS = 10_000;
const MAX_BUSY_CODE_SCANS = 1_000_000;
const MAX_CODES = 100_000;
const CODES_PER_USER = 90;

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
