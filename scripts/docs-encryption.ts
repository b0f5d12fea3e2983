// `npm run docs:encryption`: writes the table of encrypted columns into docs/encryption.md.
import { readFile, writeFile } from 'node:fs/promises';
import { withEncryptionTable } from './encryption-table.ts';

const FILE = 'docs/encryption.md';

await writeFile(FILE, withEncryptionTable(await readFile(FILE, 'utf8')));
console.log(`${FILE}: up to date`);
