// `npm run docs:encryption`: writes the table of encrypted columns into docs/encryption.md.
import { readFile, writeFile } from 'node:fs/promises';
import { replaceEncryptionTable } from './encryption-table.ts';

const FILE = 'docs/encryption.md';

await writeFile(FILE, replaceEncryptionTable(await readFile(FILE, 'utf8')));
console.log(`${FILE}: up to date`);
