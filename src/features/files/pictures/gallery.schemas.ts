import { type TSchema, Type } from 'typebox';
import {
  Id,
  NON_BLANK_LINE_PATTERN,
  nullable,
  Timestamp,
  VERSIONED_SCHEMA,
} from '../../../shared/common.schemas.ts';

const Caption = Type.String({
  minLength: 1,
  maxLength: 300,
  pattern: NON_BLANK_LINE_PATTERN,
  description: 'Description of the picture, also for screen readers.',
});

export const NewPicture = Type.Object({ caption: Type.Optional(Caption) });

export function createPictureChangeSchema(maxPictures: number) {
  return Type.Object({
    caption: Type.Optional(nullable(Caption)),
    position: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: maxPictures,
        description: 'Position in the gallery, starting at 1. Other pictures are shifted.',
      }),
    ),
  });
}

/** @param gallery the property with the id of the memory tag or code */
export function createPictureSchema<Gallery extends Record<string, TSchema>>($id: string, gallery: Gallery) {
  return Type.Object(
    {
      id: Id,
      ...gallery,
      caption: nullable(Type.String()),
      position: Type.Integer({ description: 'Starts at 1, without gaps.' }),
      width: Type.Integer({
        description: 'Width of the stored image, up to 4,096 pixels on the longer edge.',
      }),
      height: Type.Integer(),
      size: Type.Integer({ description: 'Bytes that count towards the storage quota.' }),
      url: Type.String({
        description: 'URL of the picture; `?w=` selects the width. 404 while it is deleted.',
      }),
      version: Type.Integer(),
      createdAt: Timestamp,
      updatedAt: Timestamp,
      deletedAt: Type.Optional(Type.String({ ...Timestamp, description: 'Only of a deleted picture.' })),
    },
    { $id, ...VERSIONED_SCHEMA },
  );
}
