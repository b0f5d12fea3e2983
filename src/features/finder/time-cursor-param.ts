import { Type } from 'typebox';

/** Of links to older entries of a page. */
export const TimeCursorParam = Type.Optional(Type.String({ maxLength: 100, format: 'time-cursor' }));
