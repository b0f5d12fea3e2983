import { Type } from 'typebox';
import { ACCEPTED_TYPES } from '../documents/document-types.rules.ts';

const FILE = Object.fromEntries(
  ACCEPTED_TYPES.map((type) => [type.split(';')[0], { schema: { type: 'string', format: 'binary' } }]),
);

/** What a content is answered with, for the OpenAPI document. */
export const CONTENT = {
  200: { description: 'The content, whole.', content: FILE },
  206: { description: 'One range of it.', content: FILE },
  304: { description: 'It has not changed.', type: 'null' },
};

export const ContentQuery = Type.Object({
  inline: Type.Boolean({ default: false, description: 'Pictures and PDF: shown, and not saved.' }),
});
