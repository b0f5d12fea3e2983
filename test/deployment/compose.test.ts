import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { access, chown, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { EnvironmentSchema } from '../../src/config-variables.ts';
import { createScratchFolder, waitForExit } from '../scratch-folder.ts';
import { t } from '../tap.ts';
import { getNodeArguments } from '../transpiled-scripts.ts';

interface Container {
  environment?: Record<string, string | number>;
  command?: string[];
  user?: string;
  volumes?: string[];
  ports?: string[];
  networks: string[];
  depends_on?: string[] | Record<string, { condition: string }>;
  healthcheck?: { test: string[] };
  stop_grace_period?: string;
  [key: string]: unknown;
}

interface ComposeFile {
  services: Record<'caddy' | 'app-1' | 'app-2' | 'worker' | 'backup' | 'database' | 'redis', Container>;
  networks: Record<string, { internal?: boolean; ipam?: { config: { subnet: string }[] } }>;
  volumes: Record<string, null>;
}

const text = await readFile('docker-compose.yml', 'utf8');
const { services, networks, volumes } = parse(text, { merge: true }) as ComposeFile;
const caddyfile = await readFile('deploy/caddy/Caddyfile', 'utf8');
const dockerfile = await readFile('Dockerfile', 'utf8');
const containers = Object.entries(services);
const ofService = [services['app-1'], services['app-2'], services.worker];
const DEBIAN_POSTGRES = '/usr/lib/postgresql/15/bin/postgres';

t.test('everything that Compose refers to exists', async (t) => {
  const mounts = containers.flatMap(([, { volumes: mounted = [] }]) =>
    mounted.map((mount) => mount.split(':')),
  );
  for (const [source = ''] of mounts)
    if (source.startsWith('.')) await t.resolves(access(source), source);
    else t.hasProp(volumes, source);
  for (const name of Object.keys(volumes))
    t.ok(
      mounts.some(([source]) => source === name),
      name,
    );
  for (const [name, { depends_on = [], networks: joined }] of containers) {
    for (const network of joined) t.hasProp(networks, network);
    const needed = Array.isArray(depends_on) ? depends_on : Object.keys(depends_on);
    for (const other of needed) t.hasProp(services, other, name);
  }
  const upstreams = /reverse_proxy (.+) \{/.exec(caddyfile)?.[1]?.split(' ');
  t.same(upstreams, ['app-1:3000', 'app-2:3000']);
  t.match(dockerfile, / PORT=3000 /);
});

t.test('data is kept in volumes that the images use', async (t) => {
  for (const { volumes: mounted } of ofService) t.same(mounted, ['app-data:/data']);
  t.same(services.backup.volumes, ['app-data:/data', 'backup-data:/backups']);
  const [, user = ''] = /^USER (\S+)$/m.exec(dockerfile) ?? [];
  for (const folder of ['data', 'backups'])
    t.ok(dockerfile.includes(` --chown=${user} /app/${folder} /${folder}\n`), 'the service may write there');
  t.match(dockerfile, /^VOLUME \/data$/m);
  t.same(services.database.volumes, ['database-data:/var/lib/postgresql']);
  t.ok(services.caddy.volumes?.includes('caddy-data:/data'), 'certificates');
});

t.test('no container can gain privileges or write outside of its volumes', async (t) => {
  const unlimited = containers.filter(
    ([, { read_only, cap_drop, security_opt, privileged }]) =>
      read_only !== true || privileged || `${cap_drop} ${security_opt}` !== 'ALL no-new-privileges:true',
  );
  t.same(Object.fromEntries(unlimited), {});
});

t.test('every container has a health check', async (t) => {
  for (const [name, { healthcheck }] of containers)
    if (name.startsWith('app-')) t.match(dockerfile, /^HEALTHCHECK /m, 'of the image');
    else t.ok(healthcheck && healthcheck.test.length > 1, name);
  t.ok(
    services.worker.healthcheck?.test.join(' ').includes(`:${services.worker.environment?.METRICS_PORT}/`),
  );
});

t.test('only Caddy is reachable from outside, and data has no way to the internet', async (t) => {
  const published = containers.filter(([, { ports }]) => ports).map(([name]) => name);
  t.same(published, ['caddy']);
  for (const container of [services.database, services.redis]) t.same(container.networks, ['data']);
  t.equal(networks.data?.internal, true);
});

t.test('the service trusts the network of Caddy only', async (t) => {
  for (const { environment } of ofService)
    t.equal(environment?.TRUST_PROXY, networks.edge?.ipam?.config[0]?.subnet);
});

t.test('Compose sets only known variables and has no default for a secret', async (t) => {
  for (const { environment = {} } of ofService)
    for (const name of Object.keys(environment)) t.hasProp(EnvironmentSchema.properties, name);
  const secrets = [
    ...ofService.map(({ environment }) => environment?.DATABASE_URL),
    services.database.environment?.POSTGRES_PASSWORD,
  ];
  for (const value of secrets)
    t.match(value, /\$\{POSTGRES_PASSWORD:\?[^}]+\}/, 'a missing password is an error');
  t.notMatch(text, /:-/, 'there are no default values');
  const names = new Set([...text.matchAll(/\$\{(\w+)/g)].map(([, name]) => name));
  t.same([...names].sort(), ['DOMAIN', 'POSTGRES_PASSWORD']);
});

t.test('an instance serves until Caddy knows that it stops, and then ends in time', async (t) => {
  const seconds = (value: string | undefined) => Number(/^(\d+)s$/.exec(value ?? '')?.[1]);
  const interval = seconds(/health_interval (\S+)/.exec(caddyfile)?.[1]);
  const timeout = seconds(/health_timeout (\S+)/.exec(caddyfile)?.[1]);
  for (const { environment, stop_grace_period } of [services['app-1'], services['app-2']]) {
    const delay = Number(environment?.SHUTDOWN_DELAY_SECONDS);
    t.ok(delay >= interval + timeout, `${delay} s`);
    t.ok(seconds(stop_grace_period) > delay + 10);
  }
  t.ok(seconds(services.worker.stop_grace_period) > 10);
  const grace = seconds(/grace_period (\S+)/.exec(caddyfile)?.[1]);
  t.ok(seconds(services.caddy.stop_grace_period) > grace);
});

t.test('the image needs no shell', async (t) => {
  for (const { command, healthcheck } of [...ofService, services.backup]) {
    if (command) t.match(command, ['node', /^dist\/.+\.js$/]);
    if (healthcheck) t.match(healthcheck.test, ['CMD', 'node']);
  }
});

t.test('the backup waits for its time, and becomes unhealthy without a new one', async (t) => {
  const folder = await createScratchFolder(t);
  const getArguments = ([program, file = '', ...options]: string[]) => {
    t.same([program, file], ['node', 'dist/commands/backup.js']);
    t.ok(services.backup.volumes?.some((volume) => volume.endsWith(`:${options[1]}`)));
    options[1] = folder;
    return [...getNodeArguments('src/commands/backup.ts'), ...options];
  };
  const options = {
    env: { PATH: process.env.PATH, NODE_ENV: 'test' },
    encoding: 'utf8',
    timeout: 60_000,
  } as const;
  const check = () =>
    spawnSync(process.execPath, getArguments(services.backup.healthcheck?.test.slice(1) ?? []), options);
  const addBackup = async (hours: number) => {
    const time = new Date(Date.now() - hours * 3_600_000).toISOString();
    const name = join(folder, time.replaceAll(/[:.]/g, '-'));
    await mkdir(name);
    await writeFile(join(name, 'manifest.json'), '');
    return time;
  };

  t.match(check(), { status: 1, stderr: `There is no complete backup in ${folder}.\n` });
  const old = await addBackup(27);
  await mkdir(join(folder, '.2026-11-27T03-00-00-000Z.0123456789ab.incomplete'));
  await addBackup(-1);
  t.match(check(), { status: 1, stdout: `Newest backup: ${old}\n` });
  const recent = await addBackup(1);
  t.match(check(), { status: 0, stdout: `Newest backup: ${recent}\n` });

  const backup = getArguments(services.backup.command ?? []);
  const refused = spawnSync(process.execPath, backup, {
    ...options,
    env: { ...options.env, BACKUP_RECIPIENT: 'none' },
  });
  t.match(refused, { status: 64, stderr: 'The recipient is not an age public key.' });
  const child = spawn(process.execPath, backup, {
    env: options.env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const end = waitForExit(child);
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
  const next = new Date(Date.parse(recent) + 24 * 3_600_000).toISOString();
  t.equal(line, `Next backup: ${next}\n`);
  child.kill('SIGTERM');
  t.equal(await end, 0);
});

t.test('the connections of all processes fit into the database', async (t) => {
  const [, max] = /--max_connections=(\d+)/.exec(services.database.command?.join(' ') ?? '') ?? [];
  const pool = Number(Reflect.get(EnvironmentSchema.properties.DATABASE_POOL_SIZE, 'default'));
  const reserved = 3;
  t.ok(Number(max) - reserved > ofService.length * (pool + 1));
});

const skipPostgres = await access(DEBIAN_POSTGRES).then(
  () => false as const,
  () => 'NOT RUN: postgresql-15 of Debian is not installed',
);

t.test('PostgreSQL accepts the settings of Compose', { skip: skipPostgres }, async (t) => {
  const folder = await createScratchFolder(t);
  await writeFile(join(folder, 'postgresql.conf'), '');
  const [program, ...flags] = services.database.command ?? [];
  t.equal(program, 'postgres');
  // PostgreSQL does not run as root.
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;
  if (user) await chown(folder, user.uid, user.gid);
  const read = (name: string) =>
    spawnSync(DEBIAN_POSTGRES, ['-D', folder, ...flags, '-C', name], {
      encoding: 'utf8',
      timeout: 30_000,
      ...user,
    });
  for (const flag of flags) {
    const [, name = ''] = /^--(\w+)=/.exec(flag) ?? [];
    const { status, stderr } = read(name);
    t.equal(status, 0, `${flag} ${stderr}`);
  }
});
