import { formatLifetime, LIFETIMES_SECONDS } from '../shared/lifetimes.ts';
import { API_VERSION, EARLIER_API_VERSIONS, MIN_DEPRECATION_DAYS } from './http/api-versions.ts';
import { MAX_REQUESTS_PER_API_KEY, MAX_REQUESTS_PER_CLIENT } from './http/rate-limit-numbers.ts';

/** What holds for every operation. */
export const OPENAPI_INTRODUCTION = `QR codes for pets, belongings, medical data and memorials. A visitor sees exactly what the owner allows; the owner sees when and where the code was scanned.

\`/api/docs/asyncapi\` describes webhooks and the WebSocket (AsyncAPI 3).

### Access tokens

Most operations need an access token: \`Authorization: Bearer <accessToken>\`. Get one in one of these ways:

- \`POST /api/auth/login\` with email address and password. Where a second factor is on, \`POST /api/auth/mfa/verify\` follows.
- \`POST /api/auth/register\`, then \`POST /api/auth/verify-otp\` with the emailed code. Outside production \`/api/sandbox/mailbox\` shows the email.
- \`POST /api/auth/google/exchange\` after signing in with a provider.

It lasts ${LIFETIMES_SECONDS.accessToken / 60} minutes. \`POST /api/auth/refresh-token\` returns the next one.

An operation reads and changes what the account owns. Operations of staff name the permission that they need, and are 403 for other accounts. Those that require a profile are 403 \`PROFILE_REQUIRED\` before \`POST /api/auth/create-profile\`.

### API keys

A program uses an API key instead: \`Authorization: Bearer qrps_live_…\`. Create one with \`POST /api/api-keys\`. \`security\` of an operation names the scope that the key needs. An operation without a scope accepts no API key.

### Unknown fields

An unknown field or parameter returns 400 with \`UNKNOWN_FIELD\` in \`errors\`; the message names the one that you probably meant. You can send back a record as you read it, from this version or the next. Registration, login and logout, passwords, profiles, codes, scans and checkout refuse only names that could be a misspelled field. Ignored names are in \`warnings\` of the response, as \`UNKNOWN_FIELD: <name>\`.

### Errors

An error is a problem document (RFC 9457). Its \`code\` is stable, its \`type\` is the address of a page about it. \`requestId\`, also in the header \`X-Request-Id\`, identifies the request to the operator. An operation lists its own errors. Beyond them every operation can answer with the response \`default\`:

| status | when |
| --- | --- |
| 400 | The request is invalid; \`errors\` names every field. |
| 401, 403 | Where a credential is needed: it is missing, invalid or expired; the account or API key may not do this. |
| 405 | The path does not support the method; \`Allow\` lists those that it supports. |
| 408, 413, 415, 417, 431 | The request is too slow, too large or of an unknown type. |
| 429 | Above a limit; try again after \`Retry-After\`. |
| 500, 503 | An error of the service; 503 is temporary, try again after \`Retry-After\`. |

### Limits

An account may send ${MAX_REQUESTS_PER_CLIENT.read} reads and ${MAX_REQUESTS_PER_CLIENT.write} changes a minute, an API key ${MAX_REQUESTS_PER_API_KEY.read} and ${MAX_REQUESTS_PER_API_KEY.write}, unless the operation says otherwise. Without a valid credential the address counts. Every response but those of \`/api/health\` has \`RateLimit\`, \`RateLimit-Policy\` and the older \`X-RateLimit-*\`; they are declared in the response \`default\` only, since every response would repeat them.

### Lists

\`data\` has the records. Read on with \`cursor=<pagination.nextCursor>\`, until \`hasMore\` is false. \`page\` counts from 1 and ends at row 10,000. Repeat a filter for several values: \`status=ACTIVE&status=LOST\`. A list with \`updatedSince\` also lists changes and deletions, for programs that keep a copy.

### Updates

A PUT or PATCH changes the fields in its body: an omitted field keeps its value, null clears it. \`data\` of a code is replaced as a whole, unless the PATCH is \`application/merge-patch+json\` (RFC 7396), which merges it.

### HEAD

HEAD works wherever GET does, except for the WebSocket and the redirect of an identity provider. It is audited as its GET is, unless that downloads a file: then nothing is sent, counted or audited.

### Concurrent updates and retries

A record with a version has an \`ETag\`. Send it as \`If-Match\` with an update: 412 if the record was changed since. With an \`Idempotency-Key\` a creation can be repeated: the first response is sent again.

### Versions

Every response has the header \`API-Version: ${API_VERSION}\`. A request may ask for an earlier one, which is kept for ${MIN_DEPRECATION_DAYS} days after the next: ${Object.keys(EARLIER_API_VERSIONS).join(', ')}. Its responses have \`Sunset\`; any other version is 400. An operation that will go away is \`deprecated\`, and its responses have \`Deprecation\` (RFC 9745) and \`Sunset\` (RFC 8594), at least ${MIN_DEPRECATION_DAYS} days before. Ignore fields and enum values that you do not know: they can be added at any time.

### Formats of texts

| format | meaning |
| --- | --- |
| \`single-line\` | no control characters and no line break; no invisible character at the start |
| \`non-blank-line\` | the same, with a visible character |
| \`plain-text\` | of the control characters only line feed and tab |
| \`non-blank-text\` | the same, not blank |
| \`phone\`, \`time-zone\`, \`cursor\`, \`date-or-date-time\` | as the field says |`;

export const OPENAPI_TAGS: readonly (readonly [string, string])[] = [
  ['Accounts', 'Registration, login, sessions and profiles.'],
  ['Organizations', 'Accounts of several users, without a login.'],
  ['API keys', 'Credentials of programs, with scopes.'],
  ['Personal data', 'Export of personal data and erasure of the account.'],
  ['QR codes', 'QR codes, the visibility of their content, images and pictures.'],
  ['Imports', 'Imports of QR codes from files.'],
  ['Batches', 'Tags that are printed first and get their owners later.'],
  ['Print sheets', 'Labels for QR codes on sheets, rolls and cards.'],
  ['Scans', 'Recording scans, with or without an account, and reading them.'],
  ['Conversations', 'Messages between finders and owners, without revealing contact details.'],
  ['Notifications', 'Notifications, their settings and devices for push.'],
  [
    'Webhooks',
    `Endpoints that receive your events, their deliveries, and the events of the last ${formatLifetime('accountEvent')}.`,
  ],
  ['Realtime', 'Events over WebSocket.'],
  ['Dashboard', 'Summary for the owner of codes.'],
  ['Memory tags', 'Memorials with pictures, a guest book and caretakers.'],
  ['Documents', 'Private documents, their versions, shares and grants.'],
  ['Subscription', 'Packages, checkout, plan changes, invoices and webhooks of the payment provider.'],
  ['Administration', 'Administration of users, codes, reports, jobs and packages.'],
  ['Audit', 'Audit trail and its verification.'],
  ['Support', 'Search for support staff, without content.'],
  ['Files', 'Public pictures and images.'],
  ['Service', 'Health, documentation and the root.'],
];
