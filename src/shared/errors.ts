/** One row of the table of errors: what a client may rely on for a code. */
interface ErrorDefinition {
  /** HTTP status that always goes with the code. */
  status: number;
  /** The sentence a person reads first; the same for every occurrence. */
  title: string;
  /** Whether the same request may succeed later without a change. */
  retry: boolean;
  /** What it means and what to do about it; shown at /api/docs/errors/<CODE>. */
  meaning: string;
}

/** Every error code of the interface. The OpenAPI document's enum and the pages under /api/docs/errors are made from it. */
export const ERRORS = {
  VALIDATION_FAILED: defineError(
    400,
    'The request is not valid.',
    'Each field that failed is in `errors`. Change the request.',
  ),
  MALFORMED_BODY: defineError(
    400,
    'The body cannot be read.',
    'The body is not valid JSON or multipart, or holds text that is refused everywhere (control characters, invalid UTF-8).',
  ),
  SIGNATURE_INVALID: defineError(
    400,
    'The signature proves nothing.',
    'Only a payment provider posts here, signing the bytes of its event with a secret that is set in STRIPE_WEBHOOK_SECRETS. Nothing was stored.',
  ),
  USE_CURSOR: defineError(
    400,
    'The page lies too deep.',
    'page × limit may be 10,000 at most. Narrow the search, or use `cursor` where the list has one.',
  ),
  OTP_INVALID: defineError(
    400,
    'The code is not valid.',
    'Wrong, expired, already used, or for another address. Ask for a new code with POST /api/auth/resend-otp.',
  ),
  RESET_TOKEN_INVALID: defineError(
    400,
    'The reset link is not valid.',
    'Wrong, expired or already used. Ask for a new one with POST /api/auth/forgot-password.',
  ),
  IMAGE_NOT_SCANNABLE: defineError(
    400,
    'The image would not scan.',
    'The drawn code could not be read back. `detail` says why: too little contrast, too much content, or a logo too large.',
  ),
  FILE_INFECTED: defineError(
    400,
    'The file holds malware.',
    'A scanner found something in it, and nothing of it was stored. Have the device that it comes from checked.',
  ),
  UNAUTHENTICATED: defineError(
    401,
    'A valid credential is needed.',
    'No credential, or one that is expired, ended or not ours. Log in, or refresh the access token.',
  ),
  CREDENTIALS_INVALID: defineError(
    401,
    'E-mail or password is wrong.',
    'The same answer whether the address is unknown or the password is wrong.',
  ),
  REFRESH_TOKEN_INVALID: defineError(
    401,
    'The refresh token is not valid.',
    'Unknown, expired, ended, or used again after it was replaced; the last ends the whole session. Log in again.',
  ),
  SIGN_IN_INVALID: defineError(
    401,
    'The sign-in is not valid.',
    'The code or ID token is wrong, expired, used already, or for another client. Begin again with GET /api/auth/google.',
  ),
  MFA_TOKEN_INVALID: defineError(
    401,
    'The first step of the log-in is not valid any more.',
    'Unknown, expired, already used, or the password was changed since. Log in again.',
  ),
  MFA_CODE_INVALID: defineError(
    401,
    'The code of the second factor is wrong.',
    'Wrong, or used before: each code works once. Wait for the next one, or use a recovery code.',
  ),
  FORBIDDEN: defineError(403, 'You may not do this.', 'The account is known but lacks the permission.'),
  ACCOUNT_SUSPENDED: defineError(403, 'The account is suspended.', 'Write to the operator of the service.'),
  EMAIL_NOT_VERIFIED: defineError(
    403,
    'The e-mail address is not confirmed yet.',
    'Confirm it with POST /api/auth/verify-otp; POST /api/auth/resend-otp sends a new code.',
  ),
  IDENTITY_NOT_VERIFIED: defineError(
    403,
    'The provider has not verified the address.',
    'Confirm the address at the identity provider, or register here with a password.',
  ),
  FRESH_LOGIN_REQUIRED: defineError(
    403,
    'Log in again first.',
    'Asked for is what a stolen session must not get: the last log-in may be 15 minutes ago at the most. Refreshing a token is no log-in.',
  ),
  EXPORT_KEY_REQUIRED: defineError(
    403,
    'The export must be encrypted to a key of yours.',
    'Give the public key of an age identity (age1…): `ageRecipient` in the body of POST /api/auth/exports, `recipient` in the query of GET /api/auth/export.',
  ),
  PROFILE_REQUIRED: defineError(
    403,
    'A profile is needed first.',
    'Create it with POST /api/auth/create-profile; reading is allowed without.',
  ),
  MFA_ENROLLMENT_REQUIRED: defineError(
    403,
    'A second factor is needed first.',
    'The account is in enterprise mode. Switch it on with POST /api/auth/mfa/enroll and POST /api/auth/mfa/confirm.',
  ),
  REAUTHENTICATION_REQUIRED: defineError(
    403,
    'A log-in of a moment ago is needed.',
    'The account has no password to show who asks. Log in again, then repeat the request within ten minutes.',
  ),
  PLAN_LIMIT_REACHED: defineError(
    403,
    'The limit of the package is reached.',
    '`limit` names what ran out, `largerPackage` the package that has more. Delete something or choose a larger one. What is there keeps working; what is beyond the limit cannot be changed until then.',
  ),
  PIN_INCORRECT: defineError(
    403,
    'The PIN is wrong.',
    '`attemptsLeft` says how many tries remain. Public facts stay readable without a PIN.',
  ),
  PASSCODE_REQUIRED: defineError(
    403,
    'A passcode is needed.',
    'Ask whoever sent the link for its passcode. Asking without one costs no try.',
  ),
  PASSCODE_INCORRECT: defineError(
    403,
    'The passcode is wrong.',
    '`attemptsLeft` says how many tries remain. No view was counted.',
  ),
  NOT_CONTACTABLE: defineError(
    403,
    'The owner cannot be written to.',
    'The owner of the code takes no messages, or none from you.',
  ),
  CONVERSATION_TOKEN_INVALID: defineError(
    403,
    'The token of the conversation is missing or wrong.',
    'Send the `conversationToken` that came with the conversation in the header X-Conversation-Token.',
  ),
  SCAN_TOKEN_INVALID: defineError(
    403,
    'The scan token is missing or wrong.',
    'Send the `scanToken` of the scan in the header X-Scan-Token; it is valid for seven days.',
  ),
  NOT_FOUND: defineError(
    404,
    'Not found.',
    'No such path or record, or it belongs to somebody else: the two are not told apart.',
  ),
  REQUEST_TIMEOUT: defineError(
    408,
    'The request came too slowly.',
    'Send it again over a better connection.',
    true,
  ),
  CONFLICT: defineError(
    409,
    'The request conflicts with what is stored.',
    'Somebody else changed or made it at the same time. Read again, then decide.',
    true,
  ),
  LAST_ADMINISTRATOR: defineError(
    409,
    'Nobody else is administrator.',
    'The last administrator who can log in cannot lose the role or the account. Make another one first.',
  ),
  USER_NOT_VERIFIED: defineError(
    409,
    'The user is not verified.',
    'A role can be assigned only to a user whose e-mail address is verified.',
  ),
  ENFORCED_GLOBALLY: defineError(
    409,
    'Enterprise mode is enforced for all accounts.',
    'While ENTERPRISE_MODE is set, enterprise mode cannot be disabled for one account.',
  ),
  EMAIL_ALREADY_VERIFIED: defineError(
    409,
    'The e-mail address is already verified.',
    'There is nothing to activate, or nobody registered the address within the last days.',
  ),
  PROFILE_EXISTS: defineError(
    409,
    'The profile exists already.',
    'Change it with PUT /api/auth/profile/<user_id>.',
  ),
  IDENTITY_CONFLICT: defineError(
    409,
    'The account belongs to another identity.',
    'The account with this address opens by another identity of the same provider. Log in another way, and take that one off with DELETE /api/auth/identities/<id>.',
  ),
  LAST_SIGN_IN_METHOD: defineError(
    409,
    'The last sign-in method cannot be removed.',
    'Set a password first with POST /api/auth/forgot-password.',
  ),
  MFA_ALREADY_ENABLED: defineError(
    409,
    'There is a second factor already.',
    'Switch it off with DELETE /api/auth/mfa before another one is set up.',
  ),
  MFA_NOT_ENABLED: defineError(
    409,
    'There is no second factor, or none that waits for its first code.',
    'Begin with POST /api/auth/mfa/enroll and enter the code within fifteen minutes.',
  ),
  EXPORT_IN_PROGRESS: defineError(
    409,
    'An export is already in progress.',
    'GET /api/auth/exports shows it. Request another one once it is READY or FAILED.',
  ),
  EXPORT_NOT_READY: defineError(
    409,
    'The export is not ready.',
    'While its status is WAITING ask again later; after FAILED ask for a new one.',
    true,
  ),
  IMMUTABLE_FIELD: defineError(
    409,
    'The field cannot be changed.',
    'kind, mode and the content of a STATIC code are fixed once made. Make a new code.',
  ),
  IDEMPOTENCY_KEY_REUSED: defineError(
    409,
    'The Idempotency-Key was used for another request.',
    'Use a new key for a new request, the same key only to repeat the same one.',
  ),
  BILLING_DISABLED: defineError(
    409,
    'Nothing is sold here.',
    'No payment provider is configured, or not the one of which this was bought. Where nothing is sold everything is without limits.',
  ),
  ALREADY_SUBSCRIBED: defineError(
    409,
    'There is a subscription already.',
    'Change it with POST /api/subscription/change, or cancel it first. GET /api/subscription/status shows it.',
  ),
  NO_SUBSCRIPTION: defineError(
    409,
    'There is no subscription that runs.',
    'Begin with POST /api/subscription/checkout-session.',
  ),
  SUBSCRIPTION_ENDED: defineError(
    409,
    'The subscription has ended.',
    'An end is final. Begin again with POST /api/subscription/checkout-session.',
  ),
  NO_CUSTOMER: defineError(
    409,
    'Nothing was bought yet.',
    'The payment provider does not know the account. Begin with POST /api/subscription/checkout-session.',
  ),
  PREVIEW_EXPIRED: defineError(
    409,
    'The preview has expired.',
    'The prices of a preview are valid for half an hour. Request a new one with POST /api/subscription/change/preview.',
  ),
  PAYMENT_PENDING: defineError(
    409,
    'The change waits for its payment.',
    'Nothing is changed until then; after a day it is given up. GET /api/subscription/invoices has the invoice, and GET /api/subscription/invoices/<id>/page says where it can be paid.',
  ),
  PAYMENT_DECLINED: defineError(
    409,
    'The payment provider declined the payment.',
    'The payment method may have been declined. POST /api/subscription/portal-session leads to where it can be changed.',
  ),
  CURRENT_VERSION_NOT_DELETABLE: defineError(
    409,
    'The current version cannot be deleted.',
    'Earlier versions can be deleted one by one. Upload a new version first, or delete the document.',
  ),
  TOO_MANY_VERSIONS: defineError(
    409,
    'There are too many versions.',
    'A document has 20 versions at the most. Delete former ones with DELETE /api/documents/<id>/versions/<number>.',
  ),
  TOO_MANY_SHARES: defineError(
    409,
    'The document is shared too often.',
    'A document has 100 links that work and is given to 100 people at the most. End some first.',
  ),
  FILE_CHECK_PENDING: defineError(
    409,
    'The file is being checked for malware.',
    'It cannot be read until the check has finished. Try again later.',
    true,
  ),
  REPORT_ALREADY_DECIDED: defineError(
    409,
    'The report is already decided.',
    'A report is decided once. Read it with GET /api/admin/conversation-reports/<id>.',
  ),
  JOB_NOT_FAILED: defineError(
    409,
    'The job has not failed.',
    'It is waiting, running or completed. Only a failed job can be retried or dismissed.',
  ),
  TOO_MANY_PICTURES: defineError(
    409,
    'The memory tag has too many pictures.',
    'A memory tag can have 100 pictures at most. Delete one first.',
  ),
  CONVERSATION_ENDED: defineError(
    409,
    'The conversation has ended.',
    'One side ended it, or it is too old: nobody can write in it any more. What was written can be read until it is removed.',
  ),
  LOCATION_TRAIL_CLOSED: defineError(
    409,
    'The scan accepts no further positions.',
    'A scan accepts up to 20 positions within 24 hours. Positions sent before are kept.',
  ),
  CODE_UNCLAIMED: defineError(
    404,
    'Nobody has claimed the code yet.',
    'It was printed before it has content. No request makes or claims such a code; the status is reserved.',
  ),
  CODE_PAUSED: defineError(
    410,
    'The code is paused.',
    'Its owner switched it off for now. `contactable` says whether the owner can be written to.',
  ),
  CODE_EXPIRED: defineError(
    410,
    'The code is expired.',
    'Its owner let it end. `contactable` says whether the owner can be written to.',
  ),
  SHARE_EXPIRED: defineError(410, 'The link has expired.', 'Its owner let it end. Ask them for a new one.'),
  SHARE_USED_UP: defineError(
    410,
    'The link was used up.',
    'It was opened as often as its owner allows. Ask them for a new one.',
  ),
  PRECONDITION_FAILED: defineError(
    412,
    'The record was changed in the meantime.',
    'If-Match names another version. Read again and repeat the change on the new version.',
  ),
  PAYLOAD_TOO_LARGE: defineError(
    413,
    'The body or file is too large.',
    'JSON 1 MiB, a profile picture 10 MB, a picture of a memory tag 20 MB, a document as much as the package says.',
  ),
  UNSUPPORTED_MEDIA_TYPE: defineError(
    415,
    'The content type is not supported.',
    'Send application/json, or multipart/form-data where a file is taken.',
  ),
  FILE_TYPE_UNSUPPORTED: defineError(
    415,
    'Files of this type are not taken.',
    'What a file is, is seen by its content and not by its name. `accepted` lists what is taken; `detail` says why this one is not.',
  ),
  RANGE_NOT_SATISFIABLE: defineError(
    416,
    'The range cannot be served.',
    'One range of bytes within the file.',
  ),
  EXPECTATION_FAILED: defineError(
    417,
    'The expectation cannot be met.',
    'Of the header Expect only 100-continue is understood. Send the request without it.',
  ),
  RATE_LIMITED: defineError(429, 'Too many requests.', 'Wait as many seconds as Retry-After says.', true),
  HEADERS_TOO_LARGE: defineError(431, 'The headers are too large.', 'All headers together may have 16 KB.'),
  INTERNAL: defineError(
    500,
    'Something went wrong here.',
    'Not your fault. Give the operator the `requestId`; nothing else is needed.',
  ),
  DATA_INTEGRITY: defineError(
    500,
    'Stored data failed its integrity check.',
    'The record was altered outside the service and is not shown. The operator has been told.',
  ),
  BUSY: defineError(503, 'The service is busy.', 'Wait as many seconds as Retry-After says.', true),
  DATABASE_UNAVAILABLE: defineError(
    503,
    'The database cannot be reached.',
    'Nothing was changed. Wait as many seconds as Retry-After says.',
    true,
  ),
  PROVIDER_UNAVAILABLE: defineError(
    503,
    'A provider cannot be reached.',
    'Nothing was changed. Wait as many seconds as Retry-After says.',
    true,
  ),
} as const satisfies Record<string, ErrorDefinition>;

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

function defineError(status: number, title: string, meaning: string, retry = false): ErrorDefinition {
  return { status, title, meaning, retry };
}
