import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type {
  ContextConfigDefault,
  FastifyInstance,
  FastifySchema,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
  RouteGenericInterface,
  RouteOptions,
} from 'fastify';

type UpdateRoutes<Schema extends FastifySchema> = Omit<
  RouteOptions<
    RawServerDefault,
    RawRequestDefaultExpression,
    RawReplyDefaultExpression,
    RouteGenericInterface,
    ContextConfigDefault,
    Schema,
    TypeBoxTypeProvider
  >,
  'method' | 'schema'
> & { operationIds: { put: string; patch: string }; schema: Schema };

/** Define PUT and PATCH of a resource: fields that are left out stay. */
export function defineUpdateRoutes<const Schema extends FastifySchema>(
  app: FastifyInstance,
  { operationIds, schema, ...route }: UpdateRoutes<Schema>,
): void {
  const { put, patch } = operationIds;
  const typedApp = app.withTypeProvider<TypeBoxTypeProvider>();
  typedApp.route({ ...route, method: 'PUT', schema: { operationId: put, ...schema } });
  typedApp.route({
    ...route,
    method: 'PATCH',
    schema: { operationId: patch, ...schema, description: 'The same as PUT.' },
  });
}
