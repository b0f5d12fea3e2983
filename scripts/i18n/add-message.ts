// `npm run i18n:add`: add a message to every catalogue, in English where there is no translation yet.
import { readFile } from 'node:fs/promises';
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
  npm run i18n:add <key> <file>.json          adds the texts of the file: {"en": "Registered with", "de": "Registriert bei", …}
A language without a text gets the English one. npm run check lists what is missing.`;

const [key = '', source = '', after] = readCommandArguments(
  USAGE,
  (args) => args.length === 2 || args.length === 3,
);
const english = await readCatalogue(SOURCE_TAG);
if (!/^\w+(?:\.\w+)+$/.test(key)) exitWithUsage(USAGE, `${key} is no key: an area, a dot and a name.`);
if (english.has(key)) exitWithUsage(USAGE, `${key} exists already.`);
if (after !== undefined && !english.has(after)) exitWithUsage(USAGE, `There is no key ${after}.`);

const tags = await listTags();
const messages = /^\S+\.json$/.test(source) ? await readMessages(source) : { [SOURCE_TAG]: source };
const message = messages[SOURCE_TAG];
if (message === undefined) exitWithUsage(USAGE, `${source} has no text for ${SOURCE_TAG}.`);
for (const [tag, text] of Object.entries(messages)) {
  if (!tags.includes(tag)) exitWithUsage(USAGE, `There is no language ${tag}.`);
  try {
    parseIcuMessage(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : error;
    exitWithUsage(USAGE, `The text for ${tag} is no ICU message: ${reason}`);
  }
}

const previousKey = after ?? findPreviousKey([...english.keys()], key);
for (const tag of tags)
  await writeCatalogueText(
    tag,
    insertMessage(await readCatalogueText(tag), previousKey, key, messages[tag] ?? message),
  );
const untranslated = tags.filter((tag) => messages[tag] === undefined);
await markUntranslated(untranslated, key);
const typesFile = await writeMessageTypes();
console.log(
  `${key} is in ${tags.length} catalogues after ${previousKey ?? 'all others'}, and in ${typesFile ?? 'no types'}.`,
);
if (untranslated.length > 0)
  console.log(
    `Next: translate it in ${untranslated.length} of them. ${UNTRANSLATED_FILE} lists what is still English.`,
  );

/** @returns the texts by language */
async function readMessages(file: string): Promise<Record<string, string>> {
  const text = await readFile(file, 'utf8').catch(() => exitWithUsage(USAGE, `There is no file ${file}.`));
  const messages: unknown = parseJson(text);
  if (
    typeof messages !== 'object' ||
    messages === null ||
    Object.values(messages).some((value) => typeof value !== 'string')
  )
    return exitWithUsage(USAGE, `${file} is no JSON object of texts.`);
  return { ...messages };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
