// `npm run docs:site`: write the pages that are not in the repository, then build or serve the documentation site.
import { spawnSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { readCommandArguments } from '../../src/shared/command-usage.ts';
import { writeGeneratedFile } from '../build/write-generated-file.ts';
import { DATABASE_FOLDER, generateSitePages } from './documents.ts';
import { withMigratedDatabase } from './migrated-database.ts';

const USAGE = `Usage:
  npm run docs:site           builds the documentation site and finds dead links
  npm run docs:site -- --dev  shows it, and updates it on every change of a page`;

const [option] = readCommandArguments(
  USAGE,
  ([word = '--dev', ...rest]) => word === '--dev' && rest.length === 0,
);
await rm(DATABASE_FOLDER, { recursive: true, force: true });
const pages = await withMigratedDatabase(generateSitePages);
for (const [file, text] of pages) await writeGeneratedFile(file, text);
const { status } = spawnSync('node_modules/.bin/vitepress', [option ? 'dev' : 'build', 'docs'], {
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
