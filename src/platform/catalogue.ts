import { defineAuditAction, defineCatalogue, defineError } from '../shared/catalogue.ts';
import { formatLifetime } from '../shared/lifetimes.ts';

export const platformCatalogue = defineCatalogue({
  errors: {
    VALIDATION_FAILED: defineError(
      400,
      'The request is invalid.',
      'Each invalid field is listed in `errors`. Correct the request.',
    ),
    MALFORMED_BODY: defineError(
      400,
      'The body cannot be parsed.',
      'The body is not valid JSON or multipart, or contains forbidden text (control characters, invalid UTF-8).',
    ),
    USE_CURSOR: defineError(
      400,
      'The page is out of range; use a cursor.',
      'page × limit must be at most 10,000. Narrow the search, or use `cursor`.',
    ),
    CURSOR_MISMATCH: defineError(
      400,
      'The cursor belongs to another list.',
      'Send it to the same path with the same filters and sort, or begin again without a cursor.',
    ),
    UPDATED_SINCE_TOO_OLD: defineError(
      400,
      'Deletions of that time are no longer known.',
      `They are kept for ${formatLifetime('deletedRecord')}. Read the whole list, and continue with \`updatedSince\` from the time when you began.`,
    ),
    UNAUTHENTICATED: defineError(
      401,
      'Authentication is required.',
      'The access token or API key is missing, invalid, expired or revoked. Log in, or refresh the access token.',
    ),
    FORBIDDEN: defineError(
      403,
      'Permission denied.',
      'The user, or their role in the account, does not have the required permission.',
    ),
    SCOPE_REQUIRED: defineError(
      403,
      'The API key lacks a scope.',
      '`detail` names the scope. Create a key that has it; the scopes of a key never change.',
    ),
    API_KEY_NOT_ALLOWED: defineError(
      403,
      'API keys cannot call this operation.',
      'Operations of staff, and those that manage keys, passwords, second factors, sessions or erasure, need an access token.',
    ),
    NETWORK_NOT_ALLOWED: defineError(
      403,
      'The API key is not allowed from this network.',
      'The address of the request is in none of its `allowedNetworks`. Send it from one of them, or create a key for this network.',
    ),
    ACCOUNT_SUSPENDED: defineError(403, 'The account is suspended.', 'Contact the operator of the service.'),
    PROFILE_REQUIRED: defineError(
      403,
      'A profile is required.',
      'Create it with POST /api/auth/create-profile. Reading does not require a profile.',
    ),
    NOT_FOUND: defineError(
      404,
      'Not found.',
      'The path or record does not exist or belongs to another user. The response is the same for both.',
    ),
    ACCOUNT_NOT_FOUND: defineError(
      404,
      'The account was not found.',
      'The account that `Account-Id` names does not exist, or the user is not a member of it. The response is the same for both. GET /api/auth/me lists the accounts of a user.',
    ),
    METHOD_NOT_ALLOWED: defineError(
      405,
      'The path does not support this method.',
      'The header `Allow` lists the methods that it supports.',
    ),
    REQUEST_TIMEOUT: defineError(
      408,
      'The request timed out.',
      'The request arrived too slowly. Send it again over a better connection.',
      true,
    ),
    CONFLICT: defineError(
      409,
      'The request conflicts with the current state.',
      'The record was changed or created at the same time. Read it again before you retry.',
      true,
    ),
    EXTERNAL_ID_TAKEN: defineError(
      409,
      'Another record has this externalId.',
      'An externalId is unique among your records of a type. Deleted records no longer have theirs.',
    ),
    IDEMPOTENCY_KEY_REUSED: defineError(
      409,
      'The Idempotency-Key was used for another request.',
      'Use a new key for each new request, and the same key only to repeat a request.',
    ),
    RESPONSE_NOT_STORED: defineError(
      409,
      'The original response is no longer available.',
      'The request already succeeded. Responses with a secret are sent once, and stored responses are limited in size. To get a new response, send the request with a new Idempotency-Key.',
    ),
    PRECONDITION_FAILED: defineError(
      412,
      'The record was changed by another request.',
      'If-Match does not match the current version. Read the record again and repeat the change.',
    ),
    PAYLOAD_TOO_LARGE: defineError(
      413,
      'The body or file is too large.',
      'Limits: JSON 1 MiB, profile picture 10 MB, picture of a memory tag 20 MB, document according to the package.',
    ),
    UNSUPPORTED_MEDIA_TYPE: defineError(
      415,
      'The content type is not supported.',
      'Send application/json, application/merge-patch+json to a PATCH, or multipart/form-data to upload a file.',
    ),
    RANGE_NOT_SATISFIABLE: defineError(
      416,
      'The range is not satisfiable.',
      'Request a single range of bytes within the file.',
    ),
    EXPECTATION_FAILED: defineError(
      417,
      'The expectation is not supported.',
      'The header Expect supports only 100-continue. Send the request without it.',
    ),
    RATE_LIMITED: defineError(
      429,
      'Too many requests.',
      'Try again after the number of seconds in Retry-After.',
      true,
    ),
    HEADERS_TOO_LARGE: defineError(
      431,
      'The request headers are too large.',
      'All headers together can have up to 16 KB.',
    ),
    INTERNAL: defineError(
      500,
      'Internal server error.',
      'The service failed unexpectedly. Report the `requestId` to the operator.',
    ),
    DATA_INTEGRITY: defineError(
      500,
      'Stored data failed its integrity check.',
      'The record was altered outside of the service and is not returned. The operator has been notified.',
    ),
    BUSY: defineError(
      503,
      'The service is busy.',
      'Try again after the number of seconds in Retry-After.',
      true,
    ),
    DATABASE_UNAVAILABLE: defineError(
      503,
      'The database is unavailable.',
      'Nothing was changed. Try again after the number of seconds in Retry-After.',
      true,
    ),
    OUTCOME_UNKNOWN: defineError(
      503,
      'It is unknown whether the change was stored.',
      'The database did not confirm it. Repeat the request with the same Idempotency-Key; without one, read first whether the change is there.',
      true,
    ),
    PROVIDER_UNAVAILABLE: defineError(
      503,
      'A provider is unavailable.',
      'Nothing was changed. Try again after the number of seconds in Retry-After.',
      true,
    ),
  },
  auditActions: {
    ACCESS_DENIED: defineAuditAction('MEDIUM', 'SYSTEM', 'Access to a resource was denied.'),
    DATA_INTEGRITY_FAILED: defineAuditAction('CRITICAL', 'SYSTEM', 'Stored data failed its integrity check.'),
    KEY_ADDED: defineAuditAction(
      'HIGH',
      'SYSTEM',
      'An encryption key or a pepper was used for the first time.',
    ),
    SECRET_ACCEPTED: defineAuditAction(
      'HIGH',
      'SYSTEM',
      'Another secret was accepted in place of the previous one.',
    ),
    KEY_PROMOTED: defineAuditAction('HIGH', 'SYSTEM', 'Another encryption key became the primary key.'),
    KEY_ROTATION_STARTED: defineAuditAction(
      'HIGH',
      'SYSTEM',
      'Re-encryption of stored data under the primary key was started.',
    ),
    KEYS_ROTATED: defineAuditAction('HIGH', 'SYSTEM', 'All encrypted data is under the primary key.'),
    KEY_RETIRED: defineAuditAction(
      'CRITICAL',
      'SYSTEM',
      'An encryption key that is no longer in use was retired.',
    ),
    BREAK_GLASS_OPENED: defineAuditAction(
      'CRITICAL',
      'QRCODE',
      `An administrator declared an emergency and can read one record for ${formatLifetime('breakGlass')}.`,
    ),
  },
  encryptedColumns: [
    {
      table: 'idempotency_keys',
      column: 'response',
      rowId: 'id',
      owner: 'requester',
      algorithm: 'GCM',
      resourceType: 'SYSTEM',
    },
  ],
});
