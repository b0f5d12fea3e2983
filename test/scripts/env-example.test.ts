import { readFile } from 'node:fs/promises';
import { parseEnv } from 'node:util';
import { formatEnvExample } from '../../scripts/docs/env-example.ts';
import { loadConfig } from '../../src/config.ts';
import { REQUIRED_PRODUCTION_VARIABLES } from '../../src/config-problems.ts';
import { EnvironmentSchema } from '../../src/config-variables.ts';
import { t } from '../tap.ts';

const EXAMPLE = formatEnvExample();

t.test('.env.example matches the schema; `npm run docs` writes it', async (t) => {
  t.equal(await readFile('.env.example', 'utf8'), EXAMPLE, 'outdated: npm run docs');
});

t.test('.env.example has each setting once, below a comment, and sets none', async (t) => {
  const blocks = EXAMPLE.split('\n\n').filter((block) => /^# [A-Z0-9_]+=/m.test(block));
  const names = blocks.map((block) => /^# ([A-Z0-9_]+)=.*\n*$/m.exec(block)?.[1] ?? '');
  t.same(names.toSorted(), Object.keys(EnvironmentSchema.properties).toSorted());
  for (const block of blocks) t.match(block, /^# \S.*\n(?:# .*\n)*# [A-Z0-9_]+=.*\n?$/);
  t.same(parseEnv(EXAMPLE), {});
});

t.test('the values in .env.example are the defaults', async (t) => {
  const values = parseEnv(EXAMPLE.replaceAll(/^# ([A-Z0-9_]+=)/gm, '$1')) as Record<string, string>;
  t.equal(values.BRAND_NAME, 'QR Profile Service');
  t.same(loadConfig(values), loadConfig({}));
});

t.test('settings that production requires are marked', async (t) => {
  const markedSettings = [...EXAMPLE.matchAll(/^# Required in production\.(?:.*\n)+?# ([A-Z0-9_]+)=/gm)];
  t.same(markedSettings.map(([, name]) => name).toSorted(), [...REQUIRED_PRODUCTION_VARIABLES].toSorted());
});
