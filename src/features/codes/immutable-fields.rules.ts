import { isDeepStrictEqual } from 'node:util';
import { ServiceError } from '../../shared/errors.ts';
import { parseQrCodeKind } from './kinds/all-kinds.ts';
import type { KindDefinition } from './kinds/kind-definition.ts';
import { createStaticContent, parseQrCodeMode, type QrCodeInput } from './qrcode-input.rules.ts';
import { parseVisibility, resolveVisibility } from './visibility.rules.ts';

/**
 * Assert that kind, mode and, for STATIC, everything that the image encodes are unchanged.
 * @throws IMMUTABLE_FIELD
 */
export function assertImmutableFieldsUnchanged(
  kind: KindDefinition,
  before: QrCodeInput,
  given: { kind?: string; mode?: string },
  after: QrCodeInput,
): void {
  const changed: string[] = [];
  if (given.kind !== undefined && parseQrCodeKind(given.kind) !== kind) changed.push('kind');
  if (given.mode !== undefined && parseQrCodeMode(given.mode) !== before.mode) changed.push('mode');
  if (before.mode === 'STATIC') changed.push(...listChangedContentFields(kind, before, after));
  if (changed.length === 0) return;
  throw new ServiceError('IMMUTABLE_FIELD', {
    detail: `Cannot be changed: ${changed.join(', ')}.`,
    errors: changed.map((field) => ({
      field,
      code: 'IMMUTABLE',
      message: 'Is fixed once the code is made.',
    })),
  });
}

function listChangedContentFields(kind: KindDefinition, before: QrCodeInput, after: QrCodeInput): string[] {
  const changed: string[] = [];
  const resolved = ({ visibility }: QrCodeInput) =>
    resolveVisibility(kind, parseVisibility(visibility), false);
  // Some kinds print the title where there is no name.
  if (createStaticContent(kind, { ...before, title: after.title }) !== createStaticContent(kind, before))
    changed.push('title');
  if (!isDeepStrictEqual(after.data, before.data)) changed.push('data');
  if (!isDeepStrictEqual(resolved(after), resolved(before))) changed.push('visibility');
  return changed;
}
