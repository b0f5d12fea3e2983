// `npm run docs:config`: writes the table of settings into README.md, and .env.example.
import { readFile, writeFile } from 'node:fs/promises';
import { replaceConfigurationTable } from './configuration-table.ts';
import { formatEnvExample } from './env-example.ts';

const README = 'README.md';
const ENV_EXAMPLE = '.env.example';

await writeFile(README, replaceConfigurationTable(await readFile(README, 'utf8')));
await writeFile(ENV_EXAMPLE, formatEnvExample());
console.log(`${README}: the table of settings is up to date`);
console.log(`${ENV_EXAMPLE} is up to date`);
