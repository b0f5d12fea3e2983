import type { StaticObject, TObject, TProperties } from 'typebox';
import type { FieldError } from '../../../shared/errors.ts';

/**
 * Who sees a field unless the owner says otherwise.
 * PIN_OR_PRIVATE is behind the PIN where one is set and shown to nobody where none is: contacts, addresses, health.
 * PIN_OR_PUBLIC is behind the PIN where one is set and shown to all where none is: what the code is made for
 * (a network's password, the text itself), where a PIN can have no other purpose than to hold it back.
 */
export const DEFAULT_VISIBILITIES = ['PUBLIC', 'PIN_OR_PUBLIC', 'PIN_OR_PRIVATE', 'PRIVATE'] as const;

export type DefaultVisibility = (typeof DEFAULT_VISIBILITIES)[number];

/** What a kind of QR code is: everything that differs between one kind and the next. */
export interface KindDefinition {
  /** The name in the interface, such as MEMORY_TAG. */
  readonly kind: string;
  /** The name a person reads. */
  readonly label: string;
  /** One sentence: what it is for. */
  readonly description: string;
  /** Whether the image's file name must say nothing about the title: always, only where the image holds the content, or never. */
  readonly sensitive: 'ALWAYS' | 'STATIC' | 'NEVER';
  /** JSON Schema of `data`. */
  readonly schema: TObject;
  /** Default of each field of `data`; the order of the keys is the order of display, what helps in an emergency first. */
  readonly defaultVisibility: Readonly<Record<string, DefaultVisibility>>;
  /** The first of them after the name: what is read before whom to call, such as allergies. */
  readonly urgent?: readonly string[];
  /** A realistic `data`, for documents and forms. */
  readonly example: Readonly<Record<string, unknown>>;
  /** Rules over several fields that the schema cannot say. Called with valid data only. */
  check?(data: Readonly<Record<string, unknown>>): FieldError[];
  /**
   * What the image of a STATIC code holds, made of public fields only; null where they give nothing to print. With the id of
   * a code the same thing stays the same for whoever keeps it, also when it changes.
   */
  toStaticContent(publicData: Readonly<Record<string, unknown>>, title: string, id?: string): string | null;
}

/** The type of `data`. Not `Static` of a schema that is still to be inferred: that alone makes TypeScript create 150,000 types. */
type DataOf<P extends TProperties> = StaticObject<
  [],
  'Encode',
  Record<never, never>,
  Record<never, never>,
  P
>;

/** A definition typed by its own schema. */
export interface TypedKindDefinition<P extends TProperties> {
  kind: string;
  label: string;
  description: string;
  sensitive: KindDefinition['sensitive'];
  schema: TObject<P>;
  defaultVisibility: { readonly [Field in keyof DataOf<P>]-?: DefaultVisibility };
  urgent?: readonly (keyof DataOf<P> & string)[];
  example: DataOf<P>;
  check?(data: DataOf<P>): FieldError[];
  toStaticContent(publicData: Partial<DataOf<P>>, title: string, id?: string): string | null;
}

/** Takes a definition typed by its own schema (a forgotten or misspelt field does not compile) and gives the common shape. */
export function defineKind<P extends TProperties>(definition: TypedKindDefinition<P>): KindDefinition;
export function defineKind(definition: KindDefinition): KindDefinition {
  return definition;
}
