// `npm run docs:config`: writes the table of settings into README.md.
import { readFile, writeFile } from 'node:fs/promises';
import { withConfigurationTable } from './configuration-table.ts';

const README = 'README.md';

await writeFile(README, withConfigurationTable(await readFile(README, 'utf8')));
console.log(`${README}: the table of settings is up to date`);
