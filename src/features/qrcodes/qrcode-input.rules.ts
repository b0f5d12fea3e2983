import type { FieldError } from '../../shared/errors.ts';
import type { QrCodeData } from './encrypted-content.ts';
import { designErrors } from './image/design.rules.ts';
import { type DesignInput, DesignInputSchema } from './image/design.schemas.ts';
import { parseKind } from './kinds/all-kinds.ts';
import type { KindDefinition } from './kinds/kind-definition.ts';
import { validateData } from './kinds/validate-data.ts';
import { givenVisibility, resolveVisibility, visibilityErrors, visibleTo } from './visibility.rules.ts';

export type Mode = 'DYNAMIC' | 'STATIC';

/** The parts of a code whose rules depend on its kind and mode. */
export interface QrCodeInput {
  mode: Mode;
  title: string;
  data: QrCodeData;
  visibility: Record<string, unknown>;
  design: Record<string, unknown>;
  hasPin: boolean;
  expiresAt: Date | null;
}

/** Longest title, in characters of its normal form. */
export const TITLE_MOST_CHARACTERS = 200;

/** The mode that a request names; DYNAMIC when it names none. */
export function modeNamed(mode: string | undefined): Mode {
  return mode?.toUpperCase() === 'STATIC' ? 'STATIC' : 'DYNAMIC';
}

/** A title as it is stored: trimmed, in Unicode's composed form (NFC), so that what looks the same is found as the same. */
export function titleOf(given: string): string {
  return given.trim().normalize('NFC');
}

/** What is wrong with the name of a kind. */
export function kindProblems(name: string): FieldError[] {
  if (parseKind(name)) return [];
  return [{ field: 'kind', code: 'NOT_ALLOWED', message: 'Not a kind; GET /api/qrcodes/kinds lists them.' }];
}

/** Everything that is wrong with a code, field by field; nothing where it can be made. */
export function qrCodeProblems(kind: KindDefinition, input: QrCodeInput): FieldError[] {
  const problems = [...titleProblems(input.title), ...partProblems(kind, input), ...staticProblems(input)];
  if (problems.length === 0 && input.mode === 'STATIC' && staticContent(kind, input) === null) {
    problems.push({
      field: 'visibility',
      code: 'NOTHING_PUBLIC',
      message: 'A STATIC image holds only PUBLIC fields, and there is none to print.',
    });
  }
  return problems;
}

/**
 * What is wrong with those parts of a body that a kind judges, whatever the other parts are: so that one answer
 * names every wrong field. Parts that are no objects are left to the schema of the body.
 */
export function partProblems(
  kind: KindDefinition,
  { data, visibility, design }: { data?: unknown; visibility?: unknown; design?: unknown },
): FieldError[] {
  return [
    ...(isObject(data) ? validateData(kind, data) : []),
    ...(isObject(visibility) ? visibilityErrors(kind, visibility) : []),
    ...(isObject(design) ? designErrors(design) : []),
  ];
}

/** What the image of a STATIC code holds: public fields, in a form that phones understand; null for nothing. */
export function staticContent(
  kind: KindDefinition,
  code: { title: string; data: QrCodeData; visibility: Record<string, unknown> },
): string | null {
  const visibility = resolveVisibility(kind, givenVisibility(code.visibility), false);
  return kind.toStaticContent(visibleTo('finder', code.data, visibility) ?? {}, code.title);
}

/** A design that `designErrors` found nothing wrong with. */
export function asDesign(design: Record<string, unknown>): DesignInput {
  return design as DesignInput;
}

/** `visibility` merged into what is stored; see `merged`. */
export function mergedVisibility(kind: KindDefinition, before: object, given: object | null | undefined) {
  return merged(kind.defaultVisibility, before, given);
}

/** `design` merged into what is stored; see `merged`. */
export function mergedDesign(before: object, given: object | null | undefined) {
  return merged(DesignInputSchema.properties, before, given);
}

/** A date that must lie ahead. */
export function expiryProblems(expiresAt: Date | null): FieldError[] {
  if (!expiresAt || expiresAt > new Date()) return [];
  return [{ field: 'expiresAt', code: 'IN_THE_PAST', message: 'Must lie in the future.' }];
}

/**
 * What is given laid over what is stored: null clears a member, or all of them. A null of an unknown name stays, so
 * that the rules complain about the name.
 */
function merged(known: object, before: object, given: object | null | undefined): Record<string, unknown> {
  if (given === null) return {};
  const entries = Object.entries({ ...before, ...given });
  return Object.fromEntries(entries.filter(([name, value]) => value !== null || !Object.hasOwn(known, name)));
}

/** The normal form of some titles is longer than what was sent. */
function titleProblems(title: string): FieldError[] {
  if ([...title].length <= TITLE_MOST_CHARACTERS) return [];
  return [
    { field: 'title', code: 'TOO_LONG', message: `Must have at most ${TITLE_MOST_CHARACTERS} characters.` },
  ];
}

function staticProblems({ mode, hasPin, expiresAt }: QrCodeInput): FieldError[] {
  if (mode !== 'STATIC') return [];
  const message = 'A STATIC image shows its content to everybody for ever.';
  return [
    ...(hasPin ? [{ field: 'pin', code: 'NOT_ALLOWED', message }] : []),
    ...(expiresAt ? [{ field: 'expiresAt', code: 'NOT_ALLOWED', message }] : []),
  ];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
