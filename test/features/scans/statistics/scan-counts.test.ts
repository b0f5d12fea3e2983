import { t } from '../../../tap.ts';
import { startScans } from '../helper.ts';

const ALL = ['total', 'humans', 'unique'];

/** Properties with such names that do not count scans. */
/** `scanned` is a number of tags. */
const NO_COUNTS = new Set(['scansKeptDays', 'scanned']);

interface Schema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
}

function listSchemas(value: unknown, place = ''): { place: string; properties: Record<string, Schema> }[] {
  if (typeof value !== 'object' || value === null) return [];
  const { properties, type } = value as Schema;
  const own = properties && type === 'object' ? [{ place, properties }] : [];
  return [...own, ...Object.entries(value).flatMap(([key, inner]) => listSchemas(inner, `${place}/${key}`))];
}

t.test('every count of scans in the API has total, humans and unique', async (t) => {
  const { call } = await startScans(t);
  const document = (await call('GET', '/api/docs/json')).body;
  let places = 0;
  for (const { place, properties } of listSchemas(document)) {
    const names = Object.keys(properties);
    if (names.includes('humans') || names.includes('unique')) {
      places += 1;
      t.ok(
        ALL.every((name) => properties[name]?.type === 'integer'),
        place,
      );
    }
    for (const [name, { type }] of Object.entries(properties)) {
      if (!/scan/i.test(name) || type !== 'integer' || NO_COUNTS.has(name)) continue;
      t.equal(name, 'scanCount', `${place}: a lone number of scans`);
      const { $ref = '', properties: counts = {} } = properties.counts ?? {};
      const isShared = $ref === '#/components/schemas/ScanCounts';
      t.same(isShared ? ALL : Object.keys(counts), ALL, `${place}: the same count apart`);
    }
  }
  t.ok(places >= 7, `${places} places`);
});

t.test('all endpoints return the same counts for the same scans', async (t) => {
  const test = await startScans(t);
  const { call, owner, scan } = test;
  const token = owner.accessToken;
  const id = await test.code();
  const agents = ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'curl/8.5.0'];
  for (const agent of [...agents, agents[0]]) {
    const { status } = await scan({ qrCodeId: id }, { headers: { 'user-agent': agent ?? '' } });
    t.equal(status, 201);
  }
  const counted = { total: 3, humans: 1, unique: 1 };
  const read = async (path: string) => (await call('GET', path, { token })).body;
  t.match(await read(`/api/qrcodes/${id}`), { scanCount: 3, counts: counted });
  t.match((await read('/api/qrcodes')).data[0], { scanCount: 3, counts: counted });
  for (const path of [`/api/qrcodes/${id}/stats`, '/api/scans/stats']) {
    const statistics = await read(path);
    t.match(statistics, counted, path);
    t.match(statistics.previous, { total: 0, humans: 0, unique: 0 });
    for (const { total, humans, unique } of [...statistics.series, ...statistics.classes])
      t.ok(unique <= humans && humans <= total);
    t.same(statistics.classes, [
      { value: 'BOT', total: 1, humans: 0, unique: 0 },
      { value: 'DUPLICATE', total: 1, humans: 0, unique: 0 },
      { value: 'HUMAN', total: 1, humans: 1, unique: 1 },
    ]);
  }
  const { scans } = await read('/api/dashboard/cards');
  t.match(scans, { ...counted, last7Days: counted });
});
