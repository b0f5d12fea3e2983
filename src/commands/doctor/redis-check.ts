import type { Config } from '../../config.ts';
import { RedisInspectionError, readRedisState } from '../../platform/redis-inspection.ts';
import { type Check, createOk, createProblem, createWarning, type Finding, NOT_CONFIGURED } from './check.ts';

const ADVICE =
  'Check REDIS_URL, the server and the firewall. Meanwhile limits are shared through PostgreSQL.';

export function createRedisCheck({ redisUrl }: Config): Check {
  return {
    name: 'Redis',
    advice: ADVICE,
    run: async () => (redisUrl === undefined ? NOT_CONFIGURED : checkRedis(redisUrl)),
  };
}

async function checkRedis(url: string): Promise<Finding> {
  try {
    const { version, isReplica, maxMemoryBytes, evictionPolicy } = await readRedisState(url);
    const found = `Redis ${version}, ${maxMemoryBytes === null ? 'no memory limit' : evictionPolicy}`;
    if (isReplica) return createProblem(`${found}, a read-only replica`, 'Set REDIS_URL to the primary.');
    if (maxMemoryBytes !== null && evictionPolicy !== 'noeviction')
      return createWarning(
        found,
        'Set maxmemory-policy to noeviction: a full server otherwise forgets rate limits.',
      );
    return createOk(found);
  } catch (error) {
    if (error instanceof RedisInspectionError) return createProblem(`fails (${error.message})`, ADVICE);
    throw error;
  }
}
