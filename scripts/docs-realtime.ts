// `npm run docs:realtime`: writes docs/realtime.md from the schemas of the events.
import { writeFile } from 'node:fs/promises';
import { createRealtimeDocument } from './realtime-document.ts';

const FILE = 'docs/realtime.md';

await writeFile(FILE, createRealtimeDocument());
console.log(`${FILE}: up to date`);
