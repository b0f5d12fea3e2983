import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { access, readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { PACKAGE_CONTENTS } from '../../scripts/package/create-package.ts';
import { EnvironmentSchema } from '../../src/config-variables.ts';
import { t } from '../tap.ts';

// There is no Docker where tests run: check what is possible without it.
const run = promisify(execFile);
const dockerfile = (await readFile('Dockerfile', 'utf8')).replaceAll('\\\n', ' ');
const instructions = dockerfile
  .split('\n')
  .map((line) => /^([A-Z]+)\s+(.*)$/.exec(line))
  .flatMap((match) => (match ? [{ name: match[1] ?? '', text: match[2]?.trim() ?? '' }] : []));
const last = instructions.slice(instructions.findLastIndex(({ name }) => name === 'FROM'));
const textOf = (name: string) => last.find((instruction) => instruction.name === name)?.text ?? '';
const settings = last.findLast(({ name }) => name === 'ENV')?.text ?? '';

t.test('the image sets only known variables', async (t) => {
  for (const [, name = ''] of settings.matchAll(/(\w+)=/g)) t.hasProp(EnvironmentSchema.properties, name);
});

t.test('the build context contains all inputs of the build, but no data and no secrets', async (t) => {
  const ignore = (await readFile('.dockerignore', 'utf8')).split('\n');
  t.ok(ignore.includes('*'), 'everything else is excluded');
  const includedPaths = ignore.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  for (const path of includedPaths) await t.resolves(access(path), path);
  const isIncluded = (path: string) =>
    includedPaths.some((included) => path === included || path.startsWith(`${included}/`));
  for (const path of PACKAGE_CONTENTS) t.ok(path === 'dist' || isIncluded(path), path);
  for (const secret of ['.env', '.data', 'uploads', '.git']) t.notOk(isIncluded(secret));
});

t.test('the image has what the service reads of the package', async (t) => {
  const copied = last
    .filter(({ name, text }) => name === 'COPY' && text.includes('--from=build'))
    .flatMap(({ text }) => text.split(/\s+/).filter((word) => word.startsWith('/app/')))
    .map((path) => path.replace('/app/', ''));
  t.same(copied, ['package.json', 'prisma', 'locales', 'node_modules', 'dist', 'data', 'backups']);
});

t.test('packages are installed before the sources are copied, each with its manifest', async (t) => {
  const [install = -1, copy = -1] = [/^npm ci --ignore-scripts/, /^\. \.$/].map((pattern) =>
    instructions.findIndex(({ text }) => pattern.test(text)),
  );
  t.ok(0 < install && install < copy);
  const manifests = instructions.slice(0, install).map(({ text }) => text.split(' ')[0]);
  for (const name of await readdir('packages'))
    t.ok(manifests.includes(`packages/${name}/package.json`), name);
});

t.test('the health check reports whether the service is ready', async (t) => {
  const [, command = ''] = /CMD (\[.*\])$/.exec(textOf('HEALTHCHECK')) ?? [];
  const [program = '', ...rest]: string[] = JSON.parse(command);
  t.equal(program, 'node');
  let status = 200;
  const requestedUrls: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    requestedUrls.push(request.url);
    response.writeHead(status).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const check = () => run(process.execPath, rest, { env: { PORT: String(port) } });

  await t.resolves(check());
  status = 503;
  await t.rejects(check(), { code: 1 });
  t.same(requestedUrls, ['/api/health/ready', '/api/health/ready']);
  await new Promise((resolve) => server.close(resolve));
  await t.rejects(check(), { code: 1 }, 'no server answers');
});
