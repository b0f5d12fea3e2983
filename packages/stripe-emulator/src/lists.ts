import type { FormObject } from './form.ts';
import { parseNumber, parseObject, parseString } from './params.ts';
import type { StripeObject } from './sales-objects.ts';
import { createInvalidRequestError, createNotFoundError } from './stripe-error.ts';

export const LIST_PARAMS = ['limit', 'starting_after', 'ending_before', 'created'];

const MAX_PAGE_SIZE = 100;
const DEFAULT_PAGE_SIZE = 10;

/** Create a page of a list, newest first. @param all oldest first */
export function createListPage<T extends StripeObject>(all: readonly T[], form: FormObject, url: string) {
  const limit = parseNumber(form, 'limit') ?? DEFAULT_PAGE_SIZE;
  if (limit < 1 || limit > MAX_PAGE_SIZE)
    throw createInvalidRequestError(`Invalid limit: must be between 1 and ${MAX_PAGE_SIZE}`, 'limit');
  const after = parseString(form, 'starting_after');
  const before = parseString(form, 'ending_before');
  if (after && before)
    throw createInvalidRequestError('Both `starting_after` and `ending_before` are given.', 'ending_before');
  const rows = all.filter(createCreatedFilter(form)).toReversed();
  const at = (id: string, param: string) => {
    const index = rows.findIndex((row) => row.id === id);
    if (index < 0) throw createNotFoundError(String(all[0]?.object ?? 'object'), id, param);
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

export function filterByFields<T extends StripeObject>(
  all: readonly T[],
  form: FormObject,
  fields: readonly string[],
): T[] {
  const filters = fields.flatMap((name) => {
    const value = parseString(form, name);
    return value === undefined ? [] : [{ name, value }];
  });
  return all.filter((object) => filters.every(({ name, value }) => String(object[name]) === value));
}

function createCreatedFilter(form: FormObject): (object: StripeObject) => boolean {
  if (typeof form.created === 'string') {
    const exactly = parseNumber(form, 'created');
    return ({ created }) => created === exactly;
  }
  const range = parseObject(form, 'created');
  const [gt, gte, lt, lte] = ['gt', 'gte', 'lt', 'lte'].map((name) => parseNumber(range, name));
  return ({ created }) =>
    (gt === undefined || created > gt) &&
    (gte === undefined || created >= gte) &&
    (lt === undefined || created < lt) &&
    (lte === undefined || created <= lte);
}
