import { spawnSync } from 'node:child_process';
import { access, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EnvironmentSchema } from '../../src/config-variables.ts';
import { createScratchFolder } from '../scratch-folder.ts';
import { t } from '../tap.ts';

const FOLDER = 'deploy/systemd';
const SERVICE = 'qr-profile-service.service';
const WORKER = 'qr-profile-service-worker.service';
const BACKUP = 'qr-profile-service-backup.service';
/** Tenths of the scale of `systemd-analyze security`, which calls less than 20 OK. */
const MAX_EXPOSURE = 15;
/** What a process needs to end its requests or jobs. */
const SHUTDOWN_SECONDS = 10;
/** Lines that differ between the two units. */
const OWN_LINES = /^(?:Description|After|ExecStart|TimeoutStopSec|# Ten seconds )/;

const readUnit = (name: string) => readFile(join(FOLDER, name), 'utf8');
const readValues = (unit: string, key: string) =>
  [...unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value);

const analyze = (...words: string[]) =>
  spawnSync('systemd-analyze', words, { encoding: 'utf8', timeout: 60_000 });
const skip = /--offline/.test(analyze('--help').stdout ?? '')
  ? false
  : 'NOT RUN: there is no systemd-analyze of systemd 250 or newer';

t.test('the units run the programs of the build, with known settings', async (t) => {
  const dockerfile = await readFile('Dockerfile', 'utf8');
  for (const name of [SERVICE, WORKER]) {
    const unit = await readUnit(name);
    const [command = ''] = readValues(unit, 'ExecStart');
    const [, program = ''] = /^\/usr\/bin\/node dist\/(.+)\.js$/.exec(command) ?? [];
    await t.resolves(access(`src/${program}.ts`), command);
    t.ok(dockerfile.includes(`dist/${program}.js`), 'as in the image');
    const settings = readValues(unit, 'Environment').flatMap((line) => line.split(' '));
    t.ok(settings.includes('NODE_ENV=production'));
    for (const setting of settings) t.hasProp(EnvironmentSchema.properties, setting.split('=')[0] ?? '');
    const [folder] = readValues(unit, 'StateDirectory');
    t.ok(settings.includes(`DATA_DIR=/var/lib/${folder}`), 'the only folder that can be written');
    t.ok(Number(readValues(unit, 'TimeoutStopSec')[0]) > SHUTDOWN_SECONDS);
  }
});

t.test('service and worker have the same sandbox', async (t) => {
  const withoutOwnLines = async (name: string) =>
    (await readUnit(name)).split('\n').filter((line) => !OWN_LINES.test(line));
  t.same(await withoutOwnLines(WORKER), await withoutOwnLines(SERVICE));
});

t.test('the backup runs with the sandbox of the service', async (t) => {
  const [service, backup] = await Promise.all([SERVICE, BACKUP].map(readUnit));
  const [command = ''] = readValues(backup ?? '', 'ExecStart');
  const [, program = '', folder] =
    /^\/usr\/bin\/node dist\/(.+)\.js --to (\S+) --keep 7 /.exec(command) ?? [];
  await t.resolves(access(`src/${program}.ts`), command);
  t.same(readValues(backup ?? '', 'ReadWritePaths'), [folder]);
  const own =
    /^(?:Description|Documentation|Type|ExecStart|TimeoutStopSec|Restart|StartLimit|KillMode|WantedBy|#|\[Install)/;
  for (const line of (service ?? '').split('\n').filter((one) => !own.test(one)))
    t.ok(backup?.split('\n').includes(line), line);
});

t.test('a start that cannot succeed is not repeated', async (t) => {
  const page = await readFile('docs/operations/running.md', 'utf8');
  const [codes = ''] = readValues(await readUnit(SERVICE), 'RestartPreventExitStatus');
  for (const code of codes.split(' ')) t.match(page, new RegExp(`^\\| ${code} \\| `, 'm'), 'documented');
});

t.test('starts that fail for long do not use up the limit of systemd', async (t) => {
  for (const name of [SERVICE, WORKER])
    t.same(readValues(await readUnit(name), 'StartLimitIntervalSec'), ['0']);
});

t.test('systemd finds no mistake in the units', { skip }, async (t) => {
  for (const name of [SERVICE, WORKER, BACKUP]) {
    const file = join(await createScratchFolder(t), name);
    // It also checks that the program exists.
    await writeFile(file, (await readUnit(name)).replace('/usr/bin/node', process.execPath));
    const { status, stdout, stderr } = analyze('verify', '--man=no', file);
    t.same([status, `${stdout}${stderr}`.trim()], [0, ''], name);
  }
});

t.test('systemd rates the sandbox as OK', { skip }, async (t) => {
  for (const name of [SERVICE, WORKER, BACKUP]) {
    const threshold = `--threshold=${MAX_EXPOSURE}`;
    const options = ['--offline=true', '--no-pager', threshold, join(FOLDER, name)];
    const { status, stdout, stderr } = analyze('security', ...options);
    t.equal(status, 0, `${stdout.slice(-200)}${stderr}`);
  }
});
