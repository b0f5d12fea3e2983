import type { Account } from './account.ts';
import type { FormObject } from './form.ts';
import { createListPage, filterByFields, LIST_PARAMS } from './lists.ts';
import type { ObjectKind } from './sales-objects.ts';

export interface ApiCall {
  account: Account;
  form: FormObject;
  /** The `:id` of the path. */
  id: string;
}

export interface ApiRoute {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  /** Supported parameters besides expand. */
  params: readonly string[];
  handle(call: ApiCall): unknown;
}

export function createRetrieveRoute(kind: ObjectKind, path: string): ApiRoute {
  return {
    method: 'GET',
    path: `${path}/:id`,
    params: [],
    handle: ({ account, id }) => account.require(kind, id),
  };
}

export function createListRoute(kind: ObjectKind, path: string, fields: readonly string[]): ApiRoute {
  return {
    method: 'GET',
    path,
    params: [...LIST_PARAMS, ...fields],
    handle: ({ account, form }) =>
      createListPage(filterByFields(account.list(kind), form, fields), form, path),
  };
}
