/** What a process says as it ends, beside 0 and 1; source: sysexits.h, and 130 as a shell counts an end by Ctrl-C. */
export const EXIT_CODES = {
  USAGE: 64,
  NO_DATA: 65,
  NO_INPUT: 66,
  UNAVAILABLE: 69,
  SOFTWARE: 70,
  TEMPORARY: 75,
  CONFIGURATION: 78,
  INTERRUPTED: 130,
} as const;
