import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance, RouteOptions } from 'fastify';
import fp from 'fastify-plugin';
import { DeletedResponse, DoneResponse, FieldProblem, Problem, schemaRef } from '../shared/common.schemas.ts';
import { Pagination } from '../shared/pagination.ts';
import type { FormRules } from './http/form-rules.ts';
import { correctRequestSchemas } from './openapi-requests.ts';
import { PUBLIC_ACCESS, skipAudit } from './route-access.ts';

interface OpenApiOptions {
  version: string;
  publicBaseUrl: string;
  /** Completes the document with what route schemas cannot express. */
  refine: (document: Record<string, unknown>) => Record<string, unknown>;
}

const PROBLEM_DESCRIPTIONS: Record<number, string> = {
  400: 'The request is not valid.',
  401: 'No credential, or one that is not valid.',
  403: 'Known, but not allowed.',
  404: "Absent, or somebody else's.",
  408: 'The request came too slowly.',
  409: 'In conflict with what is stored.',
  410: 'Paused, expired or used up.',
  412: 'Changed in the meantime.',
  413: 'Too large.',
  415: 'Content type not supported.',
  416: 'The range cannot be served.',
  417: 'An expectation that cannot be met.',
  429: 'Too many requests; Retry-After says when.',
  431: 'Headers too large.',
  500: 'A fault of the service.',
  503: 'Busy, or the database or a provider is away; Retry-After says when.',
};

export function createProblemResponses(...statuses: number[]) {
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      {
        description: PROBLEM_DESCRIPTIONS[status] ?? 'An error.',
        content: { 'application/problem+json': { schema: schemaRef(Problem) } },
      },
    ]),
  );
}

/** Serve the OpenAPI document at /api/docs/json and its reference at /api/docs. */
async function registerOpenApi(app: FastifyInstance, options: OpenApiOptions) {
  for (const schema of [Problem, FieldProblem, Pagination, DeletedResponse, DoneResponse])
    app.addSchema(schema);
  const forms = new Map<string, FormRules>();
  app.addHook('onRoute', (route) => {
    const form = route.config?.form;
    if (form && route.schema?.operationId) {
      forms.set(route.schema.operationId, form);
      route.schema.consumes = [...(form.streamed ? [] : ['application/json']), 'multipart/form-data'];
    }
    addCommonResponses(route);
  });
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'QR Profile Service',
        version: options.version,
        description:
          'QR codes for what people care about: a stranger scans and sees exactly what the owner allows; the owner sees when and where.',
        license: { name: 'MIT', identifier: 'MIT' },
        contact: { name: 'The operator of this service', url: options.publicBaseUrl },
      },
      servers: [{ url: options.publicBaseUrl }],
      tags: OPENAPI_TAGS.map(([name, description]) => ({ name, description })),
      components: {
        securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      },
    },
    refResolver: {
      buildLocalReference: (json, _base, _fragment, index) =>
        typeof json.$id === 'string' ? json.$id : `schema-${index}`,
    },
    // A prefixed route '/' matches with and without the slash; document the plain path.
    transform: ({ schema, url }) => ({ schema, url: url.replace(/(?<=.)\/$/, '') }),
    transformObject: (document) =>
      options.refine(
        'openapiObject' in document ? correctRequestSchemas({ ...document.openapiObject }, forms) : {},
      ),
  });
  await app.register(registerSwaggerUi);
}

export const openApiPlugin = fp(registerOpenApi, { name: 'openapi', dependencies: ['access'] });

const OPENAPI_TAGS: readonly (readonly [string, string])[] = [
  ['Accounts', 'Registration, log-in, sessions and profiles.'],
  ['Personal data', 'A copy of all that is yours, and the end of an account.'],
  ['QR codes', 'Making codes and deciding what a stranger sees.'],
  ['Scans', 'Scanning, with or without an account, and reading scans.'],
  ['Conversations', 'Finders and owners write to each other, and neither learns the other’s contact.'],
  ['Notifications', 'What a person is told.'],
  ['Realtime', 'What happens, as it happens.'],
  ['Dashboard', 'What an owner wants to see first.'],
  ['Memory tags', 'Memorials.'],
  ['Documents', 'Papers that people keep, with their versions.'],
  ['Subscription', 'Packages.'],
  ['Webhooks', 'What payment providers post.'],
  ['Administration', 'For administrators.'],
  ['Audit', 'Who did what, and the proof that nothing was changed.'],
  ['Support', 'For people who help others: finding, without content.'],
  ['Files', 'Pictures and images, as plain files.'],
  ['Service', 'Health, documentation and the root.'],
];

async function registerSwaggerUi(app: FastifyInstance) {
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, access: PUBLIC_ACCESS, audit: skipAudit('SYSTEM') };
    route.schema = { ...route.schema, hide: true };
  });
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    uiConfig: { docExpansion: 'list', deepLinking: true, tryItOutEnabled: false },
    staticCSP: true,
    transformStaticCSP: removeExternalSources,
    theme: { title: 'QR Profile Service' },
  });
}

/** The reference loads nothing external, and plain http (--lan) must not be upgraded to https. */
function removeExternalSources(policy: string): string {
  return policy
    .replace(/;?\s*upgrade-insecure-requests/g, '')
    .replace(/ (https:|validator\.swagger\.io)(?=[ ;]|$)/g, '');
}

const NOT_MODIFIED_RESPONSE = { description: 'It has not changed.', type: 'null' };

/** Add the problems that a kind of route can respond with, and its security requirement. */
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
    schema.security = [{ bearer: [] }];
  } else {
    schema.security = access?.who === 'anyone' && access.credential === 'welcome' ? [{}, { bearer: [] }] : [];
  }
  const unchanged = route.config?.cache === 'revalidate' ? { 304: NOT_MODIFIED_RESPONSE } : {};
  schema.response = { ...createProblemResponses(...statuses), ...unchanged, ...(schema.response ?? {}) };
}
