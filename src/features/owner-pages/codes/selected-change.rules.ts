import { type Static, Type } from 'typebox';
import type { MessageKey } from '../../../shared/i18n/translate.ts';
import { isId } from '../../../shared/ids.ts';
import {
  checkBulkChange,
  findPageDesignErrors,
  type PageDesign,
  QR_CODE_NOTIFY_ON_VALUES,
} from '../../codes/index.ts';
import { getEndOfDay } from './code-expiry.rules.ts';

/** One of the forms, with the codes that it changes; `clear` is the button that removes. */
export const SelectedChangeForm = Type.Object({
  ids: Type.Optional(Type.String()),
  change: Type.Optional(Type.String()),
  clear: Type.Optional(Type.String()),
  lastDay: Type.Optional(Type.String()),
  notifyOn: Type.Optional(Type.String()),
  key: Type.Optional(Type.String()),
  value: Type.Optional(Type.String()),
  accentColor: Type.Optional(Type.String()),
  from: Type.Optional(Type.String()),
  toFolder: Type.Optional(Type.String()),
});

type Fields = Static<typeof SelectedChangeForm>;

const MESSAGES = [
  'app.error.required',
  'app.error.invalid',
  'app.codes.change.key',
  'app.codes.change.past',
  'app.error.lowContrast',
] as const satisfies readonly MessageKey[];

export interface SelectedChangeError {
  field: 'lastDay' | 'notifyOn' | 'key' | 'value' | 'accentColor' | 'from' | 'toFolder';
  message: (typeof MESSAGES)[number];
}

interface SelectedChange {
  /** As PATCH takes it; null with errors. */
  change: object | null;
  errors: readonly SelectedChangeError[];
}

const METADATA_KEY = /^[\w.-]{1,40}$/;

interface ChangeContext {
  timeZone: string;
  now: Date;
  /** Of the service. */
  brandColor: string;
  /** Those of selected codes, by id. */
  designs: ReadonlyMap<string, PageDesign>;
}

/** Parse what a form sets for all selected codes. */
export function parseSelectedChange(fields: Fields, context: ChangeContext): SelectedChange {
  if (fields.change === 'expiry') return parseExpiry(fields, context.timeZone, context.now);
  if (fields.change === 'metadata') return parseMetadata(fields);
  if (fields.change === 'page') return parseColor(fields, context.brandColor);
  if (fields.change === 'folder') return parseFolder(fields);
  if (fields.change === 'page-of') return copyDesign(fields, context.designs);
  const notifyOn = QR_CODE_NOTIFY_ON_VALUES.find((value) => value === fields.notifyOn);
  return notifyOn ? { change: { notifyOn }, errors: [] } : refuse('notifyOn', 'app.error.invalid');
}

function parseExpiry({ clear, lastDay }: Fields, timeZone: string, now: Date): SelectedChange {
  if (clear) return { change: { expiresAt: null }, errors: [] };
  if (!lastDay) return refuse('lastDay', 'app.error.required');
  const expiresAt = getEndOfDay(lastDay, timeZone);
  if (!expiresAt || expiresAt <= now) return refuse('lastDay', 'app.codes.change.past');
  return { change: { expiresAt: expiresAt.toISOString() }, errors: [] };
}

function parseMetadata({ clear, key = '', value = '' }: Fields): SelectedChange {
  const name = key.trim();
  if (name === '') return refuse('key', 'app.error.required');
  if (!METADATA_KEY.test(name)) return refuse('key', 'app.codes.change.key');
  if (clear) return { change: { metadata: { [name]: null } }, errors: [] };
  const text = value.trim();
  if (text === '') return refuse('value', 'app.error.required');
  const change = { metadata: { [name]: text } };
  if (checkBulkChange(change).schemaErrors.length > 0) return refuse('value', 'app.error.invalid');
  return { change, errors: [] };
}

function parseFolder({ toFolder = '' }: Fields): SelectedChange {
  if (toFolder === '') return { change: { folderId: null }, errors: [] };
  return isId(toFolder)
    ? { change: { folderId: toFolder }, errors: [] }
    : refuse('toFolder', 'app.error.invalid');
}

function parseColor({ clear, accentColor = '' }: Fields, brandColor: string): SelectedChange {
  if (clear) return { change: { pageDesign: null }, errors: [] };
  if (accentColor.toLowerCase() === brandColor.toLowerCase())
    return { change: { pageDesign: { accentColor: null } }, errors: [] };
  const [error] = findPageDesignErrors({ accentColor });
  if (error)
    return refuse(
      'accentColor',
      error.code === 'LOW_CONTRAST' ? 'app.error.lowContrast' : 'app.error.invalid',
    );
  return { change: { pageDesign: { accentColor } }, errors: [] };
}

/** Cover and logo are photos of one code. */
function copyDesign({ from = '' }: Fields, designs: ReadonlyMap<string, PageDesign>): SelectedChange {
  const design = designs.get(from);
  if (!design) return refuse('from', 'app.error.invalid');
  const { accentColor = null, sectionOrder = null } = design;
  return { change: { pageDesign: { accentColor, sectionOrder } }, errors: [] };
}

function refuse(
  field: SelectedChangeError['field'],
  message: SelectedChangeError['message'],
): SelectedChange {
  return { change: null, errors: [{ field, message }] };
}
