// `npm run docs:personal-data`: writes docs/personal-data.md from the table in the feature.
import { writeFile } from 'node:fs/promises';
import { createPersonalDataDocument } from './personal-data-document.ts';

const FILE = 'docs/personal-data.md';

await writeFile(FILE, createPersonalDataDocument());
console.log(`${FILE}: up to date`);
