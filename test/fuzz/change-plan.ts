import { isRecordPlaceholder } from './record-placeholder.ts';
import { pickByIndex, type RequestPlan } from './request-plan.ts';

export function listBodyFields(plan: RequestPlan): { parent: object; key: string }[] {
  const fields: { parent: object; key: string }[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || isRecordPlaceholder(value)) return;
    for (const [key, inner] of Object.entries(value)) {
      fields.push({ parent: value, key });
      visit(inner);
    }
  };
  visit(plan.body?.value);
  return fields;
}

export function changeField(
  plan: RequestPlan,
  nth: number,
  change: (parent: object, key: string) => void,
): RequestPlan | null {
  const field = pickByIndex(listBodyFields(plan), nth);
  if (!field) return null;
  change(field.parent, field.key);
  return plan;
}

/** Set a field of the body to another value; undefined changes nothing. */
export function setField(
  plan: RequestPlan,
  nth: number,
  value: (name: string, before: unknown) => unknown,
): RequestPlan | null {
  const field = pickByIndex(listBodyFields(plan), nth);
  const changed = field && value(field.key, Reflect.get(field.parent, field.key));
  if (!field || changed === undefined) return null;
  Reflect.set(field.parent, field.key, changed);
  return plan;
}

export function addHeader(plan: RequestPlan, header: [string, string] | undefined): RequestPlan | null {
  return header ? { ...plan, headers: [...plan.headers, header] } : null;
}
