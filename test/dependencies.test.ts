import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { t } from './tap.ts';

const ROOT = process.cwd();

t.test('Each dependency has its row with a reason, and no row is left over', async (t) => {
  const { dependencies, devDependencies } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  const text = await readFile(join(ROOT, 'docs', 'dependencies.md'), 'utf8');
  const [, atRunTime = '', forDevelopment = ''] = text.split(/^## /m);
  t.same(packagesIn(atRunTime), Object.keys(dependencies).sort());
  t.same(packagesIn(forDevelopment), Object.keys(devDependencies).sort());
  for (const row of rowsOf(text)) t.equal(row.filter((cell) => cell.trim() !== '').length, 6, row.join('|'));
});

function packagesIn(section: string): string[] {
  return rowsOf(section)
    .flatMap(([first = '']) => [...first.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name))
    .sort();
}

function rowsOf(section: string): string[][] {
  const rows = section.split('\n').filter((line) => line.startsWith('| `'));
  return rows.map((line) => line.split('|').slice(1, -1));
}
