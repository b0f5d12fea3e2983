import { ERRORS } from '../catalogue.ts';

export { ERRORS };

export type ErrorCode = keyof typeof ERRORS;

/** One field that failed validation. */
export interface FieldError {
  /** Path of the field in the request, such as `data.allergies[0].name`. */
  field: string;
  /** Machine-readable reason, such as TOO_SHORT. */
  code: string;
  /** The reason as a sentence. Never holds the value that was sent. */
  message: string;
}

/** A stored value that does not open: where it is, never what it is. */
export interface IntegrityFailure {
  table: string;
  column: string;
  rowId: string;
}

interface ServiceErrorOptions {
  /** A sentence for this occurrence; the title of the code without it. */
  detail?: string;
  errors?: FieldError[];
  retryAfterSeconds?: number;
  /** Further members of the problem document, such as `attemptsLeft`. */
  members?: Record<string, unknown>;
  /** What failed its integrity check. For the audit trail and the log: a client is not told. */
  integrityFailure?: IntegrityFailure;
  cause?: unknown;
}

/** An error that a client is told about, as a problem document (RFC 9457). */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly statusCode: number;
  readonly errors: FieldError[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly members: Record<string, unknown>;
  readonly integrityFailure: IntegrityFailure | undefined;

  constructor(code: ErrorCode, options: ServiceErrorOptions = {}) {
    super(options.detail ?? ERRORS[code].title, { cause: options.cause });
    this.name = 'ServiceError';
    this.code = code;
    this.statusCode = ERRORS[code].status;
    this.errors = options.errors;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.members = options.members ?? {};
    this.integrityFailure = options.integrityFailure;
  }
}

/** The error for fields that failed a rule: 400 VALIDATION_FAILED naming each of them. */
export function createValidationError(...errors: FieldError[]): ServiceError {
  const names = errors.map((error) => error.field).join(', ');
  return new ServiceError('VALIDATION_FAILED', { detail: `Not valid: ${names}.`, errors });
}
