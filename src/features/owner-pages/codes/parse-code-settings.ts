import { type Static, Type } from 'typebox';
import { createBodyValidator } from '../../../platform/http/validation.ts';
import { formatDateInTimeZone } from '../../../shared/day-start.ts';
import type { FieldError } from '../../../shared/errors.ts';
import {
  getFolderId,
  QR_CODE_NOTIFY_ON_VALUES,
  QrCodeChange,
  type QrCodeRow,
  type QrCodeWithScanCounts,
} from '../../codes/index.ts';
import { getEndOfDay } from './code-expiry.rules.ts';

const OptionalText = Type.Optional(Type.String());

export const CodeSettingsForm = Type.Object({
  version: OptionalText,
  externalId: OptionalText,
  folder: OptionalText,
  notifyOn: OptionalText,
  contactable: OptionalText,
  showsPage: OptionalText,
  lastDay: OptionalText,
  metadata: OptionalText,
});

/** As the form shows them; own data has a pair a line. */
export type CodeSettings = Record<Exclude<keyof Static<typeof CodeSettingsForm>, 'version'>, string>;

const findSchemaErrors = createBodyValidator(QrCodeChange);

export function toCodeSettings(row: QrCodeWithScanCounts, timeZone: string): CodeSettings {
  return {
    externalId: row.externalId ?? '',
    folder: getFolderId(row) ?? '',
    notifyOn: row.notifyOn,
    contactable: row.contactable ? 'yes' : 'no',
    showsPage: row.showsPage ? 'yes' : 'no',
    // It ends at the midnight after it.
    lastDay: row.expiresAt ? formatDateInTimeZone(new Date(row.expiresAt.getTime() - 1), timeZone) : '',
    metadata: Object.entries(toMetadata(row))
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n'),
  };
}

/** Parse a form into the change that it means: only what differs from what is stored. */
export function parseCodeSettings(
  form: Static<typeof CodeSettingsForm>,
  row: QrCodeWithScanCounts,
  timeZone: string,
  now: Date,
): { settings: CodeSettings; change: Static<typeof QrCodeChange>; errors: readonly FieldError[] } {
  const stored = toCodeSettings(row, timeZone);
  const { version: _version, ...fields } = form;
  const settings = { ...stored, ...fields };
  const differs = (name: keyof CodeSettings) => settings[name].trim() !== stored[name];
  const notifyOn = QR_CODE_NOTIFY_ON_VALUES.find((value) => value === settings.notifyOn);
  const metadata = parseMetadata(settings.metadata);
  const isLastDayChanged = differs('lastDay');
  const expiresAt = isLastDayChanged && settings.lastDay ? getEndOfDay(settings.lastDay, timeZone) : null;
  const change = {
    ...(differs('externalId') && { externalId: settings.externalId.trim() || null }),
    ...(differs('folder') && { folderId: settings.folder || null }),
    ...(differs('notifyOn') && notifyOn && { notifyOn }),
    ...(differs('contactable') && { contactable: settings.contactable === 'yes' }),
    ...(differs('showsPage') && { showsPage: settings.showsPage === 'yes' }),
    ...(isLastDayChanged && { expiresAt: expiresAt?.toISOString() ?? null }),
    ...(metadata && differs('metadata') && { metadata: toMetadataChange(toMetadata(row), metadata) }),
  };
  const errors = [
    ...(notifyOn ? [] : [{ field: 'notifyOn', code: 'INVALID', message: '' }]),
    ...(isLastDayChanged && settings.lastDay && !(expiresAt && expiresAt > now)
      ? [{ field: 'lastDay', code: 'BAD_DATE', message: '' }]
      : []),
    ...(metadata ? [] : [{ field: 'metadata', code: 'INVALID', message: '' }]),
    ...findSchemaErrors({ ...change }).map((error) => ({
      ...error,
      field: error.field === 'folderId' ? 'folder' : error.field.replace(/[.[].*$/s, ''),
    })),
  ];
  return { settings, change, errors };
}

function toMetadata({ metadata }: QrCodeRow): Record<string, string> {
  return Object.fromEntries(Object.entries(Object(metadata)).map(([name, value]) => [name, String(value)]));
}

/** Null for a line that is no pair, and for a name that comes twice. */
function parseMetadata(text: string): Record<string, string> | null {
  const lines = text.split('\n').map((line) => line.trim());
  const pairs = lines.filter((line) => line !== '').map((line) => line.split(/:(.*)/s));
  const entries = pairs.map(([name = '', value]) => [name.trim(), value?.trim()] as const);
  const isComplete = entries.every(([name, value]) => name !== '' && value);
  const isUnique = new Set(entries.map(([name]) => name)).size === entries.length;
  return isComplete && isUnique
    ? Object.fromEntries(entries.map(([name, value = '']) => [name, value]))
    : null;
}

function toMetadataChange(stored: Record<string, string>, next: Record<string, string>) {
  const removed = Object.keys(stored).filter((name) => !Object.hasOwn(next, name));
  return { ...next, ...Object.fromEntries(removed.map((name) => [name, null])) };
}
