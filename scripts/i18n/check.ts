// A part of `npm run check`: the keys and types of message catalogues, and what is not translated.
import { listTags, readCatalogue, SOURCE_TAG } from './catalogue-files.ts';
import { areMessageTypesCurrent, MESSAGE_TYPES_FILE } from './message-types.ts';
import { listUntranslated, UNTRANSLATED_FILE } from './untranslated.ts';

const problems: string[] = [];
const english = [...(await readCatalogue(SOURCE_TAG)).keys()];
for (const tag of await listTags()) {
  const keys = [...(await readCatalogue(tag)).keys()];
  const missing = english.filter((key) => !keys.includes(key));
  const unknown = keys.filter((key) => !english.includes(key));
  const misplaced = keys.find((key, index) => key !== english[index]);
  for (const key of missing) problems.push(`${tag}: ${key} is missing`);
  for (const key of unknown) problems.push(`${tag}: ${key} is not in English`);
  if (missing.length + unknown.length === 0 && misplaced !== undefined)
    problems.push(`${tag}: ${misplaced} is not where English has it`);
}
const untranslated = await listUntranslated();
for (const mark of untranslated) problems.push(`${mark} is still English`);
if (!(await areMessageTypesCurrent()))
  problems.push(`${MESSAGE_TYPES_FILE} is out of date: npm run i18n:types`);

for (const problem of problems) console.error(problem);
if (untranslated.length > 0)
  console.error(`A text that is the same in a language is right: remove its line from ${UNTRANSLATED_FILE}.`);
process.exitCode = problems.length > 0 ? 1 : 0;
