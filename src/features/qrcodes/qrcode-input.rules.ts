import type { FieldError } from '../../shared/errors.ts';
import { assertColors, designErrors } from './image/design.rules.ts';
import type { DesignInput } from './image/design.schemas.ts';
import { parseKind } from './kinds/index.ts';
import type { KindDefinition } from './kinds/kind.ts';
import { validateData } from './kinds/validate-data.ts';
import type { QrCodeData } from './qrcode-content.ts';
import { resolveVisibility, VISIBILITIES, type Visibility, visibilityErrors, visibleTo } from './visibility.rules.ts';

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

/** The kind that a request names, or the error that says so. */
export function kindNamed(name: string): KindDefinition | FieldError {
  return (
    parseKind(name) ?? {
      field: 'kind',
      code: 'NOT_ALLOWED',
      message: 'Not a kind of QR code; GET /api/qrcodes/kinds lists them.',
    }
  );
}

/** Everything that is wrong with a code, field by field; nothing where it can be made. */
export function qrCodeProblems(kind: KindDefinition, input: QrCodeInput): FieldError[] {
  const problems = [
    ...validateData(kind, input.data),
    ...visibilityErrors(kind, input.visibility),
    ...designErrors(input.design),
    ...staticProblems(input),
  ];
  if (problems.length === 0 && input.mode === 'STATIC' && staticContent(kind, input) === null) {
    problems.push({
      field: 'visibility',
      code: 'NOTHING_PUBLIC',
      message: 'A STATIC image holds only PUBLIC fields, and there is none to print.',
    });
  }
  return problems;
}

/** What the image of a STATIC code holds: public fields, in a form that phones understand; null for nothing. */
export function staticContent(
  kind: KindDefinition,
  code: { title: string; data: QrCodeData; visibility: Record<string, unknown> },
): string | null {
  const visibility = resolveVisibility(kind, asVisibility(code.visibility), false);
  return kind.toStaticContent(visibleTo('finder', code.data, visibility) ?? {}, code.title);
}

/** A design that `designErrors` found nothing wrong with. Throws IMAGE_NOT_SCANNABLE for colours that do not scan. */
export function asDesign(design: Record<string, unknown>): DesignInput {
  const given = design as DesignInput;
  const { foreground = '#000000', background = '#ffffff' } = given;
  assertColors({ foreground, background });
  return given;
}

/** The known words of a `visibility`. */
export function asVisibility(given: Record<string, unknown>): Record<string, Visibility> {
  return Object.fromEntries(
    Object.entries(given).flatMap(([field, value]) => {
      const word = VISIBILITIES.find((known) => known === value);
      return word ? [[field, word]] : [];
    }),
  );
}

/** A date that must lie ahead. */
export function expiryProblems(expiresAt: Date | null): FieldError[] {
  if (!expiresAt || expiresAt > new Date()) return [];
  return [{ field: 'expiresAt', code: 'IN_THE_PAST', message: 'Must lie in the future.' }];
}

function staticProblems({ mode, hasPin, expiresAt }: QrCodeInput): FieldError[] {
  if (mode !== 'STATIC') return [];
  const message = 'A STATIC image shows its content to everybody for ever.';
  return [
    ...(hasPin ? [{ field: 'pin', code: 'NOT_ALLOWED', message }] : []),
    ...(expiresAt ? [{ field: 'expiresAt', code: 'NOT_ALLOWED', message }] : []),
  ];
}
