import { defineAction, defineCatalogue, defineError } from '../shared/catalogue.ts';

export const platformCatalogue = defineCatalogue({
  errors: {
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
    USE_CURSOR: defineError(
      400,
      'The page lies too deep.',
      'page × limit may be 10,000 at most. Narrow the search, or use `cursor` where the list has one.',
    ),
    UNAUTHENTICATED: defineError(
      401,
      'A valid credential is needed.',
      'No credential, or one that is expired, ended or not ours. Log in, or refresh the access token.',
    ),
    FORBIDDEN: defineError(403, 'You may not do this.', 'The account is known but lacks the permission.'),
    ACCOUNT_SUSPENDED: defineError(403, 'The account is suspended.', 'Write to the operator of the service.'),
    PROFILE_REQUIRED: defineError(
      403,
      'A profile is needed first.',
      'Create it with POST /api/auth/create-profile; reading is allowed without.',
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
    IDEMPOTENCY_KEY_REUSED: defineError(
      409,
      'The Idempotency-Key was used for another request.',
      'Use a new key for a new request, the same key only to repeat the same one.',
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
  },
  auditActions: {
    ACCESS_DENIED: defineAction(
      'MEDIUM',
      'SYSTEM',
      'Somebody asked for what is not theirs or not allowed to them.',
    ),
    DATA_INTEGRITY_FAILED: defineAction('CRITICAL', 'SYSTEM', 'Stored data failed its integrity check.'),
    KEY_ADDED: defineAction('HIGH', 'SYSTEM', 'An encryption key or a pepper serves for the first time.'),
    KEY_PROMOTED: defineAction('HIGH', 'SYSTEM', 'What is new is encrypted with another key from now on.'),
    KEY_ROTATION_STARTED: defineAction(
      'HIGH',
      'SYSTEM',
      'Encrypting what is stored under the primary key was begun.',
    ),
    KEYS_ROTATED: defineAction('HIGH', 'SYSTEM', 'Everything that is encrypted is under the primary key.'),
    KEY_RETIRED: defineAction(
      'CRITICAL',
      'SYSTEM',
      'An encryption key that nothing needs any more was retired.',
    ),
    BREAK_GLASS_OPENED: defineAction(
      'CRITICAL',
      'QRCODE',
      'An administrator stated an emergency and may read one record for a quarter of an hour.',
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
