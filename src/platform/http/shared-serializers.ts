import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import { onFirstUse } from './on-first-use.ts';

type BuildSerializer = ReturnType<typeof SerializerSelector>;
type Route = Parameters<ReturnType<BuildSerializer>>[0];
type Serialize = ReturnType<ReturnType<BuildSerializer>>;

// By the schemas that others refer to, then by schema: applications of one process have the same ones, and each build
// looks through all of them.
const made = new Map<string, Map<string, Serialize>>();

/**
 * Fastify's own serializers, but one for each different schema of the process in place of one for each status of each
 * route: nearly all of these are the same problem document. Each is built for the first answer that needs it.
 */
export function sharedSerializers(): BuildSerializer {
  const build = SerializerSelector();
  // In one application no two schemas have one name.
  const written = new Map<string, string>();
  return (externalSchemas, options) => {
    const compile = build(externalSchemas, options);
    const names = JSON.stringify([Object.keys(externalSchemas ?? {}), options]);
    const components = written.get(names) ?? JSON.stringify([externalSchemas, options]);
    written.set(names, components);
    const known = made.get(components) ?? new Map<string, Serialize>();
    made.set(components, known);
    return (route: Route) => {
      const key = JSON.stringify(route.schema);
      const serialize = known.get(key) ?? builtLater(() => compile(route));
      known.set(key, serialize);
      return serialize;
    };
  };
}

function builtLater(build: () => Serialize): Serialize {
  const serializer = onFirstUse(build);
  return (answer) => serializer()(answer);
}
