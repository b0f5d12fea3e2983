import { createInvalidRequestError } from './stripe-error.ts';

export type FormValue = string | FormValue[] | FormObject;

/** A decoded form of Stripe's API, such as `items[0][price]=price_1`. */
export interface FormObject {
  [name: string]: FormValue;
}

const MAX_FIELDS = 1_000;
const MAX_DEPTH = 8;
const FIELD_NAME_PATTERN = /^[^[\]]+(?:\[[^[\]]*\])*$/;

/** Decode a query or body; numeric keys make a list. */
export function decodeForm(text: string): FormObject {
  const root: FormObject = Object.create(null);
  let count = 0;
  for (const [name, value] of new URLSearchParams(text)) {
    count += 1;
    if (count > MAX_FIELDS || !FIELD_NAME_PATTERN.test(name))
      throw createInvalidRequestError(`Invalid parameter: ${name.slice(0, 80)}`);
    setFormValue(
      root,
      name.split('[').map((part) => part.replace(']', '')),
      value,
    );
  }
  return toListsWhereIndexed(root) as FormObject;
}

function setFormValue(root: FormObject, path: string[], value: string): void {
  if (path.length > MAX_DEPTH) throw createInvalidRequestError('A parameter is nested too deeply.');
  let at = root;
  path.forEach((part, index) => {
    const name = part === '' ? String(Object.keys(at).length) : part;
    if (index === path.length - 1) {
      at[name] = value;
      return;
    }
    const next = at[name];
    const inner: FormObject = typeof next === 'object' && !Array.isArray(next) ? next : Object.create(null);
    at[name] = inner;
    at = inner;
  });
}

function toListsWhereIndexed(value: FormValue): FormValue {
  if (typeof value === 'string' || Array.isArray(value)) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, toListsWhereIndexed(inner)] as const);
  if (entries.length > 0 && entries.every(([name]) => /^\d+$/.test(name)))
    return entries.sort(([a], [b]) => Number(a) - Number(b)).map(([, inner]) => inner);
  const object: FormObject = Object.create(null);
  for (const [name, inner] of entries) object[name] = inner;
  return object;
}
