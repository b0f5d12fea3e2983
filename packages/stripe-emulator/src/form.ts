import { invalid } from './stripe-error.ts';

/** What a form holds: text, lists and objects of it. */
export type FormValue = string | FormValue[] | Form;

/** A decoded form of Stripe's API, such as `items[0][price]=price_1`. */
export interface Form {
  [name: string]: FormValue;
}

const MAX_FIELDS = 1_000;
const MAX_DEPTH = 8;
const NAME = /^[^[\]]+(?:\[[^[\]]*\])*$/;

/** Decodes a query or a body; a name that holds only numbers below it is a list. */
export function decodeForm(text: string): Form {
  const root: Form = Object.create(null);
  let count = 0;
  for (const [name, value] of new URLSearchParams(text)) {
    count += 1;
    if (count > MAX_FIELDS || !NAME.test(name)) throw invalid(`Invalid parameter: ${name.slice(0, 80)}`);
    put(
      root,
      name.split('[').map((part) => part.replace(']', '')),
      value,
    );
  }
  return withLists(root) as Form;
}

function put(root: Form, path: string[], value: string): void {
  if (path.length > MAX_DEPTH) throw invalid('A parameter is nested too deeply.');
  let at = root;
  path.forEach((part, index) => {
    const name = part === '' ? String(Object.keys(at).length) : part;
    if (index === path.length - 1) {
      at[name] = value;
      return;
    }
    const next = at[name];
    const inner: Form = typeof next === 'object' && !Array.isArray(next) ? next : Object.create(null);
    at[name] = inner;
    at = inner;
  });
}

function withLists(value: FormValue): FormValue {
  if (typeof value === 'string' || Array.isArray(value)) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, withLists(inner)] as const);
  if (entries.length > 0 && entries.every(([name]) => /^\d+$/.test(name)))
    return entries.sort(([a], [b]) => Number(a) - Number(b)).map(([, inner]) => inner);
  const object: Form = Object.create(null);
  for (const [name, inner] of entries) object[name] = inner;
  return object;
}
