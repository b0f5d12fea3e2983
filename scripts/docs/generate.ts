// `npm run docs`: write or check the generated files of the repository, from the sources and a temporary migrated database.
import { readFile } from 'node:fs/promises';
import * as app from '../../src/app.ts';
import * as config from '../../src/config.ts';
import * as database from '../../src/platform/database.ts';
import * as services from '../../src/services.ts';
import { readCommandArguments } from '../../src/shared/command-usage.ts';
import { generateClientTypes } from '../build/client-types.ts';
import { describeApplication } from '../build/describe-application.ts';
import { writeGeneratedFile } from '../build/write-generated-file.ts';
import { generateDocuments } from './documents.ts';
import { withMigratedDatabase } from './migrated-database.ts';
import { formatInterface, INTERFACE_FILE } from './openapi.ts';

const USAGE = `Usage:
  npm run docs               writes .env.example and the generated files of docs/reference
  npm run docs -- --release  also the interface that later changes are compared with
  npm run docs -- --check    only says which of them are out of date`;

const OPTIONS = ['--release', '--check'];

const options = readCommandArguments(USAGE, (args) => args.every((word) => OPTIONS.includes(word)));
const isCheck = options.includes('--check');
const { routes, api } = await describeApplication({ ...app, ...config, ...database, ...services });
const documents = await withMigratedDatabase((client) => generateDocuments({ client, routes, api }));
if (options.includes('--release')) documents.set(INTERFACE_FILE, formatInterface(api));
const changed: string[] = [];
for (const [file, text] of documents) {
  const isChanged = isCheck
    ? (await readFile(file, 'utf8').catch(() => '')) !== text
    : await writeGeneratedFile(file, text);
  if (isChanged) changed.push(file);
}
// Git ignores these: they are written in any case.
for (const [file, text] of await generateClientTypes(api)) await writeGeneratedFile(file, text);

const unchanged = `${documents.size - changed.length} files are up to date.`;
for (const file of changed) console.log(isCheck ? `out of date: ${file}` : `changed: ${file}`);
console.log(isCheck && changed.length > 0 ? `${unchanged} Run npm run docs.` : unchanged);
process.exit(isCheck && changed.length > 0 ? 1 : 0);
