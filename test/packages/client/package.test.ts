import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { t } from '../../tap.ts';

const FOLDER = 'packages/client';
const manifest = JSON.parse(await readFile(`${FOLDER}/package.json`, 'utf8'));

t.test('the package can be published, with license, readme and what it exports', async (t) => {
  t.equal(manifest.private, undefined);
  t.match(manifest, {
    license: 'MIT',
    publishConfig: { access: 'public' },
  });
  const packed = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: FOLDER,
    encoding: 'utf8',
  });
  const [{ files }]: [{ files: { path: string }[] }] = JSON.parse(packed.stdout);
  const paths = files.map(({ path }) => path);
  for (const path of ['LICENSE', 'README.md', 'package.json', 'src/index.ts', 'dist/index.js'])
    t.ok(paths.includes(path), path);
  const folders = new Set(paths.map((path) => path.split('/')[0]));
  for (const target of [manifest.main, manifest.types, ...Object.values<string>(manifest.exports['.'])])
    t.ok(folders.has(target.split('/')[1]), `${target} is in a packed folder`);
  t.equal(await readFile(`${FOLDER}/LICENSE`, 'utf8'), await readFile('LICENSE', 'utf8'));
});

t.test('the links of the readme work outside of the repository', async (t) => {
  const readme = await readFile(`${FOLDER}/README.md`, 'utf8');
  const links = [...readme.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
  t.same(
    links.filter((link) => !/^(?:https:|#)/.test(link)),
    [],
  );
});
