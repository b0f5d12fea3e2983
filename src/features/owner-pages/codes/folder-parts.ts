import type { Static } from 'typebox';
import { type Html, html } from '../../../shared/html.ts';
import type { Locale } from '../../../shared/i18n/locales.ts';
import { type MessageKey, t } from '../../../shared/i18n/translate.ts';
import {
  FOLDER_COLORS,
  type FolderColor,
  type FolderSchema,
  MAX_FOLDER_NAME_CHARACTERS,
  NO_FOLDER,
} from '../../codes/index.ts';
import {
  type Field,
  type FieldOption,
  type FormErrors,
  renderField,
  renderNote,
  renderTabs,
} from '../components.ts';

export type Folder = Static<typeof FolderSchema>;

/** Folders whose names stand above the table; the page of folders has all. */
const MAX_TABS = 8;

/** In the filters; more would be most of the page. */
const MAX_FILTER_OPTIONS = 100;

const COLOR_LABELS = {
  GRAY: 'app.folders.colors.GRAY',
  RED: 'app.folders.colors.RED',
  ORANGE: 'app.folders.colors.ORANGE',
  YELLOW: 'app.folders.colors.YELLOW',
  GREEN: 'app.folders.colors.GREEN',
  TEAL: 'app.folders.colors.TEAL',
  BLUE: 'app.folders.colors.BLUE',
  PURPLE: 'app.folders.colors.PURPLE',
  PINK: 'app.folders.colors.PINK',
} as const satisfies Record<FolderColor, MessageKey>;

/** Render the name of a folder with its color, which says nothing that the name does not. */
export function renderFolderLabel({ name, color }: Pick<Folder, 'name' | 'color'>): Html {
  return html`<span class="folder is-${color.toLowerCase()}"><bdi>${name}</bdi></span>`;
}

/** Render the ways to the codes of each folder; null without one. A limited member has only codes in folders. */
export function renderFolderTabs(
  path: string,
  folders: readonly Folder[],
  current: string | undefined,
  { isLimited, locale }: { isLimited: boolean; locale: Locale },
): Html | null {
  if (folders.length === 0) return null;
  const listed = folders.filter(({ id }, index) => index < MAX_TABS || id === current);
  const format = new Intl.NumberFormat(locale.tag);
  const tabs = listed.map((folder) => ({
    href: `${path}?folder=${folder.id}`,
    label: html`${renderFolderLabel(folder)} (${format.format(folder.codeCount)})`,
    isCurrent: folder.id === current,
  }));
  const none = {
    href: `${path}?folder=${NO_FOLDER}`,
    label: t(locale, 'app.folders.none'),
    isCurrent: current === NO_FOLDER,
  };
  const all = { href: `${path}/folders`, label: t(locale, 'app.folders.all'), isCurrent: false };
  return renderTabs(isLimited ? tabs : [...tabs, none, all], t(locale, 'app.folders.title'));
}

/** List the folders that codes can be filtered by, as options of a select. */
export function listFolderFilterOptions(
  folders: readonly Folder[],
  current: string | undefined,
  locale: Locale,
): FieldOption[] {
  const listed = folders.filter(({ id }, index) => index < MAX_FILTER_OPTIONS || id === current);
  return [
    { value: '', label: t(locale, 'app.folders.any') },
    { value: NO_FOLDER, label: t(locale, 'app.folders.none') },
    ...listed.map(({ id, name }) => ({ value: id, label: name })),
  ];
}

/** Create the field that puts codes into a folder, or into none. */
export function createFolderField(
  folders: readonly Folder[],
  value: string | undefined,
  locale: Locale,
): Field {
  return {
    name: 'folder',
    label: t(locale, 'app.folders.folder'),
    value,
    options: [
      { value: '', label: t(locale, 'app.folders.none') },
      ...folders.map(({ id, name }) => ({ value: id, label: name })),
    ],
  };
}

export function renderFolderFields(
  { name, color }: { name: string | undefined; color: string | undefined },
  errors: FormErrors,
  locale: Locale,
): Html {
  const nameField = {
    name: 'name',
    label: t(locale, 'app.folders.name'),
    value: name,
    isRequired: true,
    maxLength: MAX_FOLDER_NAME_CHARACTERS,
  };
  const colorField = {
    name: 'color',
    label: t(locale, 'app.folders.color'),
    value: color,
    options: FOLDER_COLORS.map((value) => ({ value, label: t(locale, COLOR_LABELS[value]) })),
  };
  return html`${renderField(nameField, errors, locale)}${renderField(colorField, errors, locale)}`;
}

/** Say that a filter names a folder that is no more; null otherwise. */
export function renderMissingFolder(
  folders: readonly Folder[],
  current: string | undefined,
  locale: Locale,
): Html | null {
  if (current === undefined || current === NO_FOLDER) return null;
  if (folders.some(({ id }) => id === current)) return null;
  return renderNote(t(locale, 'app.folders.gone'), 'wrong');
}
