import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import { memoizeFactory } from '../../shared/memoize.ts';

type BuildSerializer = ReturnType<typeof SerializerSelector>;
type Route = Parameters<ReturnType<BuildSerializer>>[0];
type Serialize = ReturnType<ReturnType<BuildSerializer>>;

// By referenced schemas, then by schema: the applications of one process share them.
const serializersBySchemas = new Map<string, Map<string, Serialize>>();

/** Create one serializer per distinct schema, lazily: nearly all are the same problem document. */
export function createSharedSerializerBuilder(): BuildSerializer {
  const build = SerializerSelector();
  const schemaKeys = new Map<string, string>();
  return (externalSchemas, options) => {
    const compile = build(externalSchemas, options);
    const names = JSON.stringify([Object.keys(externalSchemas ?? {}), options]);
    const components = schemaKeys.get(names) ?? JSON.stringify([externalSchemas, options]);
    schemaKeys.set(names, components);
    const serializers = serializersBySchemas.get(components) ?? new Map<string, Serialize>();
    serializersBySchemas.set(components, serializers);
    return (route: Route) => {
      const key = toKey(route.schema as object);
      const serialize = serializers.get(key) ?? buildLazily(() => compile(route));
      serializers.set(key, serialize);
      return serialize;
    };
  };
}

// Most of the 3,000 responses share the schema object of their status.
const keys = new WeakMap<object, string>();

function toKey(schema: object): string {
  const key = keys.get(schema) ?? JSON.stringify(schema);
  keys.set(schema, key);
  return key;
}

function buildLazily(build: () => Serialize): Serialize {
  const serializer = memoizeFactory(build);
  return (answer) => serializer()(answer);
}
