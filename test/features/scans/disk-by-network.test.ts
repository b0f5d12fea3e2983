import { MAX_STORED_REQUESTS_PER_DAY } from '../../../src/platform/http/rate-limit-numbers.ts';
import { t } from '../../tap.ts';
import { createTokenHeader, startScans } from './helper.ts';

const REQUESTS = 150;

/** Of one client (IPv4 address or IPv6 /64) and day: its share of a disk must not matter. */
const MAX_BYTES_PER_DAY = 250_000_000;

t.test('what one client can leave on the disk in a day is bounded, whatever it sends', async (t) => {
  const test = await startScans(t);
  const { call, code, scan, database } = test;
  const pet = await code();
  await call('PATCH', `/api/qrcodes/${pet}`, { token: test.owner.accessToken, body: { status: 'LOST' } });
  const medical = await code({ kind: 'MEDICAL', data: { name: 'Ada' }, visibility: { name: 'PUBLIC' } });
  const made = await scan({ qrCodeId: pet });
  const readSize = async () => {
    const [row] = await database.client.$queryRaw<{ bytes: number }[]>`
      SELECT sum(pg_total_relation_size(oid))::float8 AS bytes FROM pg_class
      WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`;
    return row?.bytes ?? 0;
  };
  const agent = (index: number) => ({ 'user-agent': `Mozilla/5.0 (iPhone) ${index} ${'x'.repeat(480)}` });
  const from = (index: number) => ({ remoteAddress: `198.51.100.${index % 250}` });
  const routes: Record<string, (index: number) => Promise<{ status: number }>> = {
    page: (index) => call('GET', `/s/${pet}`, { headers: agent(index), ...from(index) }),
    'medical page': (index) => call('GET', `/s/${medical}`, { headers: agent(index), ...from(index) }),
    scan: (index) =>
      scan(
        { qrCodeId: pet },
        { headers: { ...agent(index), 'idempotency-key': `a-key-of-a-scan-${index}` }, ...from(index) },
      ),
    message: () =>
      call('POST', '/api/conversations/public', {
        body: { scanId: made.body.scan.id, message: 'x'.repeat(1000), name: 'x'.repeat(80) },
        headers: createTokenHeader(made),
      }),
    'failed log-in': (index) =>
      call('POST', '/api/auth/login', {
        body: { email: `n${index}@example.org`, password: 'x'.repeat(1000) },
        headers: agent(index),
        ...from(index),
      }),
    unsubscription: (index) => call('POST', `/api/mails/suppress/${index}`, { headers: agent(index) }),
  };
  for (const [name, send] of Object.entries(routes)) {
    const before = await readSize();
    for (let index = 0; index < REQUESTS; index += 1) await send(index);
    const bytesEach = ((await readSize()) - before) / REQUESTS;
    t.ok(bytesEach * MAX_STORED_REQUESTS_PER_DAY < MAX_BYTES_PER_DAY, `${name}: ${bytesEach} bytes each`);
  }
});
