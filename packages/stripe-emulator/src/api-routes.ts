import type { Account } from './account.ts';
import type { FormObject } from './form.ts';
import { createListPage, filterByFields, LIST_PARAMS } from './lists.ts';
import type { ObjectKind } from './sales-objects.ts';

/** A request of the API, its form decoded. */
export interface ApiCall {
  account: Account;
  form: FormObject;
  /** What stands in the path for `:id`. */
  id: string;
}

/** What a request is answered by. */
export interface ApiRoute {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  /** The parameters that it knows, besides expand. */
  params: readonly string[];
  handle(call: ApiCall): unknown;
}

/** A way to read one object of a kind. */
export function createRetrieveRoute(kind: ObjectKind, path: string): ApiRoute {
  return {
    method: 'GET',
    path: `${path}/:id`,
    params: [],
    handle: ({ account, id }) => account.require(kind, id),
  };
}

/** A way to list the objects of a kind, by some of their fields. */
export function createListRoute(kind: ObjectKind, path: string, fields: readonly string[]): ApiRoute {
  return {
    method: 'GET',
    path,
    params: [...LIST_PARAMS, ...fields],
    handle: ({ account, form }) =>
      createListPage(filterByFields(account.list(kind), form, fields), form, path),
  };
}
