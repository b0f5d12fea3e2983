import { isPick } from './pick.ts';
import { chosen, type Plan } from './plan.ts';

/** Every field of a body: its parent and its key. */
export function fieldsOf(plan: Plan): { parent: object; key: string }[] {
  const fields: { parent: object; key: string }[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || isPick(value)) return;
    for (const [key, inner] of Object.entries(value)) {
      fields.push({ parent: value, key });
      visit(inner);
    }
  };
  visit(plan.body?.value);
  return fields;
}

/** Changes a field of the body in its parent; null where the body has none. */
export function changeField(
  plan: Plan,
  nth: number,
  change: (parent: object, key: string) => void,
): Plan | null {
  const field = chosen(fieldsOf(plan), nth);
  if (!field) return null;
  change(field.parent, field.key);
  return plan;
}

/** Gives a field of the body another value; undefined leaves all as it was. */
export function setField(
  plan: Plan,
  nth: number,
  value: (name: string, before: unknown) => unknown,
): Plan | null {
  const field = chosen(fieldsOf(plan), nth);
  const made = field && value(field.key, Reflect.get(field.parent, field.key));
  if (!field || made === undefined) return null;
  Reflect.set(field.parent, field.key, made);
  return plan;
}

/** Adds a header. */
export function withHeader(plan: Plan, header: [string, string] | undefined): Plan | null {
  return header ? { ...plan, headers: [...plan.headers, header] } : null;
}
