import type { components, paths } from './generated/openapi.ts';

export type Schemas = components['schemas'];

export type HttpMethod = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** Paths that have an operation of this method. */
export type PathOf<Method extends HttpMethod> = {
  [Path in keyof paths]: paths[Path][Method] extends { responses: unknown } ? Path : never;
}[keyof paths];

type Operation<Method extends HttpMethod, Path extends keyof paths> = paths[Path][Method];

type Parameters<Value, Place extends 'path' | 'query'> = Value extends {
  parameters: { [Name in Place]?: infer Found };
}
  ? NonNullable<Found>
  : never;

/** A parameter that can be repeated takes a single value, too. */
type QueryOf<Value> = {
  [Name in keyof Value]: NonNullable<Value[Name]> extends readonly (infer Item)[]
    ? Item | Value[Name]
    : Value[Name];
};

type BodyContent<Value> = Value extends { requestBody?: infer Body }
  ? NonNullable<Body> extends { content: infer Content }
    ? Content
    : never
  : never;

/** A form is `FormData`, or an object of its fields with a Blob, which is sent as one. */
type Body<Content> =
  | (Content extends { 'application/json': infer Json } ? Json : never)
  | (Content extends { 'multipart/form-data': infer Form } ? FormData | Form : never);

type Empty = Record<never, never>;

/** A field that can be left out if its type has no required part. */
type Field<Name extends string, Type> = [Type] extends [never]
  ? { [Key in Name]?: never }
  : Empty extends Type
    ? { [Key in Name]?: Type }
    : { [Key in Name]: Type };

type BodyField<Value> = [BodyContent<Value>] extends [never]
  ? { body?: never }
  : Value extends { requestBody: object }
    ? { body: Body<BodyContent<Value>> }
    : { body?: Body<BodyContent<Value>> };

/** What every call takes. */
export interface CallOptions {
  /** Ends the call, also while it waits to be repeated. */
  signal?: AbortSignal | undefined;
  /** For each attempt, with the body of the answer; as in the client by default. */
  timeoutMs?: number;
  /** How often a failed call is repeated; as in the client by default. */
  maxRetries?: number;
  headers?: Readonly<Record<string, string>>;
  /** Of a creation; random by default. Pass one that you stored to repeat a call after a restart. */
  idempotencyKey?: string;
  /** False for a call without the credential of the client. */
  authenticate?: boolean;
  /** Where the platform has XMLHttpRequest, which is in browsers. */
  onUploadProgress?: (progress: { loaded: number; total: number }) => void;
}

export type RequestOptions<Method extends HttpMethod, Path extends keyof paths> = CallOptions &
  Field<'path', Parameters<Operation<Method, Path>, 'path'>> &
  Field<'query', QueryOf<Parameters<Operation<Method, Path>, 'query'>>> &
  BodyField<Operation<Method, Path>>;

/** The options can be left out if none is required. */
export type OptionalIfEmpty<Options> = Empty extends Options ? [options?: Options] : [options: Options];

type TextType = `text/${string}` | 'application/x-ndjson';

/** JSON if the operation has it, else text or a Blob. */
type ContentData<Content> = 'application/json' extends keyof Content
  ? Content['application/json']
  : { [Type in keyof Content]: Type extends TextType ? string : Blob }[keyof Content];

type SuccessStatus = 200 | 201 | 202 | 204 | 206;

type ResponseContent<Value> = Value extends { responses: infer Responses }
  ? {
      [Status in keyof Responses & SuccessStatus]: Responses[Status] extends { content: infer Content }
        ? ContentData<Content>
        : undefined;
    }[keyof Responses & SuccessStatus]
  : never;

/** What the operation answers. */
export type ResponseData<Method extends HttpMethod, Path extends keyof paths> = ResponseContent<
  Operation<Method, Path>
>;

export interface ListPage {
  data: readonly unknown[];
  deleted?: readonly Schemas['DeletedRecord'][];
  pagination: { nextCursor: string | null; nextUpdatedSince?: string };
}

/** Paths of lists with cursors. */
export type ListPath = {
  [Path in PathOf<'get'>]: ResponseData<'get', Path> extends ListPage ? Path : never;
}[PathOf<'get'>];

/** Paths of lists with `updatedSince`. */
export type ChangesPath = {
  [Path in ListPath]: ResponseData<'get', Path> extends { deleted?: Schemas['DeletedRecord'][] }
    ? 'deleted' extends keyof ResponseData<'get', Path>
      ? Path
      : never
    : never;
}[ListPath];

export type ListItem<Path extends ListPath> =
  ResponseData<'get', Path> extends { data: (infer Item)[] } ? Item : never;
