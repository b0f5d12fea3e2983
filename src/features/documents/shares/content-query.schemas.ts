import { Type } from 'typebox';

export const InlineContentQuery = Type.Object({
  inline: Type.Boolean({
    default: false,
    description:
      'Display a picture, PDF or text in the browser instead of downloading it. Text is converted to UTF-8.',
  }),
});
