import { Type } from 'typebox';
import { Id, NON_BLANK_LINE_PATTERN, Timestamp, VERSIONED_SCHEMA } from '../../../shared/common.schemas.ts';
import { SavedViewQuery } from './saved-view-query.ts';

export const MAX_SAVED_VIEWS = 50;
export const MAX_SAVED_VIEW_POSITION = 1_000;
export const MAX_SAVED_VIEW_NAME_CHARACTERS = 60;

const Name = Type.String({
  minLength: 1,
  maxLength: MAX_SAVED_VIEW_NAME_CHARACTERS,
  pattern: NON_BLANK_LINE_PATTERN,
});

const Position = Type.Integer({
  minimum: 1,
  maximum: MAX_SAVED_VIEW_POSITION,
  description: 'The lowest is listed first. By default after the others.',
});

export const NewSavedView = Type.Object({
  name: Name,
  query: SavedViewQuery,
  position: Type.Optional(Position),
});

export const SavedViewChange = Type.Partial(NewSavedView);

export const SavedViewSchema = Type.Object(
  {
    id: Id,
    name: Type.String(),
    query: SavedViewQuery,
    position: Type.Integer(),
    version: Type.Integer(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: 'SavedView', description: 'Filters and sort of the list of codes, by a name.', ...VERSIONED_SCHEMA },
);
