import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { freePort } from '../../src/sandbox/free-port.ts';
import { lanAddress } from '../../src/start/lan-address.ts';
import { cloneDatabase } from '../helper.ts';
import { scratchFolder } from '../sandbox/scratch.ts';
import { postmasters, startService } from './service-process.ts';

t.test('A database of the operator takes the place of the embedded one', async (t) => {
  const dataDir = await scratchFolder(t);
  const url = await cloneDatabase(t);
  t.teardown(() => url.drop());
  const service = startService(t, {
    dataDir,
    port: await freePort(),
    environment: { DATABASE_URL: url.application, DATABASE_OWNER_URL: url.owner },
  });
  await service.ready();
  t.same(await postmasters(dataDir), [], 'no server of our own runs');
  t.notMatch(service.output(), new URL(url.application).password);
  t.equal(await service.end('SIGTERM'), 0);
});

t.test('Without an owner of its own the start says that the application owns the tables', async (t) => {
  const dataDir = await scratchFolder(t);
  const url = await cloneDatabase(t);
  t.teardown(() => url.drop());
  const service = startService(t, {
    dataDir,
    port: await freePort(),
    environment: { DATABASE_URL: url.owner },
  });
  await service.ready();
  t.match(service.output(), /DATABASE_OWNER_URL is not set/);
  t.equal(await service.end('SIGTERM'), 0);
});

const address = lanAddress();
const skip = address ? false : 'needs an address in a network';

t.test('--lan listens on the network and draws a code in the terminal', { skip }, async (t) => {
  const dataDir = await scratchFolder(t);
  const port = await freePort();
  const service = startService(t, { dataDir, port, flags: ['--lan'] });
  await service.ready();
  await sleep(300);
  t.ok(service.output().includes(`address: http://${address}:${port}`));
  t.match(service.output(), /[▀▄█]{7}/);
  t.equal((await fetch(`http://${address}:${port}/`)).status, 200);
  t.equal(
    (await fetch(`http://${address}:${port}/api/sandbox/mailbox`)).status,
    404,
    'mails are for this machine',
  );
  t.equal((await fetch(`http://localhost:${port}/api/sandbox/mailbox`)).status, 200);
  t.equal(await service.end('SIGTERM'), 0);
});

t.test('An unknown flag is a wrong configuration', async (t) => {
  const service = startService(t, {
    dataDir: await scratchFolder(t),
    port: await freePort(),
    flags: ['--wan'],
  });
  t.equal(await service.ended, 78);
  t.match(service.output(), /--wan/);
});
