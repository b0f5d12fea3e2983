import type { ErrorDefinition } from './catalogue.ts';

/** The error of this file; src/catalogue.ts adds those that the platform and the features declare. */
export interface ErrorCatalogue {
  VALIDATION_FAILED: ErrorDefinition;
}

export type ServiceErrorCode = keyof ErrorCatalogue;

const definitions = new Map<string, ErrorDefinition>();

/** Register what the codes of errors mean. A worker process without the catalogue passes codes on. */
export function registerErrors(errors: Readonly<Record<string, ErrorDefinition>>): void {
  for (const [code, definition] of Object.entries(errors)) definitions.set(code, definition);
}

export interface FieldError {
  field: string;
  code: string;
  /** Never contains the value that was sent. */
  message: string;
}

/** Location of a stored value that fails to decrypt, never its content. */
export interface IntegrityFailure {
  table: string;
  column: string;
  rowId: string;
}

interface ServiceErrorOptions {
  detail?: string;
  errors?: FieldError[];
  retryAfterSeconds?: number;
  /** Further members of the problem document, such as `attemptsLeft`. */
  members?: Record<string, unknown>;
  /** For audit trail and log only; not sent to clients. */
  integrityFailure?: IntegrityFailure;
  cause?: unknown;
}

/** An error for clients, sent as a problem document (RFC 9457). */
export class ServiceError extends Error {
  readonly code: ServiceErrorCode;
  readonly statusCode: number;
  readonly detail: string | undefined;
  readonly errors: FieldError[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly members: Record<string, unknown>;
  readonly integrityFailure: IntegrityFailure | undefined;

  constructor(code: ServiceErrorCode, options: ServiceErrorOptions = {}) {
    const definition = definitions.get(code);
    super(options.detail ?? definition?.title ?? code, { cause: options.cause });
    this.name = 'ServiceError';
    this.code = code;
    this.statusCode = definition?.status ?? 500;
    this.detail = options.detail;
    this.errors = options.errors;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.members = options.members ?? {};
    this.integrityFailure = options.integrityFailure;
  }
}

/** Whether the same request may succeed later. */
export function isRetryableError({ code, statusCode }: ServiceError): boolean {
  return statusCode >= 500 || code === 'RATE_LIMITED';
}

export function createValidationError(...errors: FieldError[]): ServiceError {
  const names = errors.map((error) => error.field).join(', ');
  return new ServiceError('VALIDATION_FAILED', { detail: `Invalid: ${names}.`, errors });
}

/** Run a check that throws, and return the invalid fields that it names. */
export function collectFieldErrors(check: () => unknown): FieldError[] {
  try {
    check();
    return [];
  } catch (error) {
    if (error instanceof ServiceError && error.errors) return error.errors;
    throw error;
  }
}
