import { generateId } from '../../src/shared/ids.ts';
import type { OwnBenchmark, RoundOptions } from '../benchmark.ts';
import { createDeadline, sendAtRate } from '../load/beside.ts';
import { alternateSides, getQuantile } from '../measure.ts';
import { withClient } from '../scratch-database.ts';
import { type BenchedService, runWithService } from '../service-process.ts';
import { createSessionTokens } from '../worlds/data-world.ts';

const USER_COUNT = 300;
const REQUESTS_PER_SECOND_AND_USER = 3;
/** A round lasts so many times its seconds. */
const SECONDS_FACTOR = 5;
const PATHS = ['/api/notifications/unread-count', '/api/auth/me', '/api/qrcodes?limit=10'];

/** Compare 300 users behind one address under the limits of production with the same without limits; none may be refused. */
export const sharedAddressBenchmark: OwnBenchmark = {
  world: 'OWN',
  measure: (options) =>
    runWithService({ RATE_LIMIT_SCALE: '1' }, (limited) =>
      runWithService({}, (unlimited) => compareServices(options, { service: limited, baseline: unlimited })),
    ),
};

async function compareServices(
  options: RoundOptions,
  services: Record<'service' | 'baseline', BenchedService>,
) {
  const tokens = {
    service: await createUsers(services.service),
    baseline: await createUsers(services.baseline),
  };
  let failed = 0;
  const p99s = await alternateSides(options, async (side) => {
    const { base } = services[side];
    const isOver = createDeadline(options.seconds * SECONDS_FACTOR * 1_000);
    const times = await sendAtRate(USER_COUNT * REQUESTS_PER_SECOND_AND_USER, isOver, async (index) => {
      const authorization = `Bearer ${tokens[side][index % USER_COUNT]}`;
      const response = await fetch(base + PATHS[index % PATHS.length], { headers: { authorization } });
      await response.arrayBuffer();
      if (response.status !== 200) failed += 1;
    });
    return getQuantile(times, 0.99);
  });
  const named = { row: 'shared-address', measure: 'p99', unit: 'ms', failed };
  return [{ ...named, ...p99s, ratioGoal: null }];
}

/** Returns a token of each. */
async function createUsers(service: BenchedService): Promise<string[]> {
  const ids = Array.from({ length: USER_COUNT }, () => generateId());
  await withClient(service.ownerUrl, (client) =>
    client.query(
      `INSERT INTO users (id, email, first_name, last_name, account_type, status)
       SELECT id, id || '@example.org', 'Ada', 'Lovelace', 'INDIVIDUAL', 'ACTIVE' FROM unnest($1::text[]) AS id`,
      [ids],
    ),
  );
  return createSessionTokens(service, ids);
}
