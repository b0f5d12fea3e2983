import { type Html, html } from '../html.ts';
import { formatMessage, formatMessageToParts, type MessageValues } from './format-message.ts';
import type { Locale } from './locales.ts';
import type { MessageArguments } from './message-arguments.ts';

export type MessageKey = keyof MessageArguments;

/** Names directly within an area: `MessageName<'kinds'>` is `'PET' | 'CAR' | …`. */
export type MessageName<
  Area extends string,
  Key extends MessageKey = MessageKey,
> = Key extends `${Area}.${infer Name}` ? Name : never;

type Values<Key extends MessageKey> = (
  Key extends MessageKey
    ? (values: MessageArguments[Key]) => void
    : never
) extends (values: infer All) => void
  ? All
  : never;

type Arguments<Key extends MessageKey> = keyof Values<Key> extends never ? [] : [values: Values<Key>];

type Locator = Pick<Locale, 'tag'>;

export function t<Key extends MessageKey>(locale: Locator, key: Key, ...[values]: Arguments<Key>): string {
  return formatMessage(locale, key, values as MessageValues | undefined);
}

/** Translate a message whose values can be markup; all other text is escaped. */
export function translateHtml<Key extends MessageKey>(
  locale: Locator,
  key: Key,
  values: { [Name in keyof Values<Key>]: Values<Key>[Name] | Html },
): Html {
  const parts = formatMessageToParts(locale, key, values as MessageValues<Html>);
  return html`${parts.map((part) => (typeof part === 'string' ? html`${part}` : part))}`;
}
