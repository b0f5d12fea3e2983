import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import { type Formatters, IntlMessageFormat } from 'intl-messageformat';
import { DEFAULT_LOCALE, MESSAGE_CATALOGUES } from './locales.ts';

export type MessageValues<Value = never> = Readonly<Record<string, string | number | Value | undefined>>;

interface ParsedMessage {
  elements: MessageFormatElement[];
  argumentNames: readonly string[];
  format: IntlMessageFormat;
}

/** By locale and key, parsed on first use; a message without arguments is its text. */
const parsedMessages = new Map<string, Map<string, ParsedMessage | string>>();

export function isKnownMessageKey(key: string): boolean {
  return MESSAGE_CATALOGUES.get(DEFAULT_LOCALE.tag)?.has(key) ?? false;
}

/** Format a message whose key is known only at run time. Never fails: shows the placeholder or the key. */
export function formatMessage({ tag }: { tag: string }, key: string, values: MessageValues = {}): string {
  const message = getMessage(tag, key);
  if (typeof message === 'string') return message;
  return isComplete(message, values)
    ? String(message.format.format(values))
    : joinWithPlaceholders(message.elements, values).join('');
}

export function formatMessageToParts<Value extends object>(
  { tag }: { tag: string },
  key: string,
  values: MessageValues<Value>,
): (string | Value)[] {
  const message = getMessage(tag, key);
  if (typeof message === 'string') return [message];
  if (!isComplete(message, values)) return joinWithPlaceholders(message.elements, values);
  return message.format.formatToParts<Value>(values).map(({ value }) => value);
}

function listMessageArguments(elements: readonly MessageFormatElement[]): string[] {
  const names = elements.flatMap((element): string[] => {
    if (element.type === TYPE.literal || element.type === TYPE.pound) return [];
    if (element.type !== TYPE.select && element.type !== TYPE.plural) return [element.value];
    return [
      element.value,
      ...Object.values(element.options).flatMap(({ value }) => listMessageArguments(value)),
    ];
  });
  return [...new Set(names)];
}

export function parseIcuMessage(text: string): MessageFormatElement[] {
  return parse(text, { ignoreTag: true });
}

function getMessage(tag: string, key: string): ParsedMessage | string {
  let messages = parsedMessages.get(tag);
  if (!messages) {
    messages = new Map();
    parsedMessages.set(tag, messages);
  }
  let message = messages.get(key);
  if (message === undefined) {
    const text =
      MESSAGE_CATALOGUES.get(tag)?.get(key) ?? MESSAGE_CATALOGUES.get(DEFAULT_LOCALE.tag)?.get(key);
    // Keys can come from outside: unknown ones must not fill the memory.
    if (text === undefined) return key;
    message = parseText(tag, text);
    messages.set(key, message);
  }
  return message;
}

function parseText(tag: string, text: string): ParsedMessage | string {
  if (!/[{}']/.test(text)) return text;
  const elements = parseIcuMessage(text);
  const format = new IntlMessageFormat(elements, tag, undefined, { formatters: FORMATTERS });
  return { elements, argumentNames: listMessageArguments(elements), format };
}

function isComplete({ argumentNames }: ParsedMessage, values: MessageValues<object>): boolean {
  return argumentNames.every((name) => values[name] !== undefined);
}

function joinWithPlaceholders<Value>(
  elements: readonly MessageFormatElement[],
  values: MessageValues<Value>,
  pluralArgument = '',
): (string | Value)[] {
  const toPart = (name: string) => {
    const value = values[name] ?? `{${name}}`;
    return typeof value === 'number' ? String(value) : value;
  };
  return elements.flatMap((element) => {
    if (element.type === TYPE.literal) return [element.value];
    if (element.type === TYPE.pound) return [toPart(pluralArgument)];
    if (element.type !== TYPE.select && element.type !== TYPE.plural) return [toPart(element.value)];
    const option = element.options[String(values[element.value])] ?? element.options.other;
    return joinWithPlaceholders(option?.value ?? [], values, element.value);
  });
}

/** Shared by all messages: formatters are slow to create. */
const FORMATTERS: Formatters = {
  getNumberFormat: memoizeByArguments((...args) => new Intl.NumberFormat(...args)),
  getDateTimeFormat: memoizeByArguments((...args) => new Intl.DateTimeFormat(...args)),
  getPluralRules: memoizeByArguments((...args) => new Intl.PluralRules(...args)),
};

function memoizeByArguments<Args extends unknown[], Result>(
  create: (...args: Args) => Result,
): (...args: Args) => Result {
  const results = new Map<string, Result>();
  return (...args) => {
    const key = JSON.stringify(args);
    const result = results.get(key) ?? create(...args);
    results.set(key, result);
    return result;
  };
}
