import { isDeepStrictEqual } from 'node:util';
import { ServiceError } from '../../shared/errors.ts';
import { parseQrCodeKind } from './kinds/all-kinds.ts';
import type { QrCodeKindDefinition } from './kinds/kind-definition.ts';
import { createStaticQrCodeContent, parseQrCodeMode, type QrCodeInput } from './qrcode-input.rules.ts';
import { parseFieldVisibilities, resolveFieldVisibilities } from './visibility.rules.ts';

/** For STATIC, compare everything that the image encodes. @throws IMMUTABLE_FIELD */
export function assertImmutableQrCodeFieldsUnchanged(
  kind: QrCodeKindDefinition,
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

function listChangedContentFields(
  kind: QrCodeKindDefinition,
  before: QrCodeInput,
  after: QrCodeInput,
): string[] {
  const changedFields: string[] = [];
  const resolved = ({ visibility }: QrCodeInput) =>
    resolveFieldVisibilities(kind, parseFieldVisibilities(visibility), false);
  // Some kinds print the title where there is no name.
  if (
    createStaticQrCodeContent(kind, { ...before, title: after.title }) !==
    createStaticQrCodeContent(kind, before)
  )
    changedFields.push('title');
  if (!isDeepStrictEqual(after.data, before.data)) changedFields.push('data');
  if (!isDeepStrictEqual(resolved(after), resolved(before))) changedFields.push('visibility');
  return changedFields;
}
