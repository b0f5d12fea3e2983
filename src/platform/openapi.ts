import swagger from '@fastify/swagger';
import type { FastifyInstance, RouteOptions } from 'fastify';
import fp from 'fastify-plugin';
import {
  DeletedResponse,
  DoneResponse,
  FieldProblem,
  Id,
  IgnoredNames,
  nullable,
  Timestamp,
  VisiblePicture,
} from '../shared/common.schemas.ts';
import { DeletedRecord } from '../shared/list-changes.schemas.ts';
import { Pagination } from '../shared/pagination.ts';
import type { MultipartFormRules } from './http/form-rules.ts';
import { canIgnoreNames } from './http/validation.ts';
import { shareOpenApiComponents } from './openapi-components.ts';
import { declareOpenApiHeaders } from './openapi-headers.ts';
import { OPENAPI_INTRODUCTION, OPENAPI_TAGS } from './openapi-introduction.ts';
import { correctOpenApiRequestSchemas, requiresFile } from './openapi-requests.ts';
import {
  addOpenApiExamples,
  combineCommonErrors,
  declareWarnings,
  describeOpenApiResponses,
} from './openapi-responses.ts';
import { documentRoute } from './openapi-routes.ts';
import { Problem } from './problem.schemas.ts';
import { isOfAccount } from './route-access.ts';

interface OpenApiOptions {
  version: string;
  publicBaseUrl: string;
  refine: (document: Record<string, unknown>) => Record<string, unknown>;
  repeatedSchemas: Readonly<Record<string, object>>;
}

const TOKEN_DESCRIPTION = '`accessToken` of `POST /api/auth/login`.';
const API_KEY_DESCRIPTION =
  '`token` of `POST /api/api-keys`. The requirement of an operation names its scope.';

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
  const accountOperations = new Set<string>();
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
    if (route.schema?.operationId && isOfAccount(route.config?.access))
      accountOperations.add(route.schema.operationId);
    documentRoute(route);
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
        description: OPENAPI_INTRODUCTION,
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
      const refined = options.refine(
        combineCommonErrors(declareOpenApiHeaders(described, accountOperations), declaredStatuses),
      );
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

export { createProblemResponseSchemas } from './openapi-routes.ts';

export const openApiPlugin = fp(registerOpenApi, { name: 'openapi', dependencies: ['access'] });
