// Runs the whole test suite, or the files given, against a PostgreSQL of its own, and ends with
// a line "N passed, N failed".
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { prepareDatabase } from '../src/platform/prepare-database.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../src/sandbox/embedded-postgres.ts';
import { QUEUES } from '../src/services.ts';

const TEMPLATE = 'qr_template';
const SUMMARY = /^# \{ total: (\d+)(?:, pass: (\d+))?(?:, fail: (\d+))?(?:, todo: (\d+))?(?:, skip: (\d+))? \}/;

const quiet = { info() {}, warn() {}, error: (details: object, message: string) => console.error(message, details) };
const bin = (name: string) => join('node_modules', '.bin', name);

process.exitCode = await main(process.argv.slice(2));

async function main(files: string[]): Promise<number> {
  if (!existsSync('.tap/plugins')) await run(bin('tap'), ['build'], {});
  const dataDir = await mkdtemp(join(tmpdir(), 'qr-test-'));
  const server = await startEmbeddedPostgres({ dataDir, log: quiet });
  const stop = async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop().then(() => process.exit(1)));
  try {
    await makeTemplate(server);
    return await runTap(files, {
      TEST_OWNER_URL: server.ownerUrl,
      TEST_APPLICATION_URL: server.applicationUrl,
      TEST_TEMPLATE: TEMPLATE,
    });
  } finally {
    await stop();
  }
}

/** Makes the migrated database that each test file clones. */
async function makeTemplate(server: EmbeddedPostgres): Promise<void> {
  const client = new pg.Client({ connectionString: server.ownerUrl });
  await client.connect();
  await client.query(`CREATE DATABASE ${TEMPLATE}`);
  await client.end();
  await prepareDatabase({
    ownerUrl: onTemplate(server.ownerUrl),
    applicationUrl: onTemplate(server.applicationUrl),
    migrationsFolder: 'prisma/migrations',
    queues: QUEUES,
    log: quiet,
  });
}

function onTemplate(address: string): string {
  const url = new URL(address);
  url.pathname = `/${TEMPLATE}`;
  return url.href;
}

async function runTap(files: string[], environment: Record<string, string>): Promise<number> {
  const child = spawn(bin('tap'), ['--reporter=tap', ...files], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let block: string[] = [];
  let counts: (number | undefined)[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    block.push(line);
    const file = /^(not )?ok \d+ - (.*)$/.exec(line);
    if (file) {
      console.log(`${file[1] ? 'FAILED' : 'passed'} ${file[2]}`);
      if (file[1]) console.log(failures(block).join('\n'));
      block = [];
    }
    if (/# SKIP/i.test(line)) console.log(`not run: ${line.trim()}`);
    const summary = SUMMARY.exec(line);
    if (summary) counts = summary.slice(1).map((text) => (text ? Number(text) : 0));
  }
  const code = await new Promise<number>((resolve) => {
    if (child.exitCode !== null) resolve(child.exitCode);
    else child.once('close', (exit) => resolve(exit ?? 1));
  });
  const [, pass = 0, fail = 0] = counts;
  const failed = fail === 0 && code !== 0 ? 1 : fail;
  console.log(`\n${pass} passed, ${failed} failed`);
  return failed > 0 || pass === 0 ? 1 : 0;
}

/** The lines of failed points with their diagnostics. */
function failures(block: string[]): string[] {
  const kept: string[] = [];
  let depth = -1;
  for (const line of block) {
    const indent = line.length - line.trimStart().length;
    if (/^\s*not ok /.test(line)) depth = indent;
    else if (/^\s*(ok |# Subtest|\d+\.\.\d+)/.test(line)) depth = -1;
    if (depth >= 0 && kept.length < 400) kept.push(line);
  }
  return kept;
}

function run(command: string, args: string[], env: Record<string, string>): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: 'inherit' });
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`${command} ended with ${code}`))));
  });
}
