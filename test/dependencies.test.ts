import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { t } from './tap.ts';

const ROOT = process.cwd();

t.test('each dependency has its row with a reason, and no row is left over', async (t) => {
  const { dependencies, devDependencies } = await readPackage(ROOT);
  const external = Object.keys(devDependencies).filter((name) => !name.startsWith('@qr-profile-service/'));
  const folders = await readdir(join(ROOT, 'packages'));
  const paths = ['docs/.vitepress', ...folders.map((name) => `packages/${name}`)];
  const packages = await Promise.all(paths.map((path) => readPackage(join(ROOT, path))));
  const packageDependencies = packages.flatMap((one) =>
    Object.keys({ ...one.dependencies, ...one.devDependencies }),
  );
  const shared = new Set([...Object.keys(dependencies), ...external]);
  const text = await readFile(join(ROOT, 'docs', 'reference', 'dependencies.md'), 'utf8');
  const [, runtimeSection = '', developmentSection = '', packagesSection = ''] = text.split(/^## /m);
  t.same(packagesIn(runtimeSection), Object.keys(dependencies).sort());
  t.same(packagesIn(developmentSection), external.sort());
  t.same(packagesIn(packagesSection), packageDependencies.filter((name) => !shared.has(name)).sort());
  for (const row of rowsOf(runtimeSection + developmentSection + packagesSection))
    t.equal(row.filter((cell) => cell.trim() !== '').length, 6, row.join('|'));
});

async function readPackage(folder: string) {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
}

function packagesIn(section: string): string[] {
  return rowsOf(section)
    .flatMap(([first = '']) => [...first.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name))
    .sort();
}

function rowsOf(section: string): string[][] {
  const rows = section.split('\n').filter((line) => line.startsWith('| `'));
  return rows.map((line) => line.split('|').slice(1, -1));
}
