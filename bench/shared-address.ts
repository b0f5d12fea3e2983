// Measure 300 users with a session each behind one address, who send requests at a steady rate under the limits of
// production: `npm run bench:shared-address -- [requests a second of each] [seconds]`. Exits with 1 for any 429.
import { setTimeout as wait } from 'node:timers/promises';
import { generateId } from '../src/shared/ids.ts';
import { formatTally, formatTimes } from './numbers.ts';
import { readNumberArguments } from './read-arguments.ts';
import { runWithApp } from './running-app.ts';
import { withScratchDatabase } from './scratch-database.ts';

const [perSecond = 0, seconds = 0] = readNumberArguments(import.meta.url, 3, 60);

const USER_COUNT = 300;
const PATHS = ['/api/notifications/unread-count', '/api/auth/me', '/api/qrcodes?limit=10'];

process.exitCode = await withScratchDatabase((scratch) =>
  runWithApp(
    scratch,
    async ({ services, address, createToken }) => {
      const { client } = services.database;
      const profile = { firstName: 'Ada', lastName: 'Lovelace', accountType: 'INDIVIDUAL', status: 'ACTIVE' };
      const users = Array.from({ length: USER_COUNT }, () => generateId());
      await client.user.createMany({
        data: users.map((id) => ({ id, email: `${id}@example.org`, ...profile })),
      });
      const expiresAt = new Date(Date.now() + 86_400_000);
      const sessions = users.map((userId) => ({
        id: generateId(),
        userId,
        expiresAt,
        ip: '',
        userAgent: '',
      }));
      await client.session.createMany({ data: sessions });
      const ms: number[] = [];
      const statuses: number[] = [];
      const startedAt = performance.now();
      await Promise.all(
        sessions.map(async ({ id, userId }, index) => {
          const headers = { authorization: `Bearer ${createToken(userId, id)}` };
          for (let count = 0; count < perSecond * seconds; count += 1) {
            const due = startedAt + (1000 * (count + index / USER_COUNT)) / perSecond;
            if (due > performance.now()) await wait(due - performance.now());
            const sentAt = performance.now();
            const response = await fetch(address + PATHS[count % PATHS.length], { headers });
            await response.arrayBuffer();
            ms.push(performance.now() - sentAt);
            statuses.push(response.status);
          }
        }),
      );
      const took = (performance.now() - startedAt) / 1000;
      console.log(
        `${USER_COUNT} users, ${perSecond} requests a second each, ${seconds} s (took ${took.toFixed(0)} s)`,
      );
      console.log(
        `${(statuses.length / took).toFixed(0)} requests a second: ${formatTally(statuses)}; ${formatTimes(ms)}`,
      );
      return statuses.includes(429) ? 1 : 0;
    },
    true,
    { RATE_LIMIT_SCALE: '1' },
  ),
);
process.exit();
