import { isDeepStrictEqual } from 'node:util';
import { ServiceError } from '../../shared/errors.ts';
import { parseQrCodeKind } from './kinds/all-kinds.ts';
import type { KindDefinition } from './kinds/kind-definition.ts';
import { createStaticContent, parseQrCodeMode, type QrCodeInput } from './qrcode-input.rules.ts';
import { parseVisibility, resolveVisibility } from './visibility.rules.ts';

/** For STATIC, compare everything that the image encodes. @throws IMMUTABLE_FIELD */
export function assertImmutableFieldsUnchanged(
  kind: KindDefinition,
  before: QrCodeInput,
  input: { kind?: string; mode?: string },
  after: QrCodeInput,
): void {
  const changedFields: string[] = [];
  if (input.kind !== undefined && parseQrCodeKind(input.kind) !== kind) changedFields.push('kind');
  if (input.mode !== undefined && parseQrCodeMode(input.mode) !== before.mode) changedFields.push('mode');
  if (before.mode === 'STATIC') changedFields.push(...listChangedContentFields(kind, before, after));
  if (changedFields.length === 0) return;
  throw new ServiceError('IMMUTABLE_FIELD', {
    detail: `Cannot be changed: ${changedFields.join(', ')}.`,
    errors: changedFields.map((field) => ({
      field,
      code: 'IMMUTABLE',
      message: 'Cannot be changed after creation.',
    })),
  });
}

function listChangedContentFields(kind: KindDefinition, before: QrCodeInput, after: QrCodeInput): string[] {
  const changedFields: string[] = [];
  const resolved = ({ visibility }: QrCodeInput) =>
    resolveVisibility(kind, parseVisibility(visibility), false);
  // Some kinds print the title where there is no name.
  if (createStaticContent(kind, { ...before, title: after.title }) !== createStaticContent(kind, before))
    changedFields.push('title');
  if (!isDeepStrictEqual(after.data, before.data)) changedFields.push('data');
  if (!isDeepStrictEqual(resolved(after), resolved(before))) changedFields.push('visibility');
  return changedFields;
}
