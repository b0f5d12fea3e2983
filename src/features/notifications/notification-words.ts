import type { Catalogue } from '../../shared/languages/catalogue.ts';
import { type Language, say } from '../../shared/languages/language.ts';

type Sentences = Catalogue['notifications'];

/** What people are told about; the names are those in the catalogue of sentences. */
export type NotificationEvent = Exclude<keyof Sentences, `${string}_NEAR` | 'SCANS_DIGEST'>;

/** What a notification says in a language: its first line, and the rest. */
export interface NotificationWords {
  title: string;
  body: string;
}

/** Puts what a row holds into words; where a place is known it is named. An event that is none is called as it is. */
export function wordsOf(
  { notifications }: Language,
  { event, data }: { event: string; data: Readonly<Record<string, string>> },
): NotificationWords {
  const nearby = `${event}_NEAR`;
  const name = data.place !== undefined && Object.hasOwn(notifications, nearby) ? nearby : event;
  if (!Object.hasOwn(notifications, name)) return { title: event, body: '' };
  const { title, body } = notifications[name as NotificationEvent];
  return { title: say(title, data), body: say(body, data) };
}
