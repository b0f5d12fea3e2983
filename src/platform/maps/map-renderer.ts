import { createFairLimiter } from '../../shared/fair-limiter.ts';
import { findCityArea, type MapCity, type MapCityArea, type MapPoint } from '../../shared/maps/point-map.ts';
import { createWorkerThread } from '../worker-thread.ts';

export interface PointMapTask {
  /** The oldest first. */
  points: readonly MapPoint[];
  /** Pixels. */
  width: number;
  height: number;
  /** BCP 47; the default locale when unsupported. */
  language: string;
  cities: readonly MapCity[];
}

export interface MapRenderer {
  /** Draw places as SVG; accounts take turns. @throws RATE_LIMITED, BUSY when too many maps wait */
  renderPointMap(
    accountId: string,
    points: readonly MapPoint[],
    options: Pick<PointMapTask, 'width' | 'height' | 'language'>,
  ): Promise<string>;
  close(): Promise<void>;
}

/** Far above the time of one map, loading included. */
const TIMEOUT_MS = 10_000;

const MAX_WAITING_MAPS = 50;

const MAX_WAITING_MAPS_PER_ACCOUNT = 10;

/** Draw maps in a thread, which the first map starts. */
export function createMapRenderer(geocoder: {
  findCities(area: MapCityArea): Promise<readonly MapCity[]>;
}): MapRenderer {
  const thread = createWorkerThread<PointMapTask, string>('./draw-map.thread', import.meta.url, TIMEOUT_MS);
  const limiter = createFairLimiter({
    concurrency: 1,
    maxQueued: MAX_WAITING_MAPS,
    maxQueuedPerKey: MAX_WAITING_MAPS_PER_ACCOUNT,
  });
  return {
    renderPointMap: (accountId, points, options) =>
      limiter(accountId, async () => {
        const area = findCityArea(points, options);
        const cities = area ? await geocoder.findCities(area) : [];
        return thread.run({ points, ...options, cities });
      }),
    close: () => thread.close(),
  };
}
