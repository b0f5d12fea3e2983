import type { Account } from './account.ts';
import type { Form } from './form.ts';
import { LIST_PARAMS, listPage, matching } from './lists.ts';
import type { Kind } from './objects.ts';

/** A request of the API, its form decoded. */
export interface Call {
  account: Account;
  form: Form;
  /** What stands in the path for `:id`. */
  id: string;
}

/** What a request is answered by. */
export interface ApiRoute {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  /** The parameters that it knows, besides expand. */
  params: readonly string[];
  handle(call: Call): unknown;
}

/** A way to read one object of a kind. */
export function reading(kind: Kind, path: string): ApiRoute {
  return {
    method: 'GET',
    path: `${path}/:id`,
    params: [],
    handle: ({ account, id }) => account.need(kind, id),
  };
}

/** A way to list the objects of a kind, by some of their fields. */
export function listing(kind: Kind, path: string, fields: readonly string[]): ApiRoute {
  return {
    method: 'GET',
    path,
    params: [...LIST_PARAMS, ...fields],
    handle: ({ account, form }) => listPage(matching(account.all(kind), form, fields), form, path),
  };
}
