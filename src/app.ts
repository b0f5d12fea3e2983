import Fastify, { type FastifyInstance } from 'fastify';
import { assertQrCodeImageAvailable, drawMissingQrCodeImage } from './features/codes/index.ts';
import { assertProfilePictureAvailable } from './features/identity/index.ts';
import { FEATURE_MANIFESTS } from './features/index.ts';
import { registerAccessControlAndAudit } from './platform/access.ts';
import type { Feature } from './platform/feature.ts';
import { limitHttpConnections } from './platform/http/connection-limits.ts';
import { registerHttpPlugins } from './platform/http/protocol.ts';
import type { LogSettings } from './platform/http/request-log.ts';
import { requestRulesPlugin } from './platform/http/request-rules.ts';
import { createFastifyOptions, cutIdleConnections } from './platform/http/server-options.ts';
import { staticFilesPlugin } from './platform/http/static-files.ts';
import { storedResponsesPlugin } from './platform/http/stored-responses.ts';
import { openApiPlugin } from './platform/openapi.ts';
import { createPageFrame } from './platform/pages/page-frame.ts';
import { PUBLIC_ACCESS, skipAudit } from './platform/route-access.ts';
import type { Services } from './services.ts';
import { getBasePath } from './shared/base-path.ts';
import { SERVICE_VERSION } from './shared/version.ts';

/** Build the application. It connects to Redis when it is ready, and does not listen. */
export async function buildApp(
  services: Services,
  log: LogSettings | false,
  /** Aborted when the process begins to stop. */
  stopping: AbortSignal = new AbortController().signal,
): Promise<FastifyInstance> {
  const { config, redis, features } = services;
  const app = Fastify(
    createFastifyOptions({
      trustProxy: config.trustProxy,
      https: config.publicBaseUrl.startsWith('https:'),
      basePath: getBasePath(config.publicBaseUrl),
      log,
    }),
  );
  namePlugins(app);
  limitHttpConnections(app.server, {
    scale: config.rateLimitScale,
    trustProxy: config.trustProxy,
    log: app.log,
  });
  cutIdleConnections(app.server);
  app.addHook('onReady', async () => redis?.open());
  app.addHook('onClose', async () => redis?.close());

  await registerHttpPlugins(app, services, stopping);
  await registerAccessControlAndAudit(app, services);
  await app.register(requestRulesPlugin);
  await app.register(storedResponsesPlugin, services);

  await app.register(openApiPlugin, {
    version: SERVICE_VERSION,
    publicBaseUrl: config.publicBaseUrl,
    refine: refineByFeatures,
    repeatedSchemas: Object.assign({}, ...FEATURE_MANIFESTS.map(({ repeatedSchemas }) => repeatedSchemas)),
  });
  app.decorate('pageFrame', createPageFrame(services.brand, config.publicBaseUrl));
  for (const schema of FEATURE_MANIFESTS.flatMap(({ schemas = [] }) => schemas)) app.addSchema(schema);

  await app.register(staticFilesPlugin, {
    files: services.publicFiles,
    assertAvailable: (folder, name) =>
      folder === 'qrcodes'
        ? assertQrCodeImageAvailable(services.database.client, name)
        : assertProfilePictureAvailable(services.database.client, name),
    createMissing: async (folder, name) => folder === 'qrcodes' && drawMissingQrCodeImage(services, name),
    config: { access: PUBLIC_ACCESS, audit: skipAudit('SYSTEM') },
  });
  for (const { plugin } of Object.values<Feature>(features)) {
    if (plugin) await app.register(plugin);
  }
  return app;
}

function refineByFeatures(document: Record<string, unknown>): Record<string, unknown> {
  let refined = document;
  for (const { refineOpenApiDocument } of FEATURE_MANIFESTS)
    refined = refineOpenApiDocument?.(refined) ?? refined;
  return refined;
}

/** Name each plugin after its function. Fastify compares a plugin without a name with every loaded module. */
function namePlugins(app: FastifyInstance): void {
  const { register } = app;
  Object.defineProperty(app, 'register', {
    value(this: FastifyInstance, plugin: object, options?: object) {
      const name = Symbol.for('fastify.display-name');
      if (!Object.hasOwn(plugin, name)) Reflect.set(plugin, name, Reflect.get(plugin, 'name'));
      return Reflect.apply(register, this, [plugin, options]);
    },
  });
}
