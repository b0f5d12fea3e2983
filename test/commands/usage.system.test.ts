import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createScratchFolder } from '../scratch-folder.ts';
import { t } from '../tap.ts';
import { runCommandInProcess, runScript } from './run-command.ts';

/** Scripts that run without arguments or pass them on to a tool. */
const OTHERS = /^(?:prepare|i18n:types|sbom|build|package|types)$/;

function fileOf(script: string): string[] {
  const compiled = /scripts\/run-built\.mjs (\S+)\.js(.*)$/.exec(script);
  if (compiled) return [`src/${compiled[1]}.ts`, ...(compiled[2] ?? '').split(' ').filter(Boolean)];
  const source = /(?:tsx|--import=tsx) (?:scripts\/run-transpiled\.ts )?(\S+\.ts.*)$/.exec(script)?.[1] ?? '';
  return source.split(' ');
}

const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as {
  scripts: Record<string, string>;
};
const commands = Object.entries(scripts).filter(([name]) => !OTHERS.test(name));

t.test('every command prints its usage for --help and does nothing else', async (t) => {
  t.ok(commands.length > 15);
  const checkedScripts = new Set<string>();
  for (const [name, script] of commands) {
    const [file = '', ...words] = fileOf(script);
    if (checkedScripts.has(file)) continue;
    checkedScripts.add(file);
    const outcome = await runScript(
      file,
      { DATABASE_URL: 'postgresql://127.0.0.1:1/none' },
      ...words,
      '--help',
    );
    t.match(outcome, { code: 0, errors: '' }, name);
    const commandText = name === 'start' || name === 'test' ? `npm ${name}` : `npm run ${name}`;
    t.ok(outcome.out.includes(commandText), `${name}: ${outcome.out}`);
  }
});

t.test('a subcommand prints its own usage, and its absence those that exist', async (t) => {
  const environment = { DATABASE_URL: 'postgresql://127.0.0.1:1/none' };
  for (const [file, ...words] of [
    ['audit', 'export'],
    ['audit', 'verify'],
    ['maintenance', 'check-files'],
    ['maintenance', 'reconcile-billing'],
  ] as const) {
    const outcome = await runScript(`src/commands/${file}.ts`, environment, ...words, '--help');
    t.match(outcome, { code: 0, errors: '' });
    t.match(outcome.out, `npm run ${file} -- ${words.join(' ')} `);
  }
  for (const words of [[], ['everything'], ['toString']]) {
    const outcome = await runScript('src/commands/maintenance.ts', environment, ...words);
    t.match(outcome, { code: 64, out: '', errors: /Commands: check-files, / });
  }
});

t.test('exits with 64 for invalid arguments and does nothing else', async (t) => {
  const folder = await createScratchFolder(t);
  const environment = { DATA_DIR: folder, TMPDIR: folder };
  for (const [file, ...words] of [
    ['src/server.ts', '--lna'],
    ['src/commands/worker.ts', '--check'],
    ['src/commands/demo.ts', 'bogus'],
    ['src/commands/doctor.ts', '--jsno'],
    ['src/commands/migrate.ts', '--dry-run', '--status'],
    ['src/commands/audit-export.ts', '--force'],
    ['src/commands/backup.ts', '--to', 'backups', '--keep', '0'],
    ['src/commands/backup.ts', '--to', 'backups', '--every', '169h'],
    ['src/commands/restore.ts', '--from', 'backup', '--keys-to', 'keys'],
    ['src/commands/billing-reconcile.ts', '--days', 'many'],
    ['src/commands/audit-verify.ts', '--export', 'only'],
    ['scripts/test.ts', '--bail'],
    ['bench/bench.ts', 'bogus'],
    ['test/fuzz/fuzz.ts', '--requests', 'many'],
  ] as const) {
    const outcome = await runScript(file, environment, ...words);
    t.match(outcome, { code: 64, out: '', errors: /npm (?:run|start|test)/ }, [file, ...words].join(' '));
    if (file.startsWith('src/')) t.match(outcome.errors, `Invalid arguments: ${words.join(' ')}\n`);
  }
  t.same(
    (await readdir(folder)).filter((name) => !name.startsWith('tsx-')),
    [],
  );
});

t.test('creates no database for a command that needs one', async (t) => {
  const folder = await createScratchFolder(t);
  const DATA_DIR = join(folder, 'mistyped');
  for (const [name, ...words] of [
    ['admin', 'list'],
    ['audit-export', join(folder, 'trail')],
    ['audit-public-key'],
    ['audit-verify'],
    ['backup', '--to', join(folder, 'backups')],
    ['billing-reconcile'],
    ['demo'],
    ['files-check'],
    ['images-rebuild'],
    ['keys', 'list'],
    ['migrate'],
    ['scans-reclassify'],
    ['secrets-accept', 'JWT_SECRET'],
  ] as const)
    t.match(
      await runCommandInProcess(name, { DATA_DIR, TMPDIR: folder }, ...words),
      { code: 75, out: '', errors: `There is no database in ${DATA_DIR}. Is DATA_DIR right?` },
      name,
    );
  t.same(
    (await readdir(folder)).filter((name) => !name.startsWith('tsx-')),
    [],
  );
});
