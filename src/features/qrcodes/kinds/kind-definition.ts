import type { Static, TObject } from 'typebox';
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

/** A definition typed by its own schema. */
export interface TypedKind<S extends TObject> {
  kind: string;
  label: string;
  description: string;
  sensitive: KindDefinition['sensitive'];
  schema: S;
  defaultVisibility: { readonly [Field in keyof Static<S>]-?: DefaultVisibility };
  urgent?: readonly (keyof Static<S> & string)[];
  example: Static<S>;
  check?(data: Static<S>): FieldError[];
  toStaticContent(publicData: Partial<Static<S>>, title: string, id?: string): string | null;
}

/** Takes a definition typed by its own schema (a forgotten or misspelt field does not compile) and gives the common shape. */
export function defineKind<S extends TObject>(definition: TypedKind<S>): KindDefinition {
  return definition;
}
