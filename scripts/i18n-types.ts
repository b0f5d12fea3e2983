// `npm run i18n:types`: generate the types of message keys and arguments from the English catalog.
import { readFile, writeFile } from 'node:fs/promises';
import { createMessageTypes } from './message-types.ts';

const CATALOGUE = 'locales/en.json';
const TYPES = 'src/shared/i18n/message-arguments.ts';

const messages: Record<string, string> = JSON.parse(await readFile(CATALOGUE, 'utf8'));
await writeFile(TYPES, createMessageTypes(new Map(Object.entries(messages))));
console.log(`${TYPES} is up to date`);
