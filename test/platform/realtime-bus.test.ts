import { setTimeout as wait } from 'node:timers/promises';
import { createRealtimeBus } from '../../src/platform/realtime/realtime-bus.ts';
import type { RealtimeMessage } from '../../src/platform/realtime/realtime-messages.ts';
import { t } from '../tap.ts';

const SCAN = { event: 'scan.created', accountId: 'a'.repeat(24) } as const;

function createBus() {
  const statements: string[][] = [];
  const received: RealtimeMessage[] = [];
  const pool = {
    query: async ({ values }: { values: [string, string[]] }) => {
      statements.push(values[1]);
      return { rows: [], rowCount: 0 };
    },
  };
  const database = { pool, directUrl: '', onCommit: () => () => {} };
  const bus = createRealtimeBus({
    database: database as unknown as Parameters<typeof createRealtimeBus>[0]['database'],
    redis: null,
    log: { warn() {} },
  });
  bus.subscribe((message) => received.push(message));
  return { bus, statements, received };
}

t.test('events of accounts are combined by their object, and sent in one statement', async (t) => {
  const { bus, statements, received } = createBus();
  for (let count = 0; count < 1_000; count += 1)
    bus.publishToAccount({ ...SCAN, data: { scanId: `scan ${count}`, qrCodeId: `code ${count % 2}` } });
  t.same(received, [], 'later: whoever stores a scan does not wait for it');
  while (received.length === 0) await wait(5);
  await bus.stop();
  const events = [
    { ...SCAN, data: { scanId: 'scan 998', qrCodeId: 'code 0' } },
    { ...SCAN, data: { scanId: 'scan 999', qrCodeId: 'code 1' } },
  ];
  t.match(received, [{ ephemeralEvents: events }]);
  t.equal(statements.length, 1);
  t.match(JSON.parse(statements[0]?.[0] ?? ''), { words: [], ephemeralEvents: events });
});

t.test('events of accounts are sent with the topics that follow', async (t) => {
  const { bus, statements } = createBus();
  bus.publishToAccount({ ...SCAN, data: { scanId: 'scan', qrCodeId: 'code' } });
  bus.publishTopics(['u:owner']);
  while (statements.length === 0) await wait(5);
  t.equal(statements.length, 1, 'no statement of their own');
  const [topics, events] = (statements[0] ?? []).map((text) => JSON.parse(text));
  t.match(topics, { words: ['u:owner'] });
  t.match(events, { ephemeralEvents: [{ data: { scanId: 'scan' } }] });
  await bus.stop();
  t.equal(statements.length, 1);
});

t.test('events of accounts are bounded', async (t) => {
  const { bus, received } = createBus();
  for (let count = 0; count < 2_000; count += 1)
    bus.publishToAccount({ ...SCAN, data: { scanId: 'scan', qrCodeId: `code ${count}` } });
  while (received.length === 0) await wait(5);
  await bus.stop();
  t.equal(received[0]?.ephemeralEvents.length, 500);
});
