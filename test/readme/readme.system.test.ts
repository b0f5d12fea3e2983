import { spawn, spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { DEMO_CALLS } from '../../src/commands/demo-calls.ts';
import { findFreePort } from '../../src/start/find-free-port.ts';
import { startService } from '../process/service-process.ts';
import { createScratchFolder } from '../scratch-folder.ts';
import { t } from '../tap.ts';

const readme = await readFile('README.md', 'utf8');
const section = (from: string, to: string) =>
  readme.slice(readme.indexOf(`\n## ${from}\n`), readme.indexOf(`\n## ${to}\n`));
const callsIn = (text: string) =>
  [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map((match) => match[1] ?? '');
const mainJob = section('The main job', 'What it is, and for whom');
const lacks = (program: string) => spawnSync(program, ['--version']).error !== undefined;
const missing = ['bash', 'curl'].filter(lacks);
const hasPsql = !lacks('psql');

const skip = missing.length > 0 ? `needs ${missing.join(' and ')}` : false;

/** Asks again until a command succeeds. */
const until = (command: string) => `for try in $(seq 300); do
  ${command} && break
  sleep 0.1
done`;

/** Until so many invoices are paid. */
const paid = (count: number) =>
  until(
    `test $(curl -s $BASE/api/subscription/invoices -H "Authorization: Bearer $TOKEN" | grep -o '"state":"PAID"' | wc -l) = ${count}`,
  );

/** The invoice and the subscription come in events of their own. */
const active = until(
  `curl -s $BASE/api/subscription/status -H "Authorization: Bearer $TOKEN" | grep -q '"state":"ACTIVE"'`,
);

/** What somebody does before or after a call; by what the call has in it. */
const BETWEEN: readonly { call: string; before?: string; after?: string }[] = [
  {
    call: '| tee checkout.json',
    after: `URL=$(node -p 'JSON.parse(fs.readFileSync("checkout.json")).url')
curl -s -o /dev/null -H "Origin: $(node -p 'new URL(process.argv[1]).origin' "$URL")" -d do=pay "$URL"
${paid(1)}
${active}`,
  },
  { call: '/sandbox/ledger', before: paid(2) },
];

t.test('The calls of the README work as they stand, in their order', { skip }, async (t) => {
  const dataDir = await createScratchFolder(t);
  const service = startService(t, { dataDir, port: await findFreePort() });
  await service.ready();
  const purchase = callsIn(section('Subscriptions', 'Payments: webhooks and reconciliation'))
    .filter((call) => hasPsql || !call.startsWith('psql'))
    .flatMap((call) => {
      const { before, after } = BETWEEN.find((one) => call.includes(one.call)) ?? {};
      return [before ?? '', call, after ?? ''];
    });
  const others = [
    section('Memory tags', 'Notifications'),
    section('Pictures', 'Packages'),
    section('Documents', 'Subscriptions'),
  ].flatMap(callsIn);
  const script = ['set -euo pipefail', ...callsIn(mainJob), ...others, ...purchase].join(
    '\necho; echo ===\n',
  );
  const shell = spawn('bash', ['-c', script], {
    cwd: dataDir,
    env: { ...process.env, BASE: service.base, DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  shell.stdout.on('data', (chunk) => {
    output += chunk;
  });
  shell.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const code = await new Promise((resolve) => shell.once('close', resolve));
  t.equal(code, 0, errors);
  for (const fact of [
    '"status":"PENDING_VERIFICATION"',
    '"accessToken":"',
    '"status":"ACTIVE"',
    '"kind":"PET"',
    '"scanToken":"',
    '"city":"Berlin"',
    '<h1>',
    '"class":"HUMAN"',
    '"event":"QR_CODE_SCANNED"',
    '"event":"MESSAGE_RECEIVED"',
    '<h1>Erna Brandt</h1>',
    '"caption":"In the garden","position":1',
    '"title":"Passport"',
    '"number":2',
    '"code":"PERSONAL","name":"Personal"},"state":"ACTIVE"',
    '"state":"PAID","currency":"EUR","total":300',
    '"cancelAtPeriodEnd":true',
    '"perPeriod":600',
    '"code":"FAMILY","name":"Family"},"state":"ACTIVE"',
  ]) {
    t.ok(output.includes(fact), fact);
  }
  t.notMatch(output, /"type":"\/api\/docs\/errors/);
  const times = new Map<string, number>();
  for (const [id] of output.matchAll(/\b(?:sub|in)_\w+/g)) times.set(id, (times.get(id) ?? 0) + 1);
  t.same([...times.values()], Array(3).fill(hasPsql ? 2 : 1), 'the ledger and the rows have the same');
  const png = await readFile(`${dataDir}/rex.png`);
  t.equal(png.subarray(1, 4).toString(), 'PNG');
  const avif = await readFile(`${dataDir}/garden.avif`);
  t.equal(avif.subarray(4, 12).toString(), 'ftypavif');
  const zip = await readFile(`${dataDir}/erna.zip`);
  t.ok(zip.includes('pictures/001.jpg') || zip.includes('pictures/001.png'), 'the archive has the picture');
  await service.end('SIGTERM');
});

t.test("The demo's calls are the README's", async (t) => {
  const shell: Record<string, string> = { email: 'ada@example.org', otp: "'$OTP'", id: "'$ID'" };
  for (const call of DEMO_CALLS) {
    t.ok(mainJob.includes(`$BASE${call.path}`), `${call.method} ${call.path}`);
    if (!call.body) continue;
    const body = JSON.stringify(call.body).replace(/\{(email|otp|id)\}/g, (_all, name) => shell[name] ?? '');
    t.ok(mainJob.includes(`-d '${body}'`), body);
  }
});
