/** Version of the interface that this service speaks: the day of its last breaking change. */
export const API_VERSION = '2026-11-29';

/**
 * Versions that a request may still ask for, newest first, with the day from which a release may refuse them. Routes
 * declare what differs in `versionChanges`.
 */
export const EARLIER_API_VERSIONS: Readonly<Record<string, { sunset: string }>> = {
  '2026-11-27': { sunset: '2027-05-28' },
};

export interface Deprecation {
  /** Day from which the operation should no longer be used. */
  since: string;
  /** Day from which it can be gone, at least `MIN_DEPRECATION_DAYS` later. */
  sunset: string;
}

/** Also how long a version is kept after the next one. */
export const MIN_DEPRECATION_DAYS = 180;

/** Deprecated operations by `operationId`. */
export const DEPRECATED_OPERATIONS: Readonly<Record<string, Deprecation>> = {};

/** What a version changed in an operation. */
export interface VersionChange {
  /** The version that changed it. */
  before: string;
  /** Converts a JSON body of a request as it was to what the version reads. */
  fromBody?: (body: Record<string, unknown>) => Record<string, unknown>;
  fromQuery?: (query: Record<string, unknown>) => Record<string, unknown>;
  /** Converts a successful JSON body of a response to what it was. */
  toBody?: (body: never) => Record<string, unknown>;
  /** Earlier error codes by their successors. The page of the error, `type`, stays that of the successor. */
  errorCodes?: Readonly<Record<string, string>>;
}

/** Ending what stays in its list returned only its id. */
export const RETURNED_DELETED: VersionChange = {
  before: '2026-11-29',
  toBody: ({ id }: { id: string }) => ({ id, deleted: true }),
};

/** Exports and the erasure of an account had an error of their own for a login that is too old. */
export const REQUIRED_FRESH_LOGIN: VersionChange = {
  before: '2026-11-29',
  errorCodes: { REAUTHENTICATION_REQUIRED: 'FRESH_LOGIN_REQUIRED' },
};

/** Reports of conversations had the choice in `reason`. */
export const HAD_REPORT_REASON: VersionChange = {
  before: '2026-11-29',
  fromBody: ({ reason, ...report }) => (reason === undefined ? report : { ...report, category: reason }),
  toBody: toReportWithReason,
};

export const HAD_REPORT_REASON_IN_LIST: VersionChange = {
  before: '2026-11-29',
  toBody: ({ data, ...page }: { data: { category: string }[] }) => ({
    ...page,
    data: data.map(toReportWithReason),
  }),
};

/** The values of `when` were lower case. */
export const HAD_LOWER_CASE_WHEN: VersionChange = {
  before: '2026-11-29',
  fromQuery: ({ when, ...query }) => ({
    ...query,
    ...(typeof when === 'string' && { when: when.toUpperCase() }),
  }),
};

function toReportWithReason({ category, ...report }: { category: string }) {
  return { ...report, reason: category };
}
