import { Type } from 'typebox';
import {
  Id,
  NON_BLANK_LINE_PATTERN,
  stringEnum,
  Timestamp,
  VERSIONED_SCHEMA,
  withDefault,
} from '../../../shared/common.schemas.ts';

export const MAX_FOLDERS = 500;
export const MAX_FOLDER_NAME_CHARACTERS = 60;

export const FOLDER_COLORS = [
  'GRAY',
  'RED',
  'ORANGE',
  'YELLOW',
  'GREEN',
  'TEAL',
  'BLUE',
  'PURPLE',
  'PINK',
] as const;

export type FolderColor = (typeof FOLDER_COLORS)[number];

/** Stands for codes that are in no folder. */
export const NO_FOLDER = 'none';

export const FolderFilter = Type.String({
  pattern: `^(${NO_FOLDER}|[0-9a-f]{24})$`,
  description: 'Codes in the folder with this id, or `none` for codes in no folder.',
});

export const FolderName = Type.String({
  minLength: 1,
  maxLength: MAX_FOLDER_NAME_CHARACTERS,
  pattern: NON_BLANK_LINE_PATTERN,
});

export const NewFolder = Type.Object({
  name: Type.String({ ...FolderName, description: 'Unique in the account, ignoring case.' }),
  color: withDefault(
    stringEnum(FOLDER_COLORS, { default: 'GRAY', description: 'Color of its label in lists.' }),
  ),
});

export const FolderChange = Type.Object({
  name: Type.Optional(NewFolder.properties.name),
  color: Type.Optional(stringEnum(FOLDER_COLORS)),
});

export const FolderSchema = Type.Object(
  {
    id: Id,
    name: Type.String(),
    color: stringEnum(FOLDER_COLORS),
    codeCount: Type.Integer({ description: 'Codes in it that are not deleted.' }),
    version: Type.Integer(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: 'Folder', description: 'What an account sorts its codes into.', ...VERSIONED_SCHEMA },
);
