import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import { memoizeFactory } from '../../shared/memoize.ts';

type BuildSerializer = ReturnType<typeof SerializerSelector>;
type Route = Parameters<ReturnType<BuildSerializer>>[0];
type Serialize = ReturnType<ReturnType<BuildSerializer>>;

// By the schemas that others refer to, then by schema: applications of one process have the same ones, and each build
// looks through all of them.
const serializersBySchemas = new Map<string, Map<string, Serialize>>();

/**
 * Fastify's own serializers, but one for each different schema of the process in place of one for each status of each
 * route: nearly all of these are the same problem document. Each is built for the first answer that needs it.
 */
export function createSharedSerializers(): BuildSerializer {
  const build = SerializerSelector();
  // In one application no two schemas have one name.
  const schemaKeys = new Map<string, string>();
  return (externalSchemas, options) => {
    const compile = build(externalSchemas, options);
    const names = JSON.stringify([Object.keys(externalSchemas ?? {}), options]);
    const components = schemaKeys.get(names) ?? JSON.stringify([externalSchemas, options]);
    schemaKeys.set(names, components);
    const serializers = serializersBySchemas.get(components) ?? new Map<string, Serialize>();
    serializersBySchemas.set(components, serializers);
    return (route: Route) => {
      const key = JSON.stringify(route.schema);
      const serialize = serializers.get(key) ?? buildLazily(() => compile(route));
      serializers.set(key, serialize);
      return serialize;
    };
  };
}

function buildLazily(build: () => Serialize): Serialize {
  const serializer = memoizeFactory(build);
  return (answer) => serializer()(answer);
}
