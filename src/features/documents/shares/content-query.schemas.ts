import { Type } from 'typebox';

export const InlineContentQuery = Type.Object({
  inline: Type.Boolean({
    default: false,
    description: 'Display pictures and PDF in the browser instead of downloading them.',
  }),
});
