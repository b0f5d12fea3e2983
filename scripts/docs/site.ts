// `npm run docs:site`: write the pages that are not in the repository, then build or serve the documentation site.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readCommandArguments } from '../../src/shared/command-usage.ts';
import { writeGeneratedFile } from '../build/write-generated-file.ts';
import { DATABASE_FOLDER, generateSitePages } from './documents.ts';
import { withMigratedDatabase } from './migrated-database.ts';

/** Has a package.json of its own: only this command needs its packages. */
const SITE_FOLDER = 'docs/.vitepress';

const USAGE = `Usage:
  npm run docs:site           builds the documentation site and finds dead links
  npm run docs:site -- --dev  shows it, and updates it on every change of a page`;

const [option] = readCommandArguments(
  USAGE,
  ([word = '--dev', ...rest]) => word === '--dev' && rest.length === 0,
);
await rm(DATABASE_FOLDER, { recursive: true, force: true });
const [pages, installStatus] = await Promise.all([
  withMigratedDatabase(generateSitePages),
  installSitePackages(),
]);
for (const [file, text] of pages) await writeGeneratedFile(file, text);
process.exitCode =
  installStatus ||
  (await run(join(SITE_FOLDER, 'node_modules/.bin/vitepress'), [option ? 'dev' : 'build', 'docs']));

/** Install the packages of the site, which `npm ci` of the project does not, if they are missing or outdated. */
async function installSitePackages(): Promise<number> {
  const [locked, installed] = await Promise.all([
    getModificationTime(join(SITE_FOLDER, 'package-lock.json')),
    // npm writes it at the end of each installation.
    getModificationTime(join(SITE_FOLDER, 'node_modules/.package-lock.json')),
  ]);
  return locked < installed ? 0 : run('npm', ['ci', '--no-audit', '--no-fund', '--prefix', SITE_FOLDER]);
}

async function getModificationTime(path: string): Promise<number> {
  return (await stat(path).catch(() => null))?.mtimeMs ?? 0;
}

async function run(command: string, words: string[]): Promise<number> {
  const child = spawn(command, words, { stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  return code ?? 1;
}
