import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';

type BuildSerializer = ReturnType<typeof SerializerSelector>;
type Route = Parameters<ReturnType<BuildSerializer>>[0];
type Serialize = ReturnType<ReturnType<BuildSerializer>>;

// By the schemas that others refer to, then by schema: applications of one process have the same ones, and each build
// looks through all of them.
const made = new Map<string, Map<string, Serialize>>();

/**
 * Fastify's own serializers, but one for each different schema of the process in place of one for each status of each
 * route: nearly all of these are the same problem document, and building them was most of a start.
 */
export function sharedSerializers(): BuildSerializer {
  const build = SerializerSelector();
  return (externalSchemas, options) => {
    const compile = build(externalSchemas, options);
    const components = JSON.stringify([externalSchemas, options]);
    const known = made.get(components) ?? new Map<string, Serialize>();
    made.set(components, known);
    return (route: Route) => {
      const key = JSON.stringify(route.schema);
      const serialize = known.get(key) ?? compile(route);
      known.set(key, serialize);
      return serialize;
    };
  };
}
