import type { FormObject, FormValue } from './form.ts';
import type { Metadata } from './sales-objects.ts';
import { createInvalidRequestError, createMissingParamError } from './stripe-error.ts';

/** Parse a string; empty is undefined. */
export function parseString(form: FormObject, name: string): string | undefined {
  const value = form[name];
  if (value === undefined || value === '') return undefined;
  if (typeof value !== 'string') throw createInvalidRequestError(`Invalid string: ${name}`, name);
  return value;
}

export function requireString(form: FormObject, name: string): string {
  const value = parseString(form, name);
  if (value === undefined) throw createMissingParamError(name);
  return value;
}

export function requireUrl(form: FormObject, name: string): string | undefined {
  const url = parseString(form, name);
  if (url !== undefined && !(URL.canParse(url) && /^https?:/.test(url)))
    throw createInvalidRequestError('Not a valid URL', name, 'url_invalid');
  return url;
}

export function parseNumber(form: FormObject, name: string): number | undefined {
  const text = parseString(form, name);
  if (text === undefined) return undefined;
  if (!/^-?\d{1,15}$/.test(text))
    throw createInvalidRequestError(
      `Invalid integer: ${text.slice(0, 40)}`,
      name,
      'parameter_invalid_integer',
    );
  return Number(text);
}

export function parseBoolean(form: FormObject, name: string): boolean | undefined {
  const text = parseString(form, name);
  if (text === undefined) return undefined;
  if (text !== 'true' && text !== 'false')
    throw createInvalidRequestError(`Invalid boolean: ${text.slice(0, 40)}`, name);
  return text === 'true';
}

export function parseEnum<T extends string>(
  form: FormObject,
  name: string,
  words: readonly T[],
): T | undefined {
  const text = parseString(form, name);
  if (text === undefined) return undefined;
  const word = words.find((one) => one === text);
  if (!word) throw createInvalidRequestError(`Invalid ${name}: must be one of ${words.join(', ')}`, name);
  return word;
}

export function parseObject(form: FormObject, name: string): FormObject {
  const value = form[name];
  if (value === undefined || value === '') return {};
  if (typeof value !== 'object' || Array.isArray(value))
    throw createInvalidRequestError(`Invalid object`, name);
  return value;
}

function parseList(form: FormObject, name: string): FormValue[] {
  const value = form[name];
  if (value === undefined || value === '') return [];
  if (!Array.isArray(value)) throw createInvalidRequestError('Invalid array', name);
  return value;
}

export function parseStringList(form: FormObject, name: string): string[] {
  return parseList(form, name).map((value) => {
    if (typeof value !== 'string') throw createInvalidRequestError('Invalid string', name);
    return value;
  });
}

export function parseObjectList(form: FormObject, name: string): FormObject[] {
  return parseList(form, name).map((value) => {
    if (typeof value !== 'object' || Array.isArray(value))
      throw createInvalidRequestError('Invalid object', name);
    return value;
  });
}

/** Merge metadata; an empty string removes a key. */
export function parseMetadata(form: FormObject, before: Metadata = {}): Metadata {
  if (form.metadata === '') return {};
  const all: Metadata = { ...before };
  for (const [name, value] of Object.entries(parseObject(form, 'metadata'))) {
    if (typeof value !== 'string' || value.length > 500 || name.length > 40)
      throw createInvalidRequestError('Invalid metadata', `metadata[${name.slice(0, 40)}]`);
    if (value === '') delete all[name];
    else all[name] = value;
  }
  return all;
}

/** Reject unknown parameters: an ignored one would go unnoticed. */
export function assertKnownParams(form: FormObject, known: readonly string[]): void {
  const unknown = Object.keys(form).find((name) => name !== 'expand' && !known.includes(name));
  if (unknown !== undefined)
    throw createInvalidRequestError(
      `Received unknown parameter: ${unknown.slice(0, 80)}`,
      unknown,
      'parameter_unknown',
    );
}
