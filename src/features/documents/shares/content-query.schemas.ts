import { Type } from 'typebox';

export const SharedContentQuery = Type.Object({
  inline: Type.Boolean({
    default: false,
    description: 'Display pictures and PDF in the browser instead of downloading them.',
  }),
});
