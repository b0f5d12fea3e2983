import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';

type BuildSerializer = ReturnType<typeof SerializerSelector>;
type Route = Parameters<ReturnType<BuildSerializer>>[0];
type Serialize = ReturnType<ReturnType<BuildSerializer>>;

/**
 * Fastify's own serializers, but one for each different schema in place of one for each status of each route: nearly
 * all of these are the same problem document, and building them was most of a start.
 */
export function sharedSerializers(): BuildSerializer {
  const build = SerializerSelector();
  return (externalSchemas, options) => {
    const compile = build(externalSchemas, options);
    const made = new Map<string, Serialize>();
    return (route: Route) => {
      const key = JSON.stringify(route.schema);
      const serialize = made.get(key) ?? compile(route);
      made.set(key, serialize);
      return serialize;
    };
  };
}
