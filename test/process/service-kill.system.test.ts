import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, createClient } from '@qr-profile-service/client';
import { listMailboxEntries } from '../../src/providers/mail/mailbox-reader.ts';
import { findFreePort } from '../../src/start/find-free-port.ts';
import { createPreparedDataFolder, retryUntilSuccess } from '../scratch-folder.ts';
import { t } from '../tap.ts';
import { findPostmasters, killQuietly, startService } from './service-process.ts';

const KILLS = 6;

/** On a busy machine a start takes half a minute, so that all kills would take longer than a file may. */
const KILLING_MS = 150_000;
const MIN_KILLS = 2;

/** For one scan, above the time of two starts. */
const MAX_RETRY_MS = 240_000;

/** Not below the Retry-After of a service that starts. */
const MAX_RETRY_DELAY_MS = 5_000;

const VISITORS = 6;

async function makeOwner(client: Client, dataDir: string) {
  const email = 'ada@example.org';
  const password = 'a lighthouse for lost dogs';
  await client.post('/api/auth/register', { body: { email, password } });
  const otp = await retryUntilSuccess(async () => {
    const [mail] = await listMailboxEntries(`${dataDir}/mailbox`);
    if (!mail) throw new Error('The service has sent no mail.');
    return mail.subject.slice(0, 6);
  }, 60_000);
  await client.auth.verifyOtp({ email, otp });
  const profile = { firstName: 'Ada', lastName: 'Lovelace', accountType: 'INDIVIDUAL' as const };
  await client.post('/api/auth/create-profile', { body: profile });
  return client.post('/api/qrcodes', { body: { kind: 'PET', title: 'Rex', data: { name: 'Rex' } } });
}

t.test(
  'kills of the service and PostgreSQL under load neither lose nor double an acknowledged scan',
  async (t) => {
    const dataDir = await createPreparedDataFolder(t);
    const port = await findFreePort();
    let service = startService(t, { dataDir, port });
    await service.ready();
    const options = {
      baseUrl: `http://localhost:${port}`,
      timeoutMs: 20_000,
      maxRetries: Infinity,
      maxRetryDelayMs: MAX_RETRY_DELAY_MS,
    };
    const owner = createClient(options);
    const { id: qrCodeId } = await makeOwner(owner, dataDir);

    const acknowledged = new Set<string>();
    let going = true;
    const visitor = createClient(options);
    const visitors = Array.from({ length: VISITORS }, async () => {
      while (going) {
        // A scan whose response was lost is sent again with the same key, and must not count twice.
        const signal = AbortSignal.timeout(MAX_RETRY_MS);
        try {
          const { scan } = await visitor.post('/api/scans/public', { body: { qrCodeId }, signal });
          acknowledged.add(scan.id);
        } catch (error) {
          t.fail('a scan failed', { error });
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
    for await (const { id } of owner.iterate('/api/scans')) stored.push(id);
    t.ok(acknowledged.size > kills, `${acknowledged.size} scans were acknowledged`);
    t.equal(new Set(stored).size, stored.length, 'none is listed twice');
    t.same(
      [...acknowledged].filter((id) => !stored.includes(id)),
      [],
      'none is lost',
    );
    t.equal(stored.length, acknowledged.size, 'none is stored twice under another id');
    const code = await owner.get('/api/qrcodes/{id}', { path: { id: qrCodeId } });
    t.equal(code.scanCount, stored.length, 'the counter equals the rows');
    t.equal(await service.end('SIGTERM'), 0);
  },
);
