import { FILLED_LINE } from '../../shared/common.schemas.ts';
import { type Language, say } from '../../shared/languages/language.ts';
import { contactsIn } from '../conversations/contacts.rules.ts';
import { LONGEST_MESSAGE } from '../conversations/conversations.schemas.ts';
import { plainText } from '../conversations/message-text.rules.ts';
import { needsWords, PRESETS, type Preset } from '../conversations/presets.rules.ts';
import type { Typed } from './sections/write-form.ts';

/** The fields of the form, as they come. */
export interface MessageFields {
  message?: string;
  preset?: string;
  name?: string;
  email?: string;
  /** Where a robot writes, and no person sees. Its name is one that no browser fills in. */
  nothing?: string;
  confirmed?: string;
}

/** Nobody reads the page and writes in less, in seconds. */
export const FASTEST = 2;

const NAME = new RegExp(FILLED_LINE, 'u');

/** Whether what was typed as a name is one. */
export function isSeenName(name: string): boolean {
  return NAME.test(name);
}

/** What was typed, in Unicode's composed form and without blanks around it. */
export function typedOf({ message = '', preset = '', name = '', email = '' }: MessageFields): Typed {
  const known = PRESETS.find((one): one is Preset => one === preset) ?? null;
  return {
    message: plainText(message),
    preset: known,
    name: name.normalize('NFC').trim().slice(0, 80),
    email: email.trim(),
  };
}

/** What is wrong with a message; null where nothing is. */
export function faultOf(
  { message, preset }: Pick<Typed, 'message' | 'preset'>,
  { conversation, tag }: Language,
): string | null {
  if (message === '' && preset === null) return conversation.empty;
  if (message === '' && needsWords(preset)) return conversation.placeMissing;
  const count = new Intl.NumberFormat(tag).format(LONGEST_MESSAGE);
  return [...message].length > LONGEST_MESSAGE ? say(conversation.tooLong, { count }) : null;
}

/** What a message, and a name beneath it, show of their sender, as a question; null where they show nothing. */
export function questionOf(
  { message, name }: Pick<Typed, 'message' | 'name'>,
  { conversation }: Language,
): string | null {
  const [first, second] = contactsIn(message);
  const shows = second
    ? conversation.showsBoth
    : first === 'EMAIL'
      ? conversation.showsEmail
      : conversation.showsPhone;
  const said = [...(first ? [shows] : []), ...(contactsIn(name).length > 0 ? [conversation.nameShows] : [])];
  return said.length === 0 ? null : [...said, conversation.showsAsk].join(' ');
}
