import type { Form, FormValue } from './form.ts';
import type { Metadata } from './objects.ts';
import { invalid, missing } from './stripe-error.ts';

/** A text; undefined where it is not given, or given empty. */
export function textOf(form: Form, name: string): string | undefined {
  const value = form[name];
  if (value === undefined || value === '') return undefined;
  if (typeof value !== 'string') throw invalid(`Invalid string: ${name}`, name);
  return value;
}

/** A text that must be there. */
export function needText(form: Form, name: string): string {
  const value = textOf(form, name);
  if (value === undefined) throw missing(name);
  return value;
}

/** An address on the web. */
export function urlOf(form: Form, name: string): string | undefined {
  const url = textOf(form, name);
  if (url !== undefined && !(URL.canParse(url) && /^https?:/.test(url)))
    throw invalid('Not a valid URL', name, 'url_invalid');
  return url;
}

/** A whole number. */
export function numberOf(form: Form, name: string): number | undefined {
  const text = textOf(form, name);
  if (text === undefined) return undefined;
  if (!/^-?\d{1,15}$/.test(text))
    throw invalid(`Invalid integer: ${text.slice(0, 40)}`, name, 'parameter_invalid_integer');
  return Number(text);
}

/** Yes or no. */
export function flagOf(form: Form, name: string): boolean | undefined {
  const text = textOf(form, name);
  if (text === undefined) return undefined;
  if (text !== 'true' && text !== 'false') throw invalid(`Invalid boolean: ${text.slice(0, 40)}`, name);
  return text === 'true';
}

/** One of some words. */
export function wordOf<T extends string>(form: Form, name: string, words: readonly T[]): T | undefined {
  const text = textOf(form, name);
  if (text === undefined) return undefined;
  const word = words.find((one) => one === text);
  if (!word) throw invalid(`Invalid ${name}: must be one of ${words.join(', ')}`, name);
  return word;
}

/** An object; empty where it is not given. */
export function objectOf(form: Form, name: string): Form {
  const value = form[name];
  if (value === undefined || value === '') return {};
  if (typeof value !== 'object' || Array.isArray(value)) throw invalid(`Invalid object`, name);
  return value;
}

/** A list; empty where it is not given. */
export function listOf(form: Form, name: string): FormValue[] {
  const value = form[name];
  if (value === undefined || value === '') return [];
  if (!Array.isArray(value)) throw invalid('Invalid array', name);
  return value;
}

/** A list of texts. */
export function textsOf(form: Form, name: string): string[] {
  return listOf(form, name).map((value) => {
    if (typeof value !== 'string') throw invalid('Invalid string', name);
    return value;
  });
}

/** A list of objects. */
export function objectsOf(form: Form, name: string): Form[] {
  return listOf(form, name).map((value) => {
    if (typeof value !== 'object' || Array.isArray(value)) throw invalid('Invalid object', name);
    return value;
  });
}

/** What a person hangs on an object, over what hangs there; an empty text takes away. */
export function metadataOf(form: Form, before: Metadata = {}): Metadata {
  if (form.metadata === '') return {};
  const all: Metadata = { ...before };
  for (const [name, value] of Object.entries(objectOf(form, 'metadata'))) {
    if (typeof value !== 'string' || value.length > 500 || name.length > 40)
      throw invalid('Invalid metadata', `metadata[${name.slice(0, 40)}]`);
    if (value === '') delete all[name];
    else all[name] = value;
  }
  return all;
}

/** Refuses what the emulator does not know: a parameter that did nothing would be believed. */
export function refuseUnknown(form: Form, known: readonly string[]): void {
  const unknown = Object.keys(form).find((name) => name !== 'expand' && !known.includes(name));
  if (unknown !== undefined)
    throw invalid(`Received unknown parameter: ${unknown.slice(0, 80)}`, unknown, 'parameter_unknown');
}
