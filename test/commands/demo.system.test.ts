import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@qr-profile-service/client';
import { findFreePort } from '../../src/start/find-free-port.ts';
import { getLanAddress } from '../../src/start/lan-address.ts';
import { startService } from '../process/service-process.ts';
import { createPreparedDataFolder } from '../scratch-folder.ts';
import { t } from '../tap.ts';
import { getNodeArguments } from '../transpiled-scripts.ts';
import { runCommand } from './run-command.ts';

const dataDir = await createPreparedDataFolder(t);
const port = await findFreePort();
const service = startService(t, { dataDir, port });
await service.ready();

t.test('the demo ends with the addresses of what it made', async (t) => {
  const before = await readdir('.');
  const { PORT, UPLOADS_DIR } = { PORT: String(port), UPLOADS_DIR: join(dataDir, 'uploads') };
  const { code, out, errors } = await runCommand('demo', { DATA_DIR: dataDir, UPLOADS_DIR, PORT });
  t.equal(code, 0, errors);
  t.same(await readdir('.'), before, 'no file in the project');
  for (const line of out.split('\n')) t.ok(line.length <= 160, line);

  const [, ending = ''] = out.split(' were created.\n');
  const rows = Object.fromEntries(
    [...ending.matchAll(/^ {2}(\S.*?) {2,}(\S.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
  );
  const pages = ['Pet', 'Lost pet', 'Medical ID', 'Luggage', 'Car', 'Memorial', 'Website', 'Wi-Fi'];
  t.same(Object.keys(rows), [...pages, 'Report', 'Mailbox', 'API reference', 'Account', 'Password']);
  for (const name of [...pages, 'Mailbox', 'API reference']) {
    const { status } = await fetch(String(rows[name]), { redirect: 'manual' });
    t.ok(status === 200 || (name === 'Website' && status === 302), `${name}: ${status}`);
  }
  t.match(await readFile(join(dataDir, 'demo-report.html'), 'utf8'), '<!doctype html>');
  t.ok(String(rows.Report).endsWith('demo-report.html'));
  const client = createClient({ baseUrl: service.base });
  await client.auth.logIn({ email: String(rows.Account), password: String(rows.Password) });
  const { data: codes } = await client.get('/api/qrcodes');
  t.equal(codes.find(({ status }) => status === 'LOST')?.title, 'Bella');
  for (const { id, title, imageUrl } of codes) {
    const { data: scans } = await client.get('/api/scans', { query: { qrCodeId: id, limit: 20 } });
    t.equal(scans.length, 20, `${title} has a history`);
    t.equal((await fetch(String(imageUrl))).status, 200, `${title} has an image`);
  }
  const [memoryTag] = (await client.get('/api/memory-tags')).data;
  const guestBook = { path: { id: memoryTag?.id ?? '' } };
  t.match((await client.get('/api/memory-tags/{id}/guest-book', guestBook)).data, [
    { status: 'PENDING', name: 'Eva and Jan' },
  ]);
  const start = await (await fetch(service.base, { headers: { accept: 'text/html' } })).text();
  for (const name of pages)
    t.ok(start.includes(`href="${new URL(String(rows[name])).pathname}"`), `${name} is on the start page`);
});

t.test('the demo ends without an error when its output is closed', async (t) => {
  const { PATH, HOME } = process.env;
  const demo = spawn(process.execPath, getNodeArguments('src/commands/demo.ts'), {
    env: { PATH, HOME, DATA_DIR: dataDir, UPLOADS_DIR: join(dataDir, 'uploads'), PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  demo.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  await once(demo.stdout, 'data');
  demo.stdout.destroy();
  const [code] = await once(demo, 'close');
  t.equal(errors, '');
  t.equal(code, 1);
});

const lanAddress = getLanAddress();
const skip = lanAddress ? false : 'needs an address in a network';

t.test(
  '--lan listens on the network, prints a QR code and warns of codes for another address',
  { skip },
  async (t) => {
    await service.end('SIGTERM');
    const lan = startService(t, { dataDir, port, flags: ['--lan'] });
    await lan.ready();
    await lan.written(/[▀▄█]{7}/);
    await lan.written(/npm run images:rebuild/);
    const base = `http://${lanAddress}:${port}`;
    for (const text of [`address: ${base}`, `PUBLIC_BASE_URL=${base} npm run images:rebuild`])
      t.ok(lan.output().includes(text), text);
    t.equal((await fetch(`${base}/`)).status, 200);
    t.equal((await fetch(`${base}/api/sandbox/mailbox`)).status, 404, 'mails are for this machine');
    t.equal((await fetch(`http://localhost:${port}/api/sandbox/mailbox`)).status, 200);
    t.equal(await lan.end('SIGTERM'), 0);
  },
);
