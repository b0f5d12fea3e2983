import { readFile } from 'node:fs/promises';
import { ENTERPRISE_RULES } from '../../../src/features/accounts/enterprise.rules.ts';
import { t } from '../../tap.ts';

const document = await readFile('docs/enterprise-mode.md', 'utf8');

/** The cells of the table below a heading. */
function tableOf(heading: string): string[][] {
  const section = document.slice(document.indexOf(`## ${heading}`)).split('\n## ')[0] ?? '';
  const lines = section.split('\n').filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
}

t.test('The document says of enterprise mode what the code does', async (t) => {
  const rows = ENTERPRISE_RULES.map(({ rule, standard, enterprise, scope, file }) => [
    rule,
    standard,
    enterprise,
    scope === 'account' ? 'account or service' : 'service',
    `\`${file}\``,
  ]);
  t.same(tableOf('What it changes'), rows, rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n'));
  for (const { file } of ENTERPRISE_RULES) await t.resolves(readFile(file), file);
});

t.test('Every paragraph of 45 CFR 164.312 names files and tests that exist', async (t) => {
  const rows = tableOf('45 CFR 164.312, paragraph by paragraph');
  t.ok(rows.length >= 11, `${rows.length} paragraphs`);
  for (const [paragraph = '', , code = '', tests = ''] of rows) {
    const files = [...code.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '');
    t.ok(files.length > 0, `${paragraph}: code`);
    for (const file of files) await t.resolves(readFile(file), `${paragraph}: ${file}`);
    const named = [...tests.matchAll(/`([^`]+)`: "([^"]+)"/g)];
    t.ok(named.length > 0, `${paragraph}: tests`);
    for (const [, file = '', title = ''] of named) {
      const source = await readFile(file, 'utf8').catch(() => '');
      t.ok(source.includes(`'${title}'`), `${paragraph}: ${file}: ${title}`);
    }
  }
});
