// `npm run i18n:add`: add a message to every catalogue, in English until it is translated.
import { exitWithUsage, readCommandArguments } from '../../src/shared/command-usage.ts';
import { parseIcuMessage } from '../../src/shared/i18n/format-message.ts';
import {
  findPreviousKey,
  insertMessage,
  listTags,
  readCatalogue,
  readCatalogueText,
  SOURCE_TAG,
  writeCatalogueText,
} from './catalogue-files.ts';
import { writeMessageTypes } from './message-types.ts';
import { markUntranslated, UNTRANSLATED_FILE } from './untranslated.ts';

const USAGE = `Usage:
  npm run i18n:add <key> "<English>"          adds a message at the end of its area in every language
  npm run i18n:add <key> "<English>" <after>  adds it after another key
The text is English everywhere until somebody translates it. npm run check lists what is missing.`;

const [key = '', message = '', after] = readCommandArguments(
  USAGE,
  (args) => args.length === 2 || args.length === 3,
);
const english = await readCatalogue(SOURCE_TAG);
if (!/^\w+(?:\.\w+)+$/.test(key)) exitWithUsage(USAGE, `${key} is no key: an area, a dot and a name.`);
if (english.has(key)) exitWithUsage(USAGE, `${key} exists already.`);
if (after !== undefined && !english.has(after)) exitWithUsage(USAGE, `There is no key ${after}.`);
try {
  parseIcuMessage(message);
} catch (error) {
  exitWithUsage(USAGE, `The text is no ICU message: ${error instanceof Error ? error.message : error}`);
}

const tags = await listTags();
const previousKey = after ?? findPreviousKey([...english.keys()], key);
for (const tag of tags)
  await writeCatalogueText(tag, insertMessage(await readCatalogueText(tag), previousKey, key, message));
await markUntranslated(
  tags.filter((tag) => tag !== SOURCE_TAG),
  key,
);
const typesFile = await writeMessageTypes();
console.log(
  `${key} is in ${tags.length} catalogues after ${previousKey ?? 'all others'}, and in ${typesFile ?? 'no types'}.`,
);
console.log(
  `Next: translate it in ${tags.length - 1} of them. ${UNTRANSLATED_FILE} lists what is still English.`,
);
