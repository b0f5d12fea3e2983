/** How many rows of what are made, and which codes the scans are of. */
export interface DataSize {
  /** Scans of the organization's codes, of which so many are of the code that is known, and of the busy one. */
  scans: number;
  known: number;
  busy: number;
  /** Scans of everybody else's codes, on top. */
  others: number;
  /** Codes of the organization, and of each other person, of whom there are so many. */
  codes: number;
  people: number;
  codesEach: number;
  /** Share of the scans that have an exact position. */
  located: number;
}

const KNOWN = 10_000;
const BUSIEST = 1_000_000;
const MOST_CODES = 100_000;
const CODES_EACH = 90;

/**
 * What is made for so many scans of an organization: 10,000 of one code and up to 1,000,000 of another; a twentieth as
 * many of other people; a code for ten scans up to 100,000, and nine times as many of other people. Up to a million all
 * have a position, beyond it a quarter of them.
 */
export function sizeOf(scans: number): DataSize {
  const known = Math.min(KNOWN, scans);
  const codes = Math.max(CODES_EACH, Math.min(MOST_CODES, Math.floor(scans / 10)));
  return {
    scans,
    known,
    busy: Math.min(BUSIEST, Math.floor(scans / 5), scans - known),
    others: Math.floor(scans / 20),
    codes,
    people: Math.ceil((codes * 9) / CODES_EACH),
    codesEach: CODES_EACH,
    located: scans > BUSIEST ? 0.25 : 1,
  };
}
