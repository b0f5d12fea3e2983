import { readFile } from 'node:fs/promises';
import { ENTERPRISE_MODE_RULES } from '../../../../src/features/identity/accounts/enterprise.rules.ts';
import { t } from '../../../tap.ts';
import { SAFEGUARD_EVIDENCE } from './safeguard-evidence.ts';

const document = await readFile('docs/guides/enterprise-mode.md', 'utf8');

/** Read the cells of the first table below a heading. */
function readTable(heading: string): string[][] {
  const section = document.slice(document.indexOf(`## ${heading}`)).split('\n## ')[0] ?? '';
  const lines = section.split('\n').filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
}

t.test('the enterprise mode guide lists the rules of the code', async (t) => {
  const rows = ENTERPRISE_MODE_RULES.map(({ rule, standard, enterprise, scope }) => [
    rule,
    standard,
    enterprise,
    scope === 'account' ? 'account or service' : 'service',
  ]);
  t.same(readTable('What it changes'), rows, rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n'));
  for (const { file } of ENTERPRISE_MODE_RULES) await t.resolves(readFile(file), file);
});

t.test('every paragraph of 45 CFR 164.312 has code and tests that exist', async (t) => {
  const rows = readTable('45 CFR 164.312, paragraph by paragraph');
  t.same(
    rows.map(([paragraph]) => paragraph),
    SAFEGUARD_EVIDENCE.map(({ paragraph }) => paragraph),
  );
  t.ok(rows.length >= 11, `${rows.length} paragraphs`);
  for (const { paragraph, code, tests } of SAFEGUARD_EVIDENCE) {
    t.ok(code.length > 0, `${paragraph}: code`);
    for (const file of code) await t.resolves(readFile(file), `${paragraph}: ${file}`);
    t.ok(Object.keys(tests).length > 0, `${paragraph}: tests`);
    for (const [file, titles] of Object.entries(tests)) {
      const source = await readFile(file, 'utf8').catch(() => '');
      for (const title of titles) t.ok(source.includes(`'${title}'`), `${paragraph}: ${file}: ${title}`);
    }
  }
});
