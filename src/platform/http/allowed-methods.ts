import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { ServiceError } from '../../shared/errors.ts';
import { isApplicationPath } from './application-paths.ts';
import type { RequestStep } from './request-steps.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** List the methods of a path for the header Allow; empty for an unknown path. */
    listAllowedMethods(url: string): string[];
    /** Whether the route took a fixed path, which lacks the method, for an id: `GET /api/qrcodes/bulk`. */
    isFixedPathWithoutMethod(request: FastifyRequest): boolean;
  }
}

interface RoutePattern {
  segments: readonly string[];
  methods: Set<string>;
}

const plugin: FastifyPluginAsync = async (app) => {
  const patterns = new Map<string, RoutePattern>();
  /** Fixed paths that a route matches with a method of its own, by method and route. */
  const hiddenPatterns = new Map<string, RoutePattern[]>();

  app.addHook('onRoute', ({ method, url }) => {
    // Every path below the application's roots answers OPTIONS, also unknown ones.
    if (method === 'OPTIONS' || url.includes('*')) return;
    const segments = splitPath(url);
    // Two methods of a path can name its parameters differently.
    const key = segments.map((segment) => (isParameter(segment) ? ':' : segment)).join('/');
    const pattern = patterns.get(key) ?? { segments, methods: new Set() };
    for (const name of [method].flat()) pattern.methods.add(name);
    patterns.set(key, pattern);
  });

  app.addHook('onReady', async () => {
    for (const general of patterns.values())
      for (const fixed of patterns.values()) {
        if (fixed === general || !matchesPath(general, fixed.segments)) continue;
        for (const method of general.methods)
          if (!fixed.methods.has(method)) {
            const key = getRouteKey(method, general.segments);
            hiddenPatterns.set(key, [...(hiddenPatterns.get(key) ?? []), fixed]);
          }
      }
  });

  app.decorate('listAllowedMethods', (url: string) => {
    const path = splitPath(url);
    const [pattern] = [...patterns.values()]
      .filter((one) => matchesPath(one, path))
      .toSorted((one, other) => compareSpecificity(one.segments, other.segments));
    if (!pattern) return [];
    return [...pattern.methods, ...(isApplicationPath(url) ? ['OPTIONS'] : [])].toSorted();
  });

  app.decorate('isFixedPathWithoutMethod', ({ method, url, routeOptions }: FastifyRequest) => {
    const fixed = hiddenPatterns.get(getRouteKey(method, splitPath(routeOptions.url ?? '')));
    const path = splitPath(url);
    return fixed?.some((pattern) => matchesPath(pattern, path)) ?? false;
  });
};

/** Decorate the application with the methods of its paths. */
export const allowedMethodsPlugin = fp(plugin, { name: 'allowed-methods' });

/** Run it after the rate limits, and before access control, which is that of the other route. */
export const rejectMissingMethod: RequestStep = (request, reply) => {
  const { server, url } = request;
  if (!server.isFixedPathWithoutMethod(request)) return;
  reply.header('allow', server.listAllowedMethods(url).join(', '));
  throw new ServiceError('METHOD_NOT_ALLOWED');
};

function getRouteKey(method: string, segments: readonly string[]): string {
  return `${method} ${segments.join('/')}`;
}

function splitPath(url: string): string[] {
  const [path = ''] = url.split('?', 1);
  return path.replace(/^\/|\/$/g, '').split('/');
}

function isParameter(segment: string): boolean {
  return segment.startsWith(':');
}

function matchesPath({ segments }: RoutePattern, path: readonly string[]): boolean {
  return (
    segments.length === path.length &&
    segments.every((segment, index) => isParameter(segment) || segment === path[index])
  );
}

/** Fixed segments before parameters, from the left, as the router prefers them. */
function compareSpecificity(one: readonly string[], other: readonly string[]): number {
  for (const [index, segment] of one.entries()) {
    const difference = Number(isParameter(segment)) - Number(isParameter(other[index] ?? ''));
    if (difference !== 0) return difference;
  }
  return 0;
}
