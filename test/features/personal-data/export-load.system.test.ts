import { buildApp } from '../../../src/app.ts';
import { createPersonalDataFeature } from '../../../src/features/personal-data/index.ts';
import type { Services } from '../../../src/services.ts';
import { generateId } from '../../../src/shared/ids.ts';
import { createTestGate } from '../../gate.ts';
import { startTestApp } from '../../helper.ts';
import { t } from '../../tap.ts';
import { fetchBytes, readExportData, waitFor } from './helper.ts';

const EXPORT = '/api/auth/export';

const test = await startTestApp(t);

/** The application over changed services, listening; its address and its log. */
async function startWithServices(t: Tap, changes: Partial<Services>) {
  const log: string[] = [];
  const services = { ...test.services, ...changes };
  const features = { ...services.features, personalData: createPersonalDataFeature(services).feature };
  const app = await buildApp(
    { ...services, features },
    { level: 'info', stream: { write: (line) => log.push(line) } },
  );
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  t.teardown(() => app.close());
  const ask = (token: string, init: RequestInit = {}) =>
    fetch(`${address}${EXPORT}`, { ...init, headers: { authorization: `Bearer ${token}` } });
  return { ask, log };
}

type Tap = Pick<typeof t, 'teardown'>;

/** Services whose archives stop in their middle until the gate is open. */
function createGate() {
  const gate = createTestGate();
  let inside = 0;
  const getPlan: Services['getPlan'] = async (...of) => {
    inside += 1;
    await gate.whenOpened;
    return test.services.getPlan(...of);
  };
  return { gate, getPlan, insideAre: (count: number) => waitFor(async () => inside === count) };
}

const countUsedSlots = () =>
  test.database.client.attemptBudget.count({ where: { key: { startsWith: 'export-slot:' } } });

t.test('one archive per user and two per process are streamed, a job creates the others', async (t) => {
  const [ada, grace, zoe] = [await test.createUser(), await test.createUser(), await test.createUser()];
  for (let round = 1; round <= 3; round += 1) {
    const { gate, getPlan, insideAre } = createGate();
    const here = await startWithServices(t, { getPlan });
    const other = await startWithServices(t, { getPlan });
    const first = here.ask(ada.accessToken);
    await insideAre(1);
    for (const { ask } of [here, other, here]) {
      const again = await ask(ada.accessToken);
      t.equal(again.status, 202, `round ${round}: one per user, on any instance`);
      t.match(await again.json(), { id: /^[0-9a-f]{24}$/ });
    }
    const second = here.ask(grace.accessToken);
    await insideAre(2);
    t.equal((await here.ask(zoe.accessToken)).status, 202, 'two per process');
    const third = other.ask(zoe.accessToken);
    await insideAre(3);
    gate.open();
    for (const answer of await Promise.all([first, second, third])) {
      t.equal(answer.status, 200);
      t.match(await readExportData(Buffer.from(await answer.arrayBuffer())), { format: 'personal-data' });
    }
    t.equal(await countUsedSlots(), 0, 'slots are released before the response ends');
    const archives = await test.database.client.dataExport.findMany();
    t.same(
      archives.map(({ userId }) => userId).sort(),
      [ada.id, zoe.id].sort(),
      'one archive per user, however many requests',
    );
    await test.database.client.attemptBudget.deleteMany();
  }
});

t.test('of parallel requests of one user one is streamed, the others get one queued archive', async (t) => {
  for (let round = 1; round <= 3; round += 1) {
    const ada = await test.createUser();
    const { gate, getPlan, insideAre } = createGate();
    const { ask } = await startWithServices(t, { getPlan });
    let progressCount = 0;
    const requests = Array.from({ length: 6 }, async () => {
      const answer = await ask(ada.accessToken);
      if (answer.status === 202) progressCount += 1;
      return answer;
    });
    await insideAre(1);
    await waitFor(async () => progressCount === 5);
    gate.open();
    const answers = await Promise.all(requests);
    const statuses = answers.map(({ status }) => status).sort();
    t.same(statuses, [200, 202, 202, 202, 202, 202], `round ${round}`);
    const ids = await Promise.all(
      answers.map(async (answer) =>
        answer.status === 202 ? /"id":"\w+"/.exec(await answer.text())?.[0] : '',
      ),
    );
    t.equal(new Set(ids.filter((id) => id !== '')).size, 1);
    await answers.find(({ status }) => status === 200)?.arrayBuffer();
  }
});

t.test('aborted downloads and HEAD requests release their archive slot', async (t) => {
  const ada = await test.createUser();
  const { gate, getPlan, insideAre } = createGate();
  const { ask } = await startWithServices(t, { getPlan });
  const leaving = new AbortController();
  const answer = await ask(ada.accessToken, { signal: leaving.signal });
  await insideAre(1);
  t.equal(answer.status, 200);
  leaving.abort();
  gate.open();
  await waitFor(async () => (await countUsedSlots()) === 0);
  t.equal((await ask(ada.accessToken, { method: 'HEAD' })).status, 200);
  t.equal(await countUsedSlots(), 0);
  for (let times = 0; times < 3; times += 1) {
    const whole = await ask(ada.accessToken);
    t.equal(whole.status, 200);
    await whole.arrayBuffer();
  }
});

t.test('a failed archive is one log line without private data', async (t) => {
  const ada = await test.createUser();
  const { ask, log } = await startWithServices(t, {
    getPlan: () => Promise.reject(new Error(`canary-of-the-driver ${ada.email}`)),
  });
  for (let times = 1; times <= 2; times += 1) {
    const answer = await ask(ada.accessToken);
    t.equal(answer.status, 200);
    await t.rejects(answer.arrayBuffer(), 'aborted, so that it does not look complete');
    await waitFor(async () => (await countUsedSlots()) === 0);
    const lines = log.filter((line) => line.includes('response stream failed'));
    t.equal(lines.length, times, 'one line each');
    t.match(JSON.parse(lines[0] ?? ''), {
      level: 50,
      req: { method: 'GET', route: EXPORT },
      error: { name: 'Error' },
    });
  }
  t.notMatch(log.join(''), /canary|@example\.org/);
});

t.test('a job creates an archive with many rows or many bytes', async (t) => {
  const filled: Record<string, (userId: string) => Promise<unknown>> = {
    // Told already: what is due would be sent before the next mail.
    notifications: (userId) =>
      test.database.pool.query(
        `INSERT INTO notifications (id, key, user_id, account_id, type, event, due_at)
         SELECT lpad(to_hex(n), 24, '0'), n, $1, $1, 'DEFAULT', 'login.created', NULL FROM generate_series(1, 5000) AS n`,
        [userId],
      ),
    'memory tags': (userId) =>
      test.database.pool.query(
        `INSERT INTO memory_tags (id, account_id, name, story)
         SELECT lpad(to_hex(n), 24, '0'), $1, 'Rex', repeat('犬', 20000) FROM generate_series(1, 150) AS n`,
        [userId],
      ),
    'encrypted content': async (userId) => {
      const data = Buffer.alloc(1024 * 1024, 7);
      for (let index = 0; index < 8; index += 1)
        await test.database.client.qrCode.create({
          data: {
            ...{
              id: generateId(),
              accountId: userId,
              kind: 'PET',
              mode: 'DYNAMIC',
              title: 'Rex',
              slug: 'rex',
            },
            ...{ data, visibility: {}, design: {} },
          },
        });
      await test.database.pool.query(
        "INSERT INTO memory_tags (id, account_id, name, story) VALUES ($1, $2, 'Rex', 'x')",
        [generateId(), userId],
      );
    },
  };
  for (const [what, fill] of Object.entries(filled)) {
    const { id, accessToken: token } = await test.createUser();
    t.equal((await test.call('GET', EXPORT, { token })).status, 200);
    await fill(id);
    t.equal((await test.call('GET', EXPORT, { token })).status, 202, what);
  }
});

t.test('reads long stories in batches, and the archive contains all of them', async (t) => {
  const { id, accessToken: token } = await test.createUser();
  await test.database.pool.query(
    `INSERT INTO memory_tags (id, account_id, name, story, created_at)
     SELECT lpad(to_hex(1000 + n), 24, '0'), $1, 'Rex ' || n, repeat('犬', 20000), now() - n * interval '1 minute'
     FROM generate_series(1, 60) AS n`,
    [id],
  );
  const { status, bytes } = await fetchBytes(test, EXPORT, token);
  t.equal(status, 200);
  const { memoryTags } = await readExportData(bytes);
  t.same(
    memoryTags.map(({ name }: { name: string }) => name),
    Array.from({ length: 60 }, (_, index) => `Rex ${index + 1}`),
  );
});
