import { spawn, spawnSync } from 'node:child_process';
import { readFile, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Test } from 'tap';
import { findFreePort } from '../../src/start/find-free-port.ts';
import { startService } from '../process/service-process.ts';
import { createPreparedDataFolder } from '../scratch-folder.ts';
import { t } from '../tap.ts';
import { GUIDES } from './guides.ts';
import { type CodeBlock, listHeadings, listMarkdownFiles, parseCodeBlocks } from './markdown.ts';

const GETTING_STARTED = 'docs/guides/getting-started.md';
/** It registers an account that other guides log in to, and make if they run alone. */
const GUIDE_FILES = [...new Set([GETTING_STARTED, ...(await listMarkdownFiles('docs/guides'))])];
const PREREQUISITES = '## Before you start';
const SEPARATOR = '=== end of block ===';

/** Names, enum values, events and booleans are the same in each run; ids, tokens and times are not. */
const STABLE_FIELDS_PATTERN = /"[\w.]+": ?(?:"[A-Z][A-Z_]+"|"[a-z_]+\.[a-z_]+"|true|false)?/g;

const lacks = (program: string) => spawnSync(program, ['--version']).error !== undefined;
const missing = ['bash', 'curl', 'node'].filter(lacks);
const skip = missing.length > 0 ? `needs ${missing.join(' and ')}` : false;
const hasPsql = !lacks('psql');

/** `sh` blocks without `no-run` run, and `psql` blocks if psql is installed. */
const isRun = ({ language, flags, code }: CodeBlock) =>
  language === 'sh' && !flags.includes('no-run') && (hasPsql || !code.startsWith('psql'));

interface Guide {
  file: string;
  markdown: string;
  allBlocks: readonly CodeBlock[];
  /** Those of `allBlocks` that run. */
  blocks: readonly CodeBlock[];
}

interface Reader {
  folder: string;
  base: string;
}

// README.md and the first guide create the same account. Run one: `GUIDE=codes npm run test:system -- test/docs`.
for (const guides of [await readGuides(['README.md']), await readGuides(GUIDE_FILES)]) {
  const [first] = guides;
  if (!first) continue;
  t.test(`commands run as documented, from ${first.file} on`, { skip }, async (t) => {
    const reader = await startReader(t);
    for (const guide of guides) await t.test(guide.file, (t) => runGuide(t, guide, reader));
  });
}

async function readGuides(files: string[]): Promise<Guide[]> {
  const selected = files.filter((file) => file.includes(process.env.GUIDE ?? ''));
  const guides = await Promise.all(
    selected.map(async (file) => {
      const markdown = await readFile(file, 'utf8');
      const allBlocks = parseCodeBlocks(markdown);
      return { file, markdown, allBlocks, blocks: allBlocks.filter(isRun) };
    }),
  );
  return guides.filter(({ blocks }) => blocks.length > 0);
}

async function startReader(t: Test): Promise<Reader> {
  const folder = await createPreparedDataFolder(t);
  const service = startService(t, { dataDir: folder, port: await findFreePort() });
  await service.ready();
  // The guides run in the folder of the service.
  await symlink(resolve('docs'), join(folder, 'docs'));
  return { folder, base: service.base };
}

async function runGuide(t: Test, guide: Guide, reader: Reader): Promise<void> {
  const { file, markdown, allBlocks, blocks } = guide;
  const { facts = [], check } = GUIDES[file] ?? {};
  if (file !== 'README.md')
    t.equal(listHeadings(markdown)[1], PREREQUISITES, 'the first section names the prerequisites');
  const script = [
    // A reader's bash has no pipefail.
    'set -eu',
    `echo '${SEPARATOR}'`,
    ...blocks.flatMap(({ code }) => [code, `echo '${SEPARATOR}'`]),
  ].join('\n');
  const { exitCode, output, errors } = await runScript(script, reader);
  t.equal(exitCode, 0, errors);

  t.notMatch(output, /\S=== |\}\{/, 'each answer ends with a newline');
  const outputs = output.split(SEPARATOR).slice(1);
  for (const [index, block] of blocks.entries()) {
    const next = allBlocks[allBlocks.indexOf(block) + 1];
    const expected = next && !isRun(next) && next.language !== 'sh' ? next.code : '';
    assertAnswerShown(t, expected, outputs[index] ?? '', block.code);
  }
  for (const fact of facts) t.ok(output.includes(fact), fact);
  await check?.(t, reader.folder);
}

async function runScript(script: string, { folder, base }: Reader) {
  const shell = spawn('bash', ['-c', script], {
    cwd: folder,
    env: { ...process.env, BASE: base, DATA_DIR: folder, SERVICE_DIR: process.cwd() },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  shell.stdout.on('data', (chunk) => {
    output += chunk;
  });
  shell.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const exitCode = await new Promise((resolve) => shell.once('close', resolve));
  return { exitCode, output, errors };
}

/** Assert that the output has the names and values of a documented response, and no undocumented error. */
function assertAnswerShown(t: Test, expected: string, output: string, code: string): void {
  const [name] = code.split('\n');
  const fields = [...expected.matchAll(STABLE_FIELDS_PATTERN)].map(([text]) => text.replace(/: /, ':'));
  t.same(
    fields.filter((text) => !output.includes(text)),
    [],
    `${name} answers as documented`,
    { printed: output },
  );
  for (const [, error = ''] of output.matchAll(/"type":"\/api\/docs\/errors\/(\w+)"/g)) {
    t.ok(expected.includes(error), `${name} answers no undocumented error: ${error}`, {
      printed: output,
    });
  }
}
