// `npm run i18n:types`: write the types of message keys, and forget marks of messages that are translated now.
import { MESSAGE_TYPES_FILE, writeMessageTypes } from './message-types.ts';
import { listUntranslated, removeTranslatedMarks, UNTRANSLATED_FILE } from './untranslated.ts';

const changed = await writeMessageTypes();
await removeTranslatedMarks();
const untranslated = await listUntranslated();
console.log(changed ? `changed: ${changed}` : `${MESSAGE_TYPES_FILE} is up to date.`);
if (untranslated.length > 0)
  console.log(`${untranslated.length} messages are still English: ${UNTRANSLATED_FILE}`);
