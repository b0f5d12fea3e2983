/** Source: sysexits.h; 130 is how a shell reports Ctrl-C. */
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
