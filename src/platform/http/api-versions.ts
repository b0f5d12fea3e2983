/** Version of the interface that this service speaks: the day of its last breaking change. */
export const API_VERSION = '2026-11-27';

export interface Deprecation {
  /** Day from which the operation should no longer be used. */
  since: string;
  /** Day from which it can be gone, at least `MIN_DEPRECATION_DAYS` later. */
  sunset: string;
}

export const MIN_DEPRECATION_DAYS = 180;

/** Deprecated operations by `operationId`. */
export const DEPRECATED_OPERATIONS: Readonly<Record<string, Deprecation>> = {};
