import { access, readdir, readFile } from 'node:fs/promises';
import { t } from '../tap.ts';

const FOLDERS = ['docs/security', 'docs/operations', 'docs/adr'];

async function listPages(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith('.md')).map((name) => `${folder}/${name}`);
}

t.test('every test file named in docs/security, docs/operations or docs/adr exists', async (t) => {
  for (const page of (await Promise.all(FOLDERS.map(listPages))).flat())
    for (const [, file = ''] of (await readFile(page, 'utf8')).matchAll(/`(test\/[^`]+)`/g))
      await t.resolves(access(file), `${page}: ${file}`);
});

t.test('every rule of the threat model has a unique heading and names its tests', async (t) => {
  const [, ...rules] = (await readFile('docs/security/threat-model.md', 'utf8')).split('\n### ');
  t.ok(rules.length > 70, `${rules.length} rules`);
  const headings = rules.map((rule) => rule.split('\n')[0]);
  t.equal(new Set(headings).size, headings.length);
  for (const [index, rule] of rules.entries())
    for (const part of ['Threat', 'Expected', 'Tests'])
      t.match(rule, `- **${part}:** `, `${headings[index]}: ${part}`);
});

t.test('every ADR is in the index, has all sections and is short', async (t) => {
  const index = await readFile('docs/adr/README.md', 'utf8');
  for (const page of await listPages('docs/adr')) {
    if (page.endsWith('/README.md')) continue;
    const text = await readFile(page, 'utf8');
    t.ok(text.split('\n').length <= 60, `${page} has at most 60 lines`);
    t.match(index, `](${page.slice('docs/adr/'.length)})`);
    for (const part of ['Status', 'Context', 'Decision', 'Consequences'])
      t.match(text, `\n## ${part}\n`, page);
  }
});
