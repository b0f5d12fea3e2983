import type { StaticObject, TObject, TProperties } from 'typebox';
import type { FieldError } from '../../../shared/errors.ts';
import type { OwnAddresses } from '../scan-url.rules.ts';

/** PIN_OR_PRIVATE: behind the PIN, or private without one. PIN_OR_PUBLIC: or public, for the main content. */
const DEFAULT_FIELD_VISIBILITIES = ['PUBLIC', 'PIN_OR_PUBLIC', 'PIN_OR_PRIVATE', 'PRIVATE'] as const;

export type DefaultFieldVisibility = (typeof DEFAULT_FIELD_VISIBILITIES)[number];

export interface QrCodeRuleContext extends OwnAddresses {
  /** Missing for a new code. */
  codeId?: string;
}

/** State of a code whose content can change. */
export interface ContentRevision {
  id: string;
  version: number;
  updatedAt: Date;
}

export interface QrCodeKindDefinition {
  readonly kind: string;
  readonly label: string;
  readonly description: string;
  /** When the image's file name hides the title; STATIC: only where the image holds the content. */
  readonly sensitive: 'ALWAYS' | 'STATIC' | 'NEVER';
  readonly schema: TObject;
  /** Ordered as displayed: emergency information first. `pictures` only where a code can have pictures. */
  readonly defaultVisibility: Readonly<Record<string, DefaultFieldVisibility>>;
  /** Fields displayed right after the name, before contacts, such as allergies. */
  readonly urgent?: readonly string[];
  /** Fields that the preset EMERGENCY makes PUBLIC. */
  readonly emergencyFields?: readonly string[];
  readonly example: Readonly<Record<string, unknown>>;
  /** Called with valid data only. */
  check?(data: Readonly<Record<string, unknown>>, context: QrCodeRuleContext): FieldError[];
  /** Null when there is nothing to print. With a revision, programs update the item that they saved before. */
  toStaticContent(
    publicData: Readonly<Record<string, unknown>>,
    title: string,
    revision?: ContentRevision,
  ): string | null;
}

/** `Static` of a schema that is still inferred would make TypeScript create 150,000 types. */
type DataOf<P extends TProperties> = StaticObject<
  [],
  'Encode',
  Record<never, never>,
  Record<never, never>,
  P
>;

export interface TypedQrCodeKindDefinition<P extends TProperties> {
  kind: string;
  label: string;
  description: string;
  sensitive: QrCodeKindDefinition['sensitive'];
  schema: TObject<P>;
  defaultVisibility: { readonly [Field in keyof DataOf<P>]-?: DefaultFieldVisibility } & {
    readonly pictures?: DefaultFieldVisibility;
  };
  urgent?: readonly (keyof DataOf<P> & string)[];
  emergencyFields?: readonly ((keyof DataOf<P> & string) | 'pictures')[];
  example: DataOf<P>;
  check?(data: DataOf<P>, context: QrCodeRuleContext): FieldError[];
  toStaticContent(publicData: Partial<DataOf<P>>, title: string, revision?: ContentRevision): string | null;
}

/** A missing or misspelled field does not compile. */
export function defineQrCodeKind<P extends TProperties>(
  definition: TypedQrCodeKindDefinition<P>,
): QrCodeKindDefinition;
export function defineQrCodeKind(definition: QrCodeKindDefinition): QrCodeKindDefinition {
  return definition;
}
