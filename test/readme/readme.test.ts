import { spawn, spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import t from 'tap';
import { DEMO_CALLS } from '../../src/commands/demo-calls.ts';
import { freePort } from '../../src/sandbox/free-port.ts';
import { startService } from '../process/service-process.ts';
import { scratchFolder } from '../sandbox/scratch.ts';

const readme = await readFile('README.md', 'utf8');
const mainJob = readme.slice(readme.indexOf('## The main job'), readme.indexOf('## What it is'));
const documents = readme.slice(readme.indexOf('## Documents'), readme.indexOf('## Subscriptions'));
const calls = [...`${mainJob}\n${documents}`.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(
  (match) => match[1] ?? '',
);
const missing = ['bash', 'curl'].filter((program) => spawnSync(program, ['--version']).error);

const skip = missing.length > 0 ? `needs ${missing.join(' and ')}` : false;

t.test('The calls of the README work as they stand, in their order', { skip }, async (t) => {
  const dataDir = await scratchFolder(t);
  const service = startService(t, { dataDir, port: await freePort() });
  await service.ready();
  const script = ['set -euo pipefail', ...calls].join('\necho; echo ===\n');
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
    '"title":"Passport"',
    '"number":2',
  ]) {
    t.ok(output.includes(fact), fact);
  }
  t.notMatch(output, /"type":"\/api\/docs\/errors/);
  const png = await readFile(`${dataDir}/rex.png`);
  t.equal(png.subarray(1, 4).toString(), 'PNG');
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
