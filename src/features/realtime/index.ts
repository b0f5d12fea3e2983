import type { Feature, FeatureManifest } from '../../platform/feature.ts';
import { REALTIME_PATH } from '../../shared/realtime-protocol.ts';
import { realtimeRoutes } from './realtime.routes.ts';
import { RealtimeClientEvent, RealtimeServerEvent } from './realtime.schemas.ts';
import type { RealtimeServices } from './realtime-services.ts';

export const realtimeManifest: FeatureManifest = {
  name: 'realtime',
  queues: [],
  schemas: [RealtimeServerEvent, RealtimeClientEvent],
};

export function createRealtime(
  services: RealtimeServices & { allowedOrigins: readonly string[] | 'any'; publicBaseUrl: string },
) {
  const feature: Feature = {
    async plugin(app) {
      await app.register(realtimeRoutes, {
        prefix: REALTIME_PATH,
        ...services,
        origins: services.allowedOrigins,
      });
    },
  };
  return { feature };
}

export { realtimePersonalData } from './personal-data.ts';
export { RealtimeClientEvent, RealtimeServerEvent } from './realtime.schemas.ts';
