import { getShownApiKeyPrefix, isApiKeyToken } from '../../src/shared/api-key-token.ts';
import { PRIVATE_WORDS } from './test-resources.ts';

const MAX_TEXT_CHARACTERS = 60;
const MAX_LIST_ITEMS = 1;
/** Above this number of objects it is a map. */
const MAX_MEMBER_OBJECTS = 8;
/** The access tests look for exact positions and for this text where they must not be. */
const MAX_DECIMALS = 4;
const [PRIVATE_TEXT = ''] = PRIVATE_WORDS;

/** Shorten an answer: lists and maps have one item, long texts and JSON Schemas are cut. */
export function toExample(value: unknown): unknown {
  if (typeof value === 'string') return truncate(value.replaceAll(PRIVATE_TEXT, 'Rex'));
  if (typeof value === 'number') return Number(value.toFixed(MAX_DECIMALS));
  if (Array.isArray(value)) return value.slice(0, MAX_LIST_ITEMS).map(toExample);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value);
  const isMap =
    members.length > MAX_MEMBER_OBJECTS &&
    members.every(([, member]) => typeof member === 'object' && member !== null);
  return Object.fromEntries(
    (isMap ? members.slice(0, MAX_LIST_ITEMS) : members).map(([key, member]) => [
      key,
      key === 'schema' ? { type: 'object' } : toExample(member),
    ]),
  );
}

function truncate(text: string): string {
  // Secret scanners find a whole one.
  if (isApiKeyToken(text)) return `${getShownApiKeyPrefix(text)}…`;
  return text.startsWith('whsec_') || (text.length > MAX_TEXT_CHARACTERS && !/^https?:|^\//.test(text))
    ? `${text.slice(0, MAX_TEXT_CHARACTERS / 2)}…`
    : text;
}
