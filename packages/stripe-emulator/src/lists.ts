import type { Form } from './form.ts';
import type { StripeObject } from './objects.ts';
import { numberOf, objectOf, textOf } from './params.ts';
import { invalid, noSuch } from './stripe-error.ts';

/** What every list can be asked for. */
export const LIST_PARAMS = ['limit', 'starting_after', 'ending_before', 'created'];

const MOST = 100;
const USUAL = 10;

/** A page of a list, newest first, as Stripe makes it. @param all oldest first */
export function listPage<T extends StripeObject>(all: readonly T[], form: Form, url: string) {
  const limit = numberOf(form, 'limit') ?? USUAL;
  if (limit < 1 || limit > MOST) throw invalid(`Invalid limit: must be between 1 and ${MOST}`, 'limit');
  const after = textOf(form, 'starting_after');
  const before = textOf(form, 'ending_before');
  if (after && before) throw invalid('Both `starting_after` and `ending_before` are given.', 'ending_before');
  const rows = all.filter(createdIn(form)).toReversed();
  const at = (id: string, param: string) => {
    const index = rows.findIndex((row) => row.id === id);
    if (index < 0) throw noSuch(String(all[0]?.object ?? 'object'), id, param);
    return index;
  };
  if (before) {
    const end = at(before, 'ending_before');
    const start = Math.max(0, end - limit);
    return { object: 'list', data: rows.slice(start, end), has_more: start > 0, url };
  }
  const start = after ? at(after, 'starting_after') + 1 : 0;
  const data = rows.slice(start, start + limit);
  return { object: 'list', data, has_more: start + limit < rows.length, url };
}

/** Keeps the objects whose fields are as the form asks, where it asks. */
export function matching<T extends StripeObject>(
  all: readonly T[],
  form: Form,
  fields: readonly string[],
): T[] {
  const asked = fields.flatMap((name) => {
    const value = textOf(form, name);
    return value === undefined ? [] : [{ name, value }];
  });
  return all.filter((object) => asked.every(({ name, value }) => String(object[name]) === value));
}

function createdIn(form: Form): (object: StripeObject) => boolean {
  if (typeof form.created === 'string') {
    const exactly = numberOf(form, 'created');
    return ({ created }) => created === exactly;
  }
  const range = objectOf(form, 'created');
  const [gt, gte, lt, lte] = ['gt', 'gte', 'lt', 'lte'].map((name) => numberOf(range, name));
  return ({ created }) =>
    (gt === undefined || created > gt) &&
    (gte === undefined || created >= gte) &&
    (lt === undefined || created < lt) &&
    (lte === undefined || created <= lte);
}
