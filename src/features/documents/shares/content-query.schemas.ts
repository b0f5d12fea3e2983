import { Type } from 'typebox';

/** How the content of a document is asked for by whoever is not its owner. */
export const SharedContentQuery = Type.Object({
  inline: Type.Boolean({ default: false, description: 'To be shown in a browser: pictures and PDF.' }),
});
