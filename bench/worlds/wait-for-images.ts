import { setTimeout as wait } from 'node:timers/promises';
import { DRAW_QR_CODE_IMAGES_QUEUE } from '../../src/features/codes/draw-images.job.ts';
import { runQuery } from '../../test/scratch-folder.ts';
import type { BenchedService } from '../service-process.ts';

const POLL_MS = 250;

/** Wait until no job has an image left to draw. */
export async function waitForImages({ ownerUrl }: Pick<BenchedService, 'ownerUrl'>): Promise<void> {
  const pendingSql = `SELECT 1 FROM pgboss.job WHERE name = '${DRAW_QR_CODE_IMAGES_QUEUE.name}' AND state < 'completed' LIMIT 1`;
  while ((await runQuery(ownerUrl, pendingSql)).length > 0) await wait(POLL_MS);
}
