import { type TOptional, type TString, Type } from 'typebox';
import { createDateOrDateTimeSchema } from './common.schemas.ts';
import { parseTimeRangeBound } from './time-range.ts';

/** From inclusive, to exclusive. */
export interface TimeRange {
  from: Date | undefined;
  to: Date | undefined;
}

type RangeParameter<Name extends string> = `${Name}From` | `${Name}To`;

/** Create the query parameters of a list that bound a time: `createdFrom` and `createdTo`. */
export function createTimeRangeFilters<const Name extends string>(
  name: Name,
  field: string,
): Record<RangeParameter<Name>, TOptional<TString>> {
  const from = `\`${field}\` from this time on. A date without a time is a day in your time zone.`;
  return {
    [`${name}From`]: Type.Optional(createDateOrDateTimeSchema(from)),
    [`${name}To`]: Type.Optional(createDateOrDateTimeSchema(`\`${field}\` before this time.`)),
  } as Record<RangeParameter<Name>, TOptional<TString>>;
}

/** Read the parameters of `createTimeRangeFilters`; undefined without any. */
export function parseTimeRangeFilters<const Name extends string>(
  query: Partial<Record<RangeParameter<Name>, string>>,
  name: Name,
  timeZone: string,
): TimeRange | undefined {
  const from = parseTimeRangeBound(query[`${name}From`], timeZone);
  const to = parseTimeRangeBound(query[`${name}To`], timeZone);
  return from || to ? { from, to } : undefined;
}
