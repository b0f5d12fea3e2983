import swagger from '@fastify/swagger';
import type { FastifyInstance, RouteOptions } from 'fastify';
import fp from 'fastify-plugin';
import { hasRolePermission, USER_ROLES } from '../permissions.ts';
import {
  DeletedResponse,
  DoneResponse,
  FieldProblem,
  Id,
  IgnoredNames,
  nullable,
  schemaRef,
  Timestamp,
  VisiblePicture,
} from '../shared/common.schemas.ts';
import { formatLifetime, LIFETIMES_SECONDS } from '../shared/lifetimes.ts';
import { DeletedRecord } from '../shared/list-changes.schemas.ts';
import { Pagination } from '../shared/pagination.ts';
import { API_VERSION, EARLIER_API_VERSIONS, MIN_DEPRECATION_DAYS } from './http/api-versions.ts';
import type { MultipartFormRules } from './http/form-rules.ts';
import {
  MAX_REFRESHES_PER_SESSION,
  MAX_REQUESTS_PER_API_KEY,
  MAX_REQUESTS_PER_CLIENT,
} from './http/rate-limits.ts';
import { canIgnoreNames } from './http/validation.ts';
import { shareOpenApiComponents } from './openapi-components.ts';
import { declareOpenApiHeaders } from './openapi-headers.ts';
import { correctOpenApiRequestSchemas, requiresFile } from './openapi-requests.ts';
import {
  addOpenApiExamples,
  combineCommonErrors,
  declareWarnings,
  describeOpenApiResponses,
} from './openapi-responses.ts';
import { Problem } from './problem.schemas.ts';
import { findRouteApiKeyScope, type RouteAccess } from './route-access.ts';

interface OpenApiOptions {
  version: string;
  publicBaseUrl: string;
  refine: (document: Record<string, unknown>) => Record<string, unknown>;
  repeatedSchemas: Readonly<Record<string, object>>;
}

const DESCRIPTION = `QR codes for pets, belongings, medical data and memorials. A visitor sees exactly what the owner allows; the owner sees when and where the code was scanned.

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

const TOKEN_DESCRIPTION = '`accessToken` of `POST /api/auth/login`.';
const API_KEY_DESCRIPTION =
  '`token` of `POST /api/api-keys`. The requirement of an operation names its scope.';

const PROBLEM_DESCRIPTIONS: Record<number, string> = {
  400: 'The request is invalid.',
  401: 'The credential is missing or invalid.',
  403: 'Permission denied.',
  404: 'Not found, or owned by another user.',
  408: 'The request timed out.',
  409: 'Conflict with the current state.',
  410: 'Paused, expired, exhausted or failed.',
  412: 'Changed by another request.',
  413: 'Too large.',
  415: 'Content type not supported.',
  416: 'The range is not satisfiable.',
  417: 'Expectation not supported.',
  429: 'Too many requests; try again after Retry-After.',
  431: 'Headers too large.',
  500: 'Internal server error.',
  503: 'Busy, or the database or a provider is unavailable; try again after Retry-After.',
};

// Of one status only one object: its serializer is then found by the object.
const problemResponses = new Map<number, object>();

export function createProblemResponseSchemas(...statuses: number[]) {
  return Object.fromEntries(statuses.map((status) => [status, getProblemResponse(status)]));
}

function getProblemResponse(status: number): object {
  const response = problemResponses.get(status) ?? {
    description: PROBLEM_DESCRIPTIONS[status] ?? 'An error.',
    content: { 'application/problem+json': { schema: schemaRef(Problem) } },
  };
  problemResponses.set(status, response);
  return response;
}

async function registerOpenApi(app: FastifyInstance, options: OpenApiOptions) {
  for (const schema of [
    Problem,
    FieldProblem,
    VisiblePicture,
    Pagination,
    DeletedResponse,
    DeletedRecord,
    DoneResponse,
  ])
    app.addSchema(schema);
  const forms = new Map<string, MultipartFormRules>();
  const operationsWithBodyRules = new Set<string>();
  const declaredStatuses = new Map<string, readonly string[]>();
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => {
    // The HEAD of a GET has the same schema object.
    if (route.method === 'HEAD') return;
    const form = route.config?.form;
    if (form && route.schema?.operationId) {
      forms.set(route.schema.operationId, form);
      route.schema.consumes = [...(requiresFile(form) ? [] : ['application/json']), 'multipart/form-data'];
    }
    const { findBodyErrors, findUseCaseErrors } = route.config ?? {};
    if ((findBodyErrors || findUseCaseErrors) && route.schema?.operationId)
      operationsWithBodyRules.add(route.schema.operationId);
    if (route.schema?.operationId)
      declaredStatuses.set(route.schema.operationId, Object.keys(route.schema.response ?? {}));
    addCommonResponses(route);
    routes.push(route);
  });
  const listOperationsWithWarnings = () =>
    new Set(
      routes
        .filter((route) => canIgnoreNames(route, (id) => app.getSchema(id)))
        .map(({ schema }) => String(schema?.operationId)),
    );
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'QR Profile Service',
        version: options.version,
        description: DESCRIPTION,
        license: { name: 'MIT', identifier: 'MIT' },
        contact: { name: 'The operator of this service', url: options.publicBaseUrl },
      },
      servers: [{ url: options.publicBaseUrl }],
      tags: OPENAPI_TAGS.map(([name, description]) => ({ name, description })),
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: TOKEN_DESCRIPTION },
          apiKey: { type: 'http', scheme: 'bearer', description: API_KEY_DESCRIPTION },
        },
      },
    },
    refResolver: {
      buildLocalReference: (json, _base, _fragment, index) =>
        typeof json.$id === 'string' ? json.$id : `schema-${index}`,
    },
    // A prefixed route '/' matches with and without the slash; document the plain path.
    transform: ({ schema, url }) => ({ schema, url: url.replace(/(?<=.)\/$/, '') }),
    transformObject: (document) => {
      if (!('openapiObject' in document)) return {};
      const described = describeOpenApiResponses(
        declareWarnings(
          correctOpenApiRequestSchemas({ ...document.openapiObject }, forms, operationsWithBodyRules),
          listOperationsWithWarnings(),
        ),
      );
      const refined = options.refine(combineCommonErrors(declareOpenApiHeaders(described), declaredStatuses));
      return addOpenApiExamples(
        shareOpenApiComponents(refined, {
          Id,
          Timestamp,
          NullableTimestamp: nullable(Timestamp),
          NullableId: nullable(Id),
          IgnoredNames,
          ErrorCode: Problem.properties.code,
          ...options.repeatedSchemas,
        }),
      );
    },
  });
}

export const openApiPlugin = fp(registerOpenApi, { name: 'openapi', dependencies: ['access'] });

const OPENAPI_TAGS: readonly (readonly [string, string])[] = [
  ['Accounts', 'Registration, login, sessions and profiles.'],
  ['API keys', 'Credentials of programs, with scopes.'],
  ['Personal data', 'Export of personal data and erasure of the account.'],
  ['QR codes', 'QR codes, the visibility of their content, images and pictures.'],
  ['Imports', 'Imports of QR codes from files.'],
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

const NOT_MODIFIED_RESPONSE = { description: 'Not modified.', type: 'null' };

/** Add what differs from the introduction: who may call the route and how often. */
function describeRoute({ schema, config, method }: RouteOptions): string {
  const access = config?.access;
  const ofUsers = access?.who === 'account' ? access : undefined;
  const isForStaff = ofUsers && !USER_ROLES.every((role) => hasRolePermission(role, ofUsers.permission));
  const usualClass = method === 'GET' ? 'read' : 'write';
  const rateLimitClass = config?.rateLimitClass ?? usualClass;
  const maxOfSession = config?.findRateLimitSession && MAX_REFRESHES_PER_SESSION;
  return [
    schema?.description,
    isForStaff && `Permission \`${ofUsers.permission}\`.`,
    ofUsers?.profile && 'Requires a profile.',
    rateLimitClass !== usualClass &&
      rateLimitClass !== 'none' &&
      `${(maxOfSession ?? MAX_REQUESTS_PER_CLIENT[rateLimitClass]).toLocaleString('en')} requests a minute.`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** The roles of `apiKey` are the scopes of keys. */
function listSecurityRequirements(access: RouteAccess, method: string): Record<string, string[]>[] {
  const scope = findRouteApiKeyScope(access, method);
  if (scope === undefined) return [];
  return [
    ...(access.who === 'anyone' ? [{}] : []),
    { bearer: [] },
    ...(scope === null ? [] : [{ apiKey: [scope] }]),
  ];
}

function addCommonResponses(route: RouteOptions): void {
  const { schema } = route;
  if (!schema || schema.hide) return;
  const access = route.config?.access;
  const statuses = [400, 408, 417, 429, 431, 500, 503];
  // Fastify also parses an unexpected body, except for GET.
  if (route.method !== 'GET') statuses.push(413, 415);
  if (schema.params) statuses.push(404);
  if (access?.who === 'account') {
    statuses.push(401, 403);
  }
  schema.security = access ? listSecurityRequirements(access, [route.method].flat()[0] ?? '') : [];
  schema.description = describeRoute(route);
  const unchanged = route.config?.cache === 'revalidate' ? { 304: NOT_MODIFIED_RESPONSE } : {};
  schema.response = {
    ...createProblemResponseSchemas(...statuses),
    ...unchanged,
    ...(schema.response ?? {}),
  };
}
