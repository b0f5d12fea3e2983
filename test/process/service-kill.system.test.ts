import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { listMailboxEntries } from '../../src/providers/mail/mailbox-reader.ts';
import { findFreePort } from '../../src/start/find-free-port.ts';
import { createPreparedDataFolder, retryUntilSuccess } from '../scratch-folder.ts';
import { t } from '../tap.ts';
import { findPostmasters, killQuietly, type ServiceProcess, startService } from './service-process.ts';

const KILLS = 6;

/** On a busy machine a start takes half a minute, so that all kills would take longer than a file may. */
const KILLING_MS = 150_000;
const MIN_KILLS = 2;

/** For one scan, above the time of two starts. */
const MAX_RETRY_MS = 240_000;

const VISITORS = 6;

/** Null when the service does not respond. */
async function call(
  base: string,
  method: string,
  path: string,
  options: { token?: string; body?: unknown; key?: string } = {},
  // biome-ignore lint/suspicious/noExplicitAny: an answer is whatever the service sent
): Promise<{ status: number; body: any } | null> {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (options.token) headers.authorization = `Bearer ${options.token}`;
  if (options.key) headers['idempotency-key'] = options.key;
  const body = options.body === undefined ? {} : { body: JSON.stringify(options.body) };
  if (options.body === undefined) delete headers['content-type'];
  try {
    const answer = await fetch(base + path, {
      method,
      headers,
      ...body,
      signal: AbortSignal.timeout(20_000),
    });
    return { status: answer.status, body: await answer.json() };
  } catch {
    return null;
  }
}

/** Retry until the service is ready. */
async function insist(...request: Parameters<typeof call>) {
  for (let tries = 0; tries < 100; tries += 1) {
    const answer = await call(...request);
    if (answer?.status === 200) return answer.body;
    await sleep(50);
  }
  throw new Error(`${request[1]} ${request[2]} was not answered with 200.`);
}

async function makeOwner(service: ServiceProcess, dataDir: string) {
  const email = 'ada@example.org';
  const password = 'a lighthouse for lost dogs';
  await call(service.base, 'POST', '/api/auth/register', { body: { email, password } });
  const otp = await retryUntilSuccess(async () => {
    const [mail] = await listMailboxEntries(`${dataDir}/mailbox`);
    if (!mail) throw new Error('The service has sent no mail.');
    return mail.subject.slice(0, 6);
  }, 60_000);
  const verified = await call(service.base, 'POST', '/api/auth/verify-otp', { body: { email, otp } });
  const token: string = verified?.body.accessToken;
  const profile = { firstName: 'Ada', lastName: 'Lovelace', accountType: 'INDIVIDUAL' };
  await call(service.base, 'POST', '/api/auth/create-profile', { token, body: profile });
  const code = { kind: 'PET', title: 'Rex', data: { name: 'Rex' } };
  const made = await call(service.base, 'POST', '/api/qrcodes', { token, body: code });
  return { token, qrCodeId: String(made?.body.id) };
}

t.test(
  'kills of the service and PostgreSQL under load neither lose nor double an acknowledged scan',
  async (t) => {
    const dataDir = await createPreparedDataFolder(t);
    const port = await findFreePort();
    let service = startService(t, { dataDir, port });
    await service.ready();
    const { token, qrCodeId } = await makeOwner(service, dataDir);

    const acknowledged = new Set<string>();
    let going = true;
    const visitors = Array.from({ length: VISITORS }, async () => {
      while (going) {
        const key = randomBytes(16).toString('hex');
        // Same key for every retry: a scan whose response was lost must not count twice.
        for (const until = Date.now() + MAX_RETRY_MS; ; ) {
          const answer = await call(`http://localhost:${port}`, 'POST', '/api/scans/public', {
            body: { qrCodeId },
            key,
          });
          if (answer?.status === 201) {
            acknowledged.add(answer.body.scan.id);
            break;
          }
          if (Date.now() > until || (answer && answer.status !== 503)) {
            t.fail(`a scan was answered with ${answer?.status ?? 'nothing'}`);
            break;
          }
          await sleep(100);
        }
      }
    });

    const endOfKills = Date.now() + KILLING_MS;
    let kills = 0;
    for (; kills < KILLS && (kills < MIN_KILLS || Date.now() < endOfKills); kills += 1) {
      await sleep(150 + Math.random() * 300);
      if (kills % 2 === 0) {
        service.child.kill('SIGKILL');
        await service.ended;
        service = startService(t, { dataDir, port });
      } else {
        for (const pid of await findPostmasters(dataDir)) killQuietly(pid, 'SIGKILL');
      }
      await service.ready();
    }
    await sleep(200);
    going = false;
    await Promise.all(visitors);

    const stored: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: string = cursor ? `&cursor=${encodeURIComponent(cursor)}` : '&cursor=start';
      const list = await insist(service.base, 'GET', `/api/scans?limit=100${page}`, { token });
      for (const scan of list.data) stored.push(scan.id);
      cursor = list.pagination.nextCursor;
    }
    t.ok(acknowledged.size > kills, `${acknowledged.size} scans were acknowledged`);
    t.equal(new Set(stored).size, stored.length, 'none is listed twice');
    t.same(
      [...acknowledged].filter((id) => !stored.includes(id)),
      [],
      'none is lost',
    );
    t.equal(stored.length, acknowledged.size, 'none is stored twice under another id');
    const code = await insist(service.base, 'GET', `/api/qrcodes/${qrCodeId}`, { token });
    t.equal(code.scanCount, stored.length, 'the counter equals the rows');
    t.equal(await service.end('SIGTERM'), 0);
  },
);
