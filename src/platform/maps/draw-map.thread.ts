import { toSupportedLocale } from '../../shared/i18n/choose-locale.ts';
import { renderPointMap } from '../../shared/maps/point-map.ts';
import { serveThreadTasks } from '../worker-thread.ts';
import type { PointMapTask } from './map-renderer.ts';

// A thread: loading the outlines takes hundreds of milliseconds, drawing tens.
serveThreadTasks(async ({ points, language, ...options }: PointMapTask) => ({
  result: await renderPointMap(points, { ...options, locale: toSupportedLocale(language) }),
}));
